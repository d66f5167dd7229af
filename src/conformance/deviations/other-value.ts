import { leastOfPage } from '../../semantics/request/given/query.ts';
import type { Json } from '../../source/node.ts';
import { queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { siblingsIn } from '../requests/literals.ts';
import { anotherJson } from '../requests/unread.ts';
import { type Kind, keyOf, operationOf, restating } from './deviation.ts';
import { type About, deviatingTemplates } from './expressions/templates.ts';
import { spans, texts, words, wordsAt } from './expressions/words.ts';
import { isRecord } from './record.ts';
import { deviatingSchemas, type OtherValue } from './schemas.ts';

/** A statement with another value of its kind. */
export const otherValue: Kind = (said, specification) =>
  said.kind !== 'stated' || isOfMember(said.value)
    ? []
    : valuesOf(said, specification).map(({ says, value }) =>
        restating(said, specification, says, { ...said, value }),
      );

/** Whether it is the shape of a member, whose name may be that of a keyword. What the shape says has deviations of its own. */
function isOfMember(value: unknown): boolean {
  return isRecord(value) && value['keywords'] instanceof Map;
}

/** Whether it is a parameter, whose name may be that of a keyword. */
function isParameter(value: unknown): boolean {
  return isRecord(value) && 'roles' in value && 'shape' in value;
}

/** Other values of a statement, by its key. */
function valuesOf(
  said: Said<unknown> & { readonly kind: 'stated' },
  specification: Specification,
): OtherValue[] {
  const { value, address } = said;
  const own = isParameter(value) ? '' : keyOf(said);
  const key = address === 'errors.order' ? 'precedence' : own;
  const about: About = { isCondition: isCondition.test(address), siblings: siblingsIn(specification) };
  const texted = (other: unknown): OtherValue => ({ says: `it is ${String(other)}`, value: other });
  if (key === 'unique' && address.startsWith('resources.') && !Array.isArray(value))
    return (value === true ? ['caseless'] : [true]).map(texted);
  if (key === 'type' && isShape.test(address)) return typesOf(value).map(texted);
  if (schemas.has(key) && isShape.test(address))
    return deviatingSchemas({ [key]: value as Json }).flatMap(inKeyword(key));
  if (value === null && key === 'default') return [{ says: 'it is "~"', value: '~' }];
  if (key === 'writable' && typeof value === 'string') return [true, false].map(texted);
  if (key === 'media' && address.includes('.request.')) return mediaOf([value].flat());
  if (typeof value === 'boolean') return [texted(!value)];
  if (typeof value === 'number')
    return (
      spans.has(key) || /^limits\.times\b/.test(address) ? [value * 60, value / 60] : [value + 1, value - 1]
    )
      .filter((other) => key !== 'default' || other >= leastFor(said, specification))
      .map(texted);
  const sorts = key === 'default' && typeof value === 'string' ? sortsFor(said, specification) : [];
  if (sorts.length > 0) return [turnedOrder(String(value)), ...sorts].map(texted);
  if (typeof value === 'string') return wordsOf(value, key, address).map(texted);
  if (Array.isArray(value)) return listsOf(value as readonly unknown[], key, about);
  if (isTemplate(value)) return templatesOf(value, about);
  return isRecord(value) ? [...kindsOf(value, key), ...timesOf(value), ...within(value, about)] : [];
}

/** Templates that say whether something holds. */
const isCondition =
  /\.(where|when|filter|holds)$|\.(guards|invariants)\b|^authentication\.(actors|authorization|otherwise)\b/;

const isShape = /^resources\.(?!\w+\.items$)|\.(fields|query|path|headers|body)\.|\.(request\.body|shape)\b/;

/** Keywords that hold shapes. */
const schemas: ReadonlySet<string> = new Set(
  'items, contains, not, if, then, else, propertyNames, additionalProperties, allOf, anyOf, oneOf, prefixItems, properties, patternProperties, dependentSchemas'.split(
    ', ',
  ),
);

/** What deviates in the keyword alone. That it is left out is another kind. */
function inKeyword(key: string) {
  return ({ says, value }: OtherValue): OtherValue[] =>
    isRecord(value) && key in value ? [{ says, value: value[key] }] : [];
}

/** Which content is accepted: only the message shows of which type it is (language §4.2). */
function mediaOf(types: readonly unknown[]): OtherValue[] {
  const other = anotherJson;
  return [
    { says: `it is ${other}`, value: [other] },
    { says: `${other} is accepted, too`, value: [...types, other] },
  ];
}

/** Null is accepted, too; an integer may be any number. */
function typesOf(value: unknown): unknown[] {
  const types = [value].flat();
  return [
    ...(types.includes('null') ? [] : [[...types, 'null']]),
    ...(types.includes('integer') ? [types.map((type) => (type === 'integer' ? 'number' : type))] : []),
    ...(types.length > 1 ? types.map((_, place) => types.toSpliced(place, 1)) : []),
  ];
}

function wordsOf(value: string, key: string, address: string): string[] {
  const [, others = words[key] ?? []] = wordsAt.find(([place]) => place.test(address)) ?? [];
  const found = others.filter((word) => word !== value);
  return texts.has(key) && found.length === 0 ? [`${value}~`] : found;
}

/** No page begins before the first one (language §4.5). */
function leastFor(said: Said<unknown>, specification: Specification): number {
  const operation = operationOf(said, specification);
  const parameter = operation && queryParameters(operation).find((each) => each.default === said);
  return leastOfPage[(parameter && stated(parameter.roles.page)) ?? ''] ?? Number.NEGATIVE_INFINITY;
}

/** The other fields by which a list may be sorted, if the statement says by which it is. */
function sortsFor(said: Said<unknown>, specification: Specification): readonly string[] {
  const operation = operationOf(said, specification);
  const parameter = operation && queryParameters(operation).find((each) => each.default === said);
  const fields = (parameter && stated(parameter.roles.sort)) ?? [];
  return fields.map(({ text }) => text).filter((field) => said.kind === 'stated' && field !== said.value);
}

/** Whose requests are counted together (language §8.1); whose item an event or a credential is about. */
function kindsOf(value: Readonly<Record<string, unknown>>, key: string): OtherValue[] {
  if (key !== 'per') return [];
  return ['actor', 'address']
    .filter((kind) => kind !== value['kind'])
    .map((kind) => ({ says: `it is ${kind}`, value: { kind } }));
}

/** A span of time that is longer or shorter; a day that is a year later or earlier. */
function timesOf(value: Readonly<Record<string, unknown>>): OtherValue[] {
  const { rest, months, beginsMs, duration } = value;
  if (isRecord(duration))
    return timesOf(duration).map(({ says, value: other }) => ({
      says,
      value: { ...value, duration: other },
    }));
  if (typeof beginsMs === 'number')
    return [1, -1].map((years) => ({
      says: years > 0 ? 'it is a year later' : 'it is a year earlier',
      value: { ...value, beginsMs: beginsMs + years * yearMs },
    }));
  if (typeof rest !== 'number' || typeof months !== 'number') return [];
  return [
    { says: 'it is twice as long', value: { ...value, rest: rest * 2, months: months * 2 } },
    { says: 'it is a second', value: { ...value, rest: 1000, months: 0 } },
  ];
}

const yearMs = 365 * 86_400_000;

/** Lists whose order says something. */
const inOrder = ['order', 'with', 'also', 'response', 'versions'];

function listsOf(list: readonly unknown[], key: string, about: About): OtherValue[] {
  if (key === 'status')
    return [{ says: 'another status is sent', value: list.map((status) => otherStatus(Number(status))) }];
  const changes = list.flatMap((element, place) =>
    elementsOf(element, key, about).map(({ says, value }) => ({
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
function elementsOf(element: unknown, key: string, about: About): OtherValue[] {
  if (isTemplate(element)) return templatesOf(element, about);
  if (key === 'order' && isRecord(element) && typeof element['text'] === 'string')
    return [turnedOrder(element['text'])].map((text) => ({
      says: `it is ${text}`,
      value: { ...element, text },
    }));
  if (key === 'retries' && isRecord(element)) return timesOf(element);
  if (key === 'retries' && typeof element === 'number')
    return [{ says: `it is ${element * 60}`, value: element * 60 }];
  if (key === 'unique' && isRecord(element)) {
    const caseless = element['caseless'] !== true;
    return [{ says: caseless ? 'it is caseless' : 'it is not caseless', value: { ...element, caseless } }];
  }
  return typeof element === 'object' && element !== null ? within(element, about) : [];
}

/** Ascending in place of descending, and the other way round. */
function turnedOrder(field: string): string {
  return field.startsWith('-') ? field.slice(1) : `-${field}`;
}

/** An object with another template in one of its members. */
function within(value: unknown, about: About): OtherValue[] {
  if (!isRecord(value) || value instanceof Map) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const others = isTemplate(member) ? templatesOf(member, about) : [];
    return others.map(({ says, value: other }) => ({ says, value: { ...value, [name]: other } }));
  });
}

/** A status of the same class. */
function otherStatus(status: number): number {
  const usual = status < 300 ? [200, 204, 202] : status < 500 ? [409, 410] : [500, 503];
  return usual.find((other) => other !== status) as number;
}

function templatesOf(placed: PlacedTemplate, about: About): OtherValue[] {
  return deviatingTemplates(placed.template, about).map(({ says, template }) => ({
    says,
    value: { ...placed, template },
  }));
}

function isTemplate(value: unknown): value is PlacedTemplate {
  return isRecord(value) && 'template' in value && 'node' in value;
}
