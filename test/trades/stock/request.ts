import type { IncomingMessage } from 'node:http';
import { parseJson } from '../json.ts';

const refusals = {
  no_key: [401, 'Send your key'],
  bad_key: [401, 'Nobody has this key'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  not_allowed: [403, 'This is not yours to do'],
  no_article: [404, 'There is no such article'],
  no_reservation: [404, 'There is no such reservation'],
  no_order: [404, 'There is no such order'],
  invalid: [422, 'Some of it does not fit'],
  no_tag: [428, 'Say which state you have seen'],
  changed: [412, 'The article was changed since you read it'],
  by_order: [409, 'Only orders move stock so'],
  discontinued: [409, 'The article is no longer sold'],
  too_few_left: [409, 'Too few units would be left'],
  too_many: [409, 'That is too many at a time'],
  over: [409, 'The reservation is over'],
  sold_out: [409, 'There are not so many'],
  wrong_status: [409, 'This is not possible any more'],
  sku_taken: [409, 'There is such an article'],
  in_use: [409, 'The article was reserved or ordered'],
} as const;

type Code = keyof typeof refusals;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly status: number;

  constructor(code: Code) {
    super(refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
  }
}

export function require(holds: boolean, code: Code): asserts holds {
  if (!holds) throw new Refused(code);
}

export type Body = Readonly<Record<string, unknown>>;
type Rule = (value: unknown) => boolean;
type Rules = Readonly<Record<string, Rule>>;

export const text =
  (least: number, most: number, pattern = /^/): Rule =>
  (value) => {
    if (typeof value !== 'string' || !pattern.test(value)) return false;
    const length = [...value].length;
    return length >= least && length <= most;
  };

export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

export const oneOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' && words.includes(value);

export const word: Rule = (value) => typeof value === 'string';

/** The digits of a parameter that is a number. */
export const digits =
  (least: number, most = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    /^-?(0|[1-9]\d*)$/.test(String(value)) && integer(least, most)(Number(value));

export const sorting =
  (...fields: readonly string[]): Rule =>
  (value) =>
    String(value)
      .split(',')
      .every((part) => fields.includes(part.replace(/^-/, '')));

/** The members of a body: each by its rule, those that are required, and no others. */
export function check(body: Body, rules: Rules, required: readonly string[] = []): void {
  for (const [name, value] of Object.entries(body))
    require(Object.hasOwn(rules, name) && rules[name]?.(value) === true, 'invalid');
  require(required.every((name) => body[name] !== undefined), 'invalid');
}

/** The parameters of a query: each once, by its rule, and no others. */
export function query(search: string, rules: Rules = {}): Partial<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    require(Object.hasOwn(rules, name) && !(name in found) && rules[name]?.(value) === true, 'invalid');
    found[name] = value;
  }
  return found;
}

/** Whether the path and the query can be decoded. */
export function isReadable(url: string): boolean {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0');
  } catch {
    return false;
  }
}

export async function contentOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function objectOf(request: IncomingMessage, content: Buffer): Body {
  require(content.length <= 4096, 'too_large');
  const isJson = /^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '');
  require(content.length === 0 || isJson, 'not_json');
  require(isReadable(request.url ?? ''), 'unreadable');
  try {
    const value = parseJson(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refused('unreadable');
}

/** The entity tags of a precondition; null where there are none that can be read. */
export function tagsOf(field: string | undefined): readonly string[] | null {
  if (field === undefined) return null;
  const isList = /^\s*(\*|(,|\s|(W\/)?"[^"]*")*)\s*$/.test(field);
  return isList ? (field.match(/\*|(W\/)?"[^"]*"/g) ?? []) : null;
}

/** Compares texts by code points, and all else as numbers. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
