import { isDeepStrictEqual } from 'node:util';
import { type Json, list, type Members, map } from '../document.ts';

export interface Failure {
  readonly field: string;
  readonly keyword: string;
}

/** What forms look like, so far as the documents at hand state them (RFC 9562, RFC 5321, RFC 3986, RFC 3339). */
const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S*$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
};

const types: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Whether a value meets one keyword of its shape; `(none)` and `(any)` ask nothing. */
function meets(keyword: string, limit: Json, value: Json): boolean {
  const size = typeof value === 'string' ? [...value].length : 0;
  if (keyword === 'type') return list(limit).some((name) => types[name]?.(value));
  if (keyword === 'enum') return (limit as Json[]).some((one) => isDeepStrictEqual(one, value));
  if (typeof value === 'string') {
    if (keyword === 'minLength') return size >= Number(limit);
    if (keyword === 'maxLength') return size <= Number(limit);
    if (keyword === 'pattern') return new RegExp(String(limit), 'u').test(value);
    if (keyword === 'format') return formats[String(limit)]?.test(value) ?? true;
  }
  if (typeof value === 'number') {
    if (keyword === 'minimum') return value >= Number(limit);
    if (keyword === 'maximum') return value <= Number(limit);
  }
  if (Array.isArray(value)) {
    if (keyword === 'minItems') return value.length >= Number(limit);
    if (keyword === 'uniqueItems')
      return new Set(value.map((one) => JSON.stringify(one))).size === value.length;
  }
  return true;
}

/**
 * What of a shape a value does not meet, down to its members (language §H.1).
 * @param refers whether a reference is to somebody
 */
export function failuresOf(
  document: Members,
  shape: Json,
  value: Json,
  refers: (to: string, value: Json) => boolean,
  field: string,
): Failure[] {
  const found = typeof shape === 'string' ? map(document['resources'])[shape] : shape;
  const described = map(found);
  const fails = (keyword: string, at = field): Failure => ({ field: at, keyword });
  const own = Object.entries(described).flatMap(([keyword, limit]) => {
    if (limit === '(any)') return [];
    if (keyword === 'refers') return value === null || refers(String(limit), value) ? [] : [fails('refers')];
    if (keyword === 'items' && Array.isArray(value))
      return value.flatMap((one, index) => failuresOf(document, limit, one, refers, `${field}.${index}`));
    return meets(keyword, limit, value) ? [] : [fails(keyword)];
  });
  if (described['fields'] === undefined && described['required'] === undefined) return own;
  if (!types['object']?.(value)) return [...own, fails('type')];
  const inner = map(described['fields']);
  const under = (name: string): string => (field === '' ? name : `${field}.${name}`);
  return [
    ...own,
    ...list(described['required'])
      .filter((name) => map(value)[name] === undefined)
      .map((name) => fails('required', under(name))),
    ...Object.entries(map(value)).flatMap(([name, one]) =>
      inner[name] === undefined
        ? [fails('others', under(name))]
        : failuresOf(document, inner[name], one, refers, under(name)),
    ),
  ];
}
