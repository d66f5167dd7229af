import { parseJson } from '../json.ts';

const refusals = {
  'log-in-first': [401, 'Log in first'],
  'session-over': [401, 'The session is over'],
  'too-many-jobs': [429, 'Wait a minute'],
  'too-large': [413, 'The body is too large'],
  'wrong-media': [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  forbidden: [403, 'You may not do this'],
  'no-bike': [404, 'There is no such bike'],
  'no-job': [404, 'There is no such job'],
  'no-line': [404, 'There is no such line'],
  invalid: [422, 'Some of it does not fit'],
  'page-too-large': [422, 'Ask for fewer'],
  'key-reused': [422, 'The key came with another request'],
  'tag-missing': [428, 'Send If-Match'],
  stale: [412, 'The job was changed since'],
  'wrong-log-in': [401, 'The email or the password is wrong'],
  'not-your-bike': [403, 'This is not your bike'],
  'already-quoted': [409, 'The job was quoted'],
  'wrong-status': [409, 'The job is not in this state'],
  'nothing-to-quote': [409, 'The job has no lines'],
  taken: [409, 'This is taken'],
  'bike-in-use': [409, 'The bike has jobs'],
  'too-many-open': [409, 'You have too many open jobs'],
} as const;

export type Code = keyof typeof refusals;

type Fields = Readonly<Record<string, readonly string[]>>;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly status: number;
  readonly #fields: Fields | undefined;

  constructor(code: Code, { fields, message }: { readonly fields?: Fields; readonly message?: string } = {}) {
    super(message ?? refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
    this.#fields = fields;
  }

  get body(): object {
    return { code: this.code, message: this.message, ...(this.#fields && { fields: this.#fields }) };
  }
}

export function ensure(holds: boolean, code: Code): asserts holds {
  if (!holds) throw new Refused(code);
}

export type Body = Readonly<Record<string, unknown>>;

/** What a value of a field has to be. Each rule has the keyword under which it fails. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;
type Rule = readonly [keyword: string, fits: (value: unknown) => boolean];

const messages: Readonly<Record<string, string>> = {
  required: 'is missing',
  type: 'is of another type',
  enum: 'is not one of those',
  pattern: 'has another form',
  format: 'has another form',
  minLength: 'is too short',
  maxLength: 'is too long',
  minimum: 'is too small',
  maximum: 'is too large',
  refers: 'is not there',
  others: 'is not known',
  holds: 'is over',
  sort: 'is not sorted by',
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

const isText = (value: unknown): boolean => typeof value === 'string';

export const string: Rule = ['type', isText];
export const stringOrNull: Rule = ['type', (value) => value === null || isText(value)];
export const boolean: Rule = ['type', (value) => typeof value === 'boolean'];
export const integer: Rule = ['type', Number.isInteger];
export const integerOrNull: Rule = ['type', (value) => value === null || Number.isInteger(value)];
export const longest = (most: number): Rule => ['maxLength', onText((text) => [...text].length <= most)];
export const shortest = (least: number): Rule => ['minLength', onText((text) => [...text].length >= least)];
export const atLeast = (least: number): Rule => ['minimum', onNumber((number) => number >= least)];
export const atMost = (most: number): Rule => ['maximum', onNumber((number) => number <= most)];
export const oneOf = (values: readonly string[]): Rule => [
  'enum',
  (value) => values.includes(value as string),
];
export const form = (pattern: RegExp): Rule => ['pattern', onText((text) => pattern.test(text))];
export const email: Rule = ['format', onText(isEmail)];
export const date: Rule = ['format', onText(isDate)];

const local = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, Math.max(0, at));
  return (
    name.length <= 64 &&
    local.test(name) &&
    text
      .slice(at + 1)
      .split('.')
      .every((part) => label.test(part))
  );
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Refuses a body that lacks members, has others, or whose members do not fit. */
export function judgeBody(
  body: Body,
  rules: Rules,
  required: readonly string[],
  failures = new Failures(),
): void {
  for (const name of required) if (!Object.hasOwn(body, name)) failures.add(name, 'required');
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(rules, name)) failures.judge(name, value, rules[name] ?? []);
    else failures.add(name, 'others');
  failures.end();
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

/** Whether a part of an address is coded as UTF-8. */
export function isReadable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}
