import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { type Kind, keyOf, stating } from './deviation.ts';
import { isRecord } from './record.ts';
import { deviatingTemplates } from './templates.ts';

/** A statement with another value of its kind. */
export const otherValue: Kind = (said, specification) =>
  said.kind !== 'stated'
    ? []
    : valuesOf(said.value, said.address === 'errors.order' ? 'precedence' : keyOf(said)).map(
        ({ says, value }) => ({
          said,
          says,
          operation: null,
          implementation: stating(specification, said, { ...said, value }),
        }),
      );

interface OtherValue {
  readonly says: string;
  readonly value: unknown;
}

function valuesOf(value: unknown, key: string): OtherValue[] {
  if (typeof value === 'boolean') return [{ says: `it is ${!value}`, value: !value }];
  if (typeof value === 'number')
    return [value + 1, value - 1].map((other) => ({ says: `it is ${other}`, value: other }));
  if (typeof value === 'string')
    return (words[key] ?? [])
      .filter((word) => word !== value)
      .map((word) => ({ says: `it is ${word}`, value: word }));
  if (Array.isArray(value)) return listsOf(value as readonly unknown[], key);
  return isTemplate(value) ? templatesOf(value) : within(value);
}

/** Words that may stand for one another, by their key. */
const words: Readonly<Record<string, readonly string[]>> = {
  others: ['refuse', 'ignore'],
  ifDeleted: ['refuse', 'delete', 'clear', 'keep'],
  present: ['update', 'replace', 'match', 'refuse'],
  absent: ['ignore', 'refuse'],
  same: ['changed', 'unchanged'],
  page: ['size', 'offset', 'start', 'number'],
  compare: ['strong', 'weak'],
  per: ['actor', 'operation'],
  several: ['refuse', 'first'],
  foreign: ['missing', 'wrong'],
  wrong: ['refuse', 'ignore'],
};

/** Lists whose order says something. */
const inOrder = ['order', 'with', 'also', 'response', 'versions'];

function listsOf(list: readonly unknown[], key: string): OtherValue[] {
  if (key === 'status')
    return [{ says: 'another status is sent', value: list.map((status) => otherStatus(Number(status))) }];
  const changes = list.flatMap((element, place) =>
    elementsOf(element).map(({ says, value }) => ({
      says: list.length > 1 ? `${says} (element ${place + 1})` : says,
      value: list.with(place, value),
    })),
  );
  // What is done may be done twice.
  const doubled =
    key !== 'also'
      ? []
      : list.map((element, place) => ({
          says: `element ${place + 1} is done twice`,
          value: list.toSpliced(place, 0, element),
        }));
  if (list.length < 2) return [...changes, ...doubled];
  const shorter = list.map((_, place) => ({
    says: `element ${place + 1} is left out`,
    value: list.filter((_, other) => other !== place),
  }));
  if (key === 'precedence') return swappedIn(list);
  return [...changes, ...doubled, ...shorter, ...(inOrder.includes(key) ? swappedIn(list) : [])];
}

function swappedIn(list: readonly unknown[]): OtherValue[] {
  return list.slice(1).map((element, place) => ({
    says: `elements ${place + 1} and ${place + 2} are in the other order`,
    value: list.with(place, element).with(place + 1, list[place]),
  }));
}

/** An element with another template. What is stated within has deviations of its own. */
function elementsOf(element: unknown): OtherValue[] {
  if (isTemplate(element)) return templatesOf(element);
  return typeof element === 'object' && element !== null ? within(element) : [];
}

/** An object with another template in one of its members. */
function within(value: unknown): OtherValue[] {
  if (!isRecord(value) || value instanceof Map) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const others = isTemplate(member) ? templatesOf(member) : [];
    return others.map(({ says, value: other }) => ({ says, value: { ...value, [name]: other } }));
  });
}

/** A status of the same class. */
function otherStatus(status: number): number {
  const usual = status < 300 ? [200, 204, 202] : status < 500 ? [400, 409] : [500, 503];
  return usual.find((other) => other !== status) as number;
}

function templatesOf(placed: PlacedTemplate): OtherValue[] {
  return deviatingTemplates(placed.template).map(({ says, template }) => ({
    says,
    value: { ...placed, template },
  }));
}

function isTemplate(value: unknown): value is PlacedTemplate {
  return isRecord(value) && 'template' in value;
}
