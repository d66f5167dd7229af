import { Failures, Refused, type Rules } from './request.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function readAs(text: string, kind: unknown): string | number | boolean {
  const number = Number(text);
  if (kind === 'integer' && /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number)) return number;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * The parameters of a query, each at most once.
 * @param kinds of the parameters that are no texts
 */
export function queryOf(
  search: string,
  rules: Rules = {},
  kinds: Readonly<Record<string, 'integer' | 'boolean'>> = {},
  failures = new Failures(),
): Query {
  const parameters = new URLSearchParams(search);
  const query: Record<string, string | number | boolean> = {};
  for (const name of new Set(parameters.keys())) {
    const texts = parameters.getAll(name);
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) failures.add(name, 'others');
    else if (texts.length > 1) failures.add(name, 'once');
    else {
      const value = readAs(texts[0] ?? '', Object.hasOwn(kinds, name) ? kinds[name] : 'string');
      failures.judge(name, value, rule);
      query[name] = value;
    }
  }
  failures.end();
  return query;
}

/** How many items a page has. */
export function sizeOf(given: Query[string]): number {
  const size = given === undefined ? 10 : Number(given);
  if (size > 50) throw new Refused('page-too-large');
  return size;
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b);

/** Compares items by fields, `-` before descending ones. */
export const by =
  (...fields: readonly string[]) =>
  (a: object, b: object): number => {
    for (const field of fields) {
      const name = field.replace(/^-/, '');
      const order = compare(Reflect.get(a, name), Reflect.get(b, name));
      if (order !== 0) return field.startsWith('-') ? -order : order;
    }
    return 0;
  };
