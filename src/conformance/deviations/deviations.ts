import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Said } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { changed, statementsOf } from './changed.ts';
import { deviatingTemplates } from './templates.ts';

/** A statement as an implementation might get it wrong. */
export interface Deviation {
  /** The statement. */
  readonly said: Said<unknown>;
  /** How it is got wrong, as a person would say it. */
  readonly says: string;
  /** The specification that such an implementation follows. */
  readonly specification: () => Specification;
}

/** Every statement of a document as it might be got wrong: left out, or with another value of its kind. */
export const deviationsOf = once((specification: Specification): readonly Deviation[] =>
  statementsOf(specification).flatMap((said) =>
    othersOf(said).map(({ says, other }) => ({
      said,
      says,
      specification: () => changed(specification, said, other),
    })),
  ),
);

interface Other {
  readonly says: string;
  readonly other: Said<unknown>;
}

function othersOf(said: Said<unknown>): Other[] {
  if (said.kind !== 'stated') return [];
  const { address, at, assumed } = said;
  const nothing: Other = { says: 'it is left out', other: { kind: 'none', address, at, assumed } };
  return [
    nothing,
    ...valuesOf(said.value, address).map(({ says, value }) => ({ says, other: { ...said, value } })),
  ];
}

interface OtherValue {
  readonly says: string;
  readonly value: unknown;
}

function valuesOf(value: unknown, address: string): OtherValue[] {
  const key = address.split('.').at(-1) ?? '';
  if (typeof value === 'boolean') return [{ says: `it is ${!value}`, value: !value }];
  if (typeof value === 'number')
    return [value + 1, value - 1].map((other) => ({ says: `it is ${other}`, value: other }));
  if (typeof value === 'string')
    return (words[key] ?? [])
      .filter((word) => word !== value)
      .map((word) => ({ says: `it is ${word}`, value: word }));
  if (value instanceof Map)
    return [...value.keys()].map((name) => ({
      says: `${name} is left out`,
      value: new Map([...value].filter(([other]) => other !== name)),
    }));
  if (Array.isArray(value)) return listsOf(value as readonly unknown[], key);
  return isTemplate(value) ? templatesOf(value) : [];
}

/** Words that may stand for one another, by their key. */
const words: Readonly<Record<string, readonly string[]>> = {
  others: ['refuse', 'ignore'],
  ifDeleted: ['refuse', 'delete', 'clear', 'keep'],
  present: ['update', 'replace', 'match', 'refuse'],
  absent: ['ignore', 'refuse'],
  writable: ['once'],
  same: ['changed', 'unchanged'],
  page: ['size', 'offset', 'start', 'number'],
  type: ['string', 'integer', 'boolean', 'array', 'object'],
  format: ['date', 'date-time', 'email', 'uuid', 'uri'],
};

function listsOf(list: readonly unknown[], key: string): OtherValue[] {
  if (key === 'status')
    return [{ says: 'another status is sent', value: list.map((status) => otherStatus(Number(status))) }];
  if (list.length < 2) return [];
  const shorter = list.map((_, place) => ({
    says: `element ${place + 1} is left out`,
    value: list.filter((_, other) => other !== place),
  }));
  return [...shorter, { says: 'the order is another', value: list.toReversed() }];
}

/** A status of the same class. */
function otherStatus(status: number): number {
  const usual = status < 300 ? [200, 204, 202] : status < 500 ? [400, 409] : [500, 503];
  return usual.find((other) => other !== status) as number;
}

function templatesOf(placed: PlacedTemplate): OtherValue[] {
  return deviatingTemplates(placed.template).map((template) => ({
    says: 'its value is another',
    value: { ...placed, template },
  }));
}

function isTemplate(value: unknown): value is PlacedTemplate {
  return typeof value === 'object' && value !== null && 'template' in value;
}
