import type { IncomingMessage } from 'node:http';
import { parseJson } from '../json.ts';

const refusals = {
  no_token: [401, 'Log in first'],
  bad_token: [401, 'Log in again'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  no_lot: [404, 'There is no such lot'],
  not_yours: [403, 'Only the seller may do this'],
  invalid: [422, 'Some of it does not fit'],
  wrong_password: [403, 'The name or the password is wrong'],
  own_lot: [403, 'Sellers do not bid'],
  not_open: [409, 'The lot is not open'],
  leading: [409, 'Yours is the highest bid'],
  too_low: [409, 'Bid more'],
  not_draft: [409, 'The lot is published'],
  wrong_status: [409, 'The lot does not do this any more'],
  too_late: [409, 'The time of closing is over'],
  has_bids: [409, 'There are bids'],
  name_taken: [409, 'The name is taken'],
} as const;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly status: number;
  readonly code: keyof typeof refusals;

  constructor(code: keyof typeof refusals) {
    super(refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
  }
}

export function require(holds: boolean, code: keyof typeof refusals): asserts holds {
  if (!holds) throw new Refused(code);
}

export type Body = Readonly<Record<string, unknown>>;

export async function contentOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function isJson(request: IncomingMessage): boolean {
  return /^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '');
}

export function objectOf(content: Buffer): Body {
  try {
    const value = parseJson(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refused('unreadable');
}

/** What a member of a body may be. */
type Rule = (value: unknown) => boolean;

export const text =
  (least: number, most: number, pattern = /^/): Rule =>
  (value) =>
    typeof value === 'string' &&
    [...value].length >= least &&
    [...value].length <= most &&
    pattern.test(value);

export const integer =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

export const oneOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    words.includes(String(value)) && typeof value === 'string';

/** A time of RFC 3339. */
export const time: Rule = (value) => {
  if (typeof value !== 'string') return false;
  const found = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))$/.exec(value);
  if (found === null) return false;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= last;
  return (
    isDay &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    Number(found[9] ?? 0) < 24 &&
    Number(found[10] ?? 0) < 60
  );
};

/** A time as it is kept: in UTC, with milliseconds. */
export function kept(text: string): string {
  return new Date(text.toUpperCase()).toISOString();
}

export function check(body: Body, rules: Readonly<Record<string, Rule>>, required: readonly string[]): void {
  for (const [name, value] of Object.entries(body))
    require(Object.hasOwn(rules, name) && rules[name]?.(value) === true, 'invalid');
  require(required.every((name) => body[name] !== undefined), 'invalid');
}

/** The parameters of a query: each at most once, each by its rule, and no others. */
export class Query {
  readonly #values = new Map<string, string>();

  constructor(search: string, rules: Readonly<Record<string, Rule>>) {
    for (const [name, value] of new URLSearchParams(search)) {
      require(Object.hasOwn(rules, name) && !this.#values.has(name), 'invalid');
      require(rules[name]?.(value) === true, 'invalid');
      this.#values.set(name, value);
    }
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  number(name: string): number | undefined;
  number(name: string, otherwise: number): number;
  number(name: string, otherwise?: number): number | undefined {
    const value = this.#values.get(name);
    return value === undefined ? otherwise : Number(value);
  }
}

/** Digits of a number within its bounds. */
export const digits =
  (least: number, most = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    /^-?(0|[1-9]\d*)$/.test(String(value)) && integer(least, most)(Number(value));

export const bool: Rule = oneOf('true', 'false');

export const word: Rule = (value) => typeof value === 'string';

/** A comma list of fields, `-` before descending ones. */
export const fieldsOf =
  (...names: readonly string[]): Rule =>
  (value) =>
    String(value)
      .split(',')
      .every((part) => names.includes(part.replace(/^-/, '')));

/** Compares by several fields, one after the other. */
export function ordering(sort: string) {
  const parts = sort
    .split(',')
    .map((part) => ({ field: part.replace(/^-/, ''), sign: part.startsWith('-') ? -1 : 1 }));
  return (a: object, b: object): number => {
    for (const { field, sign } of parts) {
      const [x, y]: [unknown, unknown] = [Reflect.get(a, field), Reflect.get(b, field)];
      const order =
        typeof x === 'string'
          ? Buffer.compare(Buffer.from(x), Buffer.from(String(y)))
          : Number(x) - Number(y);
      if (order !== 0) return order * sign;
    }
    return 0;
  };
}
