import type { IncomingMessage } from 'node:http';
import { parseJson } from '../json.ts';

const refusals = {
  no_token: [401, 'Log in first'],
  bad_token: [401, 'Log in again'],
  too_many: [429, 'Not so fast'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  not_allowed: [403, 'This is not for you to do'],
  no_member: [404, 'There is no such member'],
  no_book: [404, 'There is no such book'],
  no_loan: [404, 'There is no such loan'],
  no_hold: [404, 'There is no such hold'],
  no_fine: [404, 'There is no such fine'],
  invalid: [422, 'Some of it does not fit'],
  page_too_large: [422, 'Ask for fewer'],
  key_reused: [422, 'The key came with another request'],
  no_tag: [428, 'Say which revision you have'],
  stale: [412, 'The book was changed since'],
  wrong_login: [401, 'The card or the password is wrong'],
  withdrawn: [410, 'The book was withdrawn'],
  suspended: [403, 'Your card is suspended'],
  owing: [403, 'Pay your fines first'],
  has_copy: [409, 'You have this book'],
  in_queue: [409, 'You wait for this book'],
  on_shelf: [409, 'A copy is on the shelf'],
  all_out: [409, 'All copies are out'],
  over: [409, 'The loan is over'],
  late: [409, 'Bring the book back'],
  renewed_twice: [409, 'The loan was renewed twice'],
  awaited: [409, 'Somebody waits for this book'],
  paid: [409, 'The fine is paid'],
  wrong_status: [409, 'It is so already'],
  in_demand: [409, 'Members have or await this book'],
  taken: [409, 'This is taken'],
  too_few: [409, 'More copies are in use'],
  loans_full: [409, 'You have three books'],
  holds_full: [409, 'You wait for two books'],
} as const;

type Code = keyof typeof refusals;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly status: number;
  /** The fields that do not fit. */
  readonly fields: readonly string[] | undefined;

  constructor(code: Code, fields?: Iterable<string>) {
    super(refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
    this.fields = fields && [...new Set(fields)].sort(compare);
  }

  get body(): object {
    const { code, message, fields } = this;
    return { error: { code, message, ...(fields && { fields }) } };
  }
}

export function require(holds: boolean, code: Code): asserts holds {
  if (!holds) throw new Refused(code);
}

export type Body = Readonly<Record<string, unknown>>;
/** Of a comma list, `element` says what each of its elements may be. */
type Rule = ((value: unknown) => boolean) & { readonly element?: Rule };
type Rules = Readonly<Record<string, Rule>>;

export async function contentOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function isJson(request: IncomingMessage): boolean {
  const type = request.headers['content-type'] ?? '';
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type);
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

/** A part of an address, decoded. */
export function decoded(text: string): string {
  try {
    const found = decodeURIComponent(text.replaceAll('+', ' '));
    if (!found.includes('\0')) return found;
  } catch {
    // It is not coded as UTF-8.
  }
  throw new Refused('unreadable');
}

// What a value may be

export const text =
  (least: number, most = Number.POSITIVE_INFINITY, pattern = /^/): Rule =>
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
    typeof value === 'string' && words.includes(value);

export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);

/** Where a list does not fit: at elements, or as a whole. */
export function misfits(
  name: string,
  value: unknown,
  { rule, most }: { readonly rule: Rule; readonly most: number },
): string[] {
  if (!Array.isArray(value)) return [name];
  const isWhole = value.length <= most && new Set(value).size === value.length;
  const elements = value.flatMap((one: unknown, index) => (rule(one) ? [] : [`${name}.${index}`]));
  return isWhole ? elements : [name, ...elements];
}

const local = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

/** An address of RFC 5321, without quotation marks and comments. */
export const email: Rule = (value) => {
  const [, name = '', host = ''] = /^(.{1,64})@(.+)$/s.exec(String(value)) ?? [];
  return local.test(name) && host.split('.').every((part) => label.test(part));
};

/** A time of RFC 3339. */
export const time: Rule = (value) => {
  const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))$/;
  const found = form.exec(String(value));
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= last;
  const isOffset = Number(found[9] ?? 0) < 24 && Number(found[10] ?? 0) < 60;
  return isDay && hour < 24 && minute < 60 && second < 60 && isOffset;
};

// What a parameter may be

export const digits =
  (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    /^-?(0|[1-9]\d*)$/.test(String(value)) && integer(least, most)(Number(value));

export const bool: Rule = oneOf('true', 'false');

export const word: Rule = (value) => typeof value === 'string';

/** A comma list of words. */
export function words(...known: readonly string[]): Rule {
  const element = oneOf(...known);
  return Object.assign((value: unknown) => String(value).split(',').every(element), { element });
}

/** Where a parameter does not fit: at the elements of a list, or as a whole. */
function placesOf(name: string, value: string, { element }: Rule): string[] {
  if (element === undefined) return [name];
  return value.split(',').flatMap((part, place) => (element(part) ? [] : [`${name}.${place}`]));
}

/** A comma list of fields, `-` before descending ones. */
export const sorting =
  (...known: readonly string[]): Rule =>
  (value) =>
    String(value)
      .split(',')
      .every((part) => known.includes(part.replace(/^-/, '')));

interface BodyRules {
  readonly of: Body;
  readonly rules: Rules;
  readonly required: readonly string[];
  /** Fields that do not fit, besides. */
  readonly wrong?: readonly string[];
}

type Query = Partial<Record<string, string>>;

/** Looks at the parameters and the members of a request: each by its rule, those that are required, and no others. */
export function judge(
  search: string,
  rules: Rules,
  body: BodyRules | null = null,
  isFirstAlone = false,
): Query {
  const query: Record<string, string> = {};
  const wrong = [...(body?.wrong ?? [])];
  for (const [name, value] of new URLSearchParams(search)) {
    const rule = Object.hasOwn(rules, name) && !(name in query) ? rules[name] : undefined;
    if (rule?.(value) !== true) wrong.push(...(rule ? placesOf(name, value, rule) : [name]));
    query[name] = value;
  }
  for (const name of body?.required ?? []) if (body?.of[name] === undefined) wrong.push(name);
  for (const [name, value] of Object.entries(body?.of ?? {}))
    if (!Object.hasOwn(body?.rules ?? {}, name) || body?.rules[name]?.(value) !== true) wrong.push(name);
  if (wrong.length > 0) throw new Refused('invalid', isFirstAlone ? wrong.slice(0, 1) : wrong);
  return query;
}

/** Compares texts by code points, and all else as numbers. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** Sorts by fields, `-` before descending ones. */
export function sorted<T extends object>(items: readonly T[], fields: readonly string[]): T[] {
  return [...items].sort((a, b) => {
    for (const field of fields) {
      const name = field.replace(/^-/, '');
      const order = compare(Reflect.get(a, name), Reflect.get(b, name));
      if (order !== 0) return field.startsWith('-') ? -order : order;
    }
    return 0;
  });
}
