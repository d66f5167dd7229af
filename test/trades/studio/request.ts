import { parseJson } from '../json.ts';
import { instantOf } from './time.ts';

const refusals = {
  unreadable: [400, 'The request cannot be read'],
  'version-unknown': [400, 'There is no such version'],
  'log-in-first': [401, 'Log in first'],
  'session-over': [401, 'The session is over'],
  'too-many': [429, 'Wait a minute'],
  'too-large': [413, 'The body is too large'],
  'wrong-media': [415, 'Send JSON'],
  'no-room': [404, 'There is no such room'],
  'no-booking': [404, 'There is no such booking'],
  'no-instrument': [404, 'There is no such instrument'],
  'no-wish': [404, 'There is no such wish'],
  forbidden: [403, 'You may not do this'],
  invalid: [422, 'Some of it does not fit'],
  'key-reused': [422, 'The key came with another request'],
  'tag-missing': [428, 'Send If-Match'],
  stale: [412, 'The room was changed since'],
  'wrong-log-in': [401, 'The email or the password is wrong'],
  'wrong-status': [409, 'It is too late or too early for this'],
  started: [409, 'The booking has started'],
  'email-taken': [409, 'This email has an account'],
  'name-taken': [409, 'Another room has this name'],
  occupied: [409, 'The room is taken at that time'],
  'too-many-wishes': [409, ''],
  settled: [409, 'The booking is settled'],
  closed: [409, 'The room is closed'],
  'wrong-amount': [422, 'The deposit is another amount'],
} as const;

export type Code = keyof typeof refusals;
type Fields = Readonly<Record<string, readonly string[]>>;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly status: number;
  readonly fields: Fields;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: Code,
    more: {
      readonly fields?: Fields;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(more.message ?? refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
    this.fields = more.fields ?? {};
    this.headers = more.headers ?? {};
  }

  get body(): object {
    return { code: this.code, message: this.message, fields: this.fields };
  }
}

export function ensure(holds: boolean, code: Code): asserts holds {
  if (!holds) throw new Refused(code);
}

export type Body = Readonly<Record<string, unknown>>;

/** What a value has to be: each rule has the keyword under which it fails. */
type Rule = readonly [keyword: string, fits: (value: unknown) => boolean];
export type Rules = Readonly<Record<string, readonly Rule[]>>;

const messages: Readonly<Record<string, string>> = {
  required: 'is missing',
  type: 'is of another type',
  others: 'is not known',
  minimum: 'is too small',
  maximum: 'is too large',
  minLength: 'is too short',
  maxLength: 'is too long',
  refers: 'is not there',
  holds: 'is over',
};

/** Collects what does not fit. */
export class Failures {
  readonly #fields = new Map<string, string[]>();
  #isAny = false;

  add(field: string, keyword: string): void {
    this.#isAny = true;
    const message = messages[keyword];
    if (message !== undefined) this.#fields.set(field, [...(this.#fields.get(field) ?? []), message]);
  }

  judge(field: string, value: unknown, rules: readonly Rule[]): void {
    for (const [keyword, fits] of rules) if (!fits(value)) this.add(field, keyword);
  }

  /** Refuses the request if anything was added. */
  end(): void {
    if (this.#isAny) throw new Refused('invalid', { fields: Object.fromEntries(this.#fields) });
  }
}

const onText =
  (fits: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value !== 'string' || fits(value);

const onNumber =
  (fits: (number: number) => boolean) =>
  (value: unknown): boolean =>
    typeof value !== 'number' || fits(value);

export const string: Rule = ['type', (value) => typeof value === 'string'];
export const stringOrNull: Rule = ['type', (value) => value === null || typeof value === 'string'];
export const integer: Rule = ['type', Number.isSafeInteger];
export const number: Rule = ['type', (value) => typeof value === 'number'];
export const longest = (most: number): Rule => ['maxLength', onText((text) => [...text].length <= most)];
export const shortest = (least: number): Rule => ['minLength', onText((text) => [...text].length >= least)];
export const atLeast = (least: number): Rule => ['minimum', onNumber((value) => value >= least)];
export const atMost = (most: number): Rule => ['maximum', onNumber((value) => value <= most)];
export const oneOf = (values: readonly string[]): Rule => ['enum', onText((text) => values.includes(text))];
export const form = (pattern: RegExp): Rule => ['pattern', onText((text) => pattern.test(text))];
export const email: Rule = ['format', onText(isEmail)];
export const time: Rule = ['format', onText((text) => instantOf(text) !== null)];
export const uri: Rule = ['format', onText(isUri)];

const local = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, Math.max(0, at));
  const labels = text.slice(at + 1).split('.');
  return name.length <= 64 && local.test(name) && labels.every((part) => label.test(part));
}

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\w!#$%&'()*+,./:;=?@[\]~-]*$/i.test(text) && URL.canParse(text);
}

/** Collects what a body lacks, has besides, and what of it does not fit. */
export function judgeBody(body: Body, rules: Rules, required: readonly string[], failures: Failures): void {
  for (const name of required) if (!Object.hasOwn(body, name)) failures.add(name, 'required');
  judgeMembers(body, rules, failures);
}

/** Collects what of a merge patch does not fit: a member that is required cannot be taken away. */
export function judgePatch(body: Body, rules: Rules, required: readonly string[], failures: Failures): void {
  const given = Object.entries(body).filter(([name, value]) => value !== null || !Object.hasOwn(rules, name));
  for (const name of required) if (body[name] === null) failures.add(name, 'required');
  judgeMembers(Object.fromEntries(given), rules, failures);
}

function judgeMembers(body: Body, rules: Rules, failures: Failures): void {
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(rules, name)) failures.judge(name, value, rules[name] ?? []);
    else failures.add(name, 'others');
}

/** Content as an object of JSON. */
export function objectOf(content: Uint8Array): Body {
  let value: unknown;
  try {
    value = parseJson(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refused('unreadable');
  }
  ensure(typeof value === 'object' && value !== null && !Array.isArray(value), 'unreadable');
  return value as Body;
}

/** What a merge patch gives: null takes a member away (RFC 7396). */
export const patched = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? undefined]));

/** A part of an address, as it is meant. */
export function decoded(text: string): string {
  try {
    const meant = decodeURIComponent(text);
    ensure(!meant.includes('\0'), 'unreadable');
    return meant;
  } catch {
    throw new Refused('unreadable');
  }
}
