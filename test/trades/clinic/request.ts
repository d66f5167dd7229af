import { parseJson } from '../json.ts';

const refusals = {
  'unknown-version': [400, 'There is no such version'],
  'key-needed': [401, 'Send a key'],
  'key-wrong': [401, 'The key is not known'],
  'too-fast': [429, 'Not so fast'],
  'too-large': [413, 'The body is too large'],
  'wrong-media': [415, 'This media type is not read'],
  'not-acceptable': [406, 'This media type is not written'],
  unreadable: [400, 'The request cannot be read'],
  forbidden: [403, 'The key is not good for this'],
  'no-key': [404, 'There is no such key'],
  'no-patient': [404, 'There is no such patient'],
  'no-slot': [404, 'There is no such slot'],
  'no-appointment': [404, 'There is no such appointment'],
  'no-prescription': [404, 'There is no such prescription'],
  'no-hook': [404, 'There is no such hook'],
  'not-yours': [403, 'This is not yours to change'],
  invalid: [422, 'Some of it does not fit'],
  'page-too-large': [422, 'Ask for fewer'],
  'no-repeat-key': [400, 'Send an Idempotency-Key'],
  'repeat-key-used': [422, 'The key came with another request'],
  stale: [412, 'The record was changed since'],
  'slot-over': [409, 'The slot is over'],
  'other-doctor': [409, "The slot is another doctor's"],
  closed: [409, 'The appointment is over'],
  'moved-enough': [409, 'The appointment was moved three times'],
  'too-late': [409, 'Call the desk'],
  'not-attended': [409, 'The patient was not here'],
  inactive: [409, 'The prescription is not active'],
  'none-left': [409, 'No refill is left'],
  'too-soon': [409, 'Wait for a week'],
  'too-early': [409, 'The appointment has not begun'],
  'wrong-status': [409, 'This is not possible any more'],
  'slot-taken': [409, 'The slot is taken'],
  overlap: [409, 'You have a slot at this time'],
  exists: [409, 'This is taken'],
  'slot-in-use': [409, 'The slot has appointments'],
  'too-many-open': [409, 'You have two open appointments'],
} as const;

export type Code = keyof typeof refusals;

/** The messages of fields that do not fit, by field. */
type Errors = Readonly<Record<string, readonly string[]>>;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly status: number;
  readonly #errors: Errors | undefined;

  constructor(code: Code, errors?: Errors) {
    super(refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
    this.#errors = errors;
  }

  get body(): object {
    const { code, message: title, status } = this;
    return { type: `/problems/${code}`, title, status, ...(this.#errors && { errors: this.#errors }) };
  }
}

export function require(holds: boolean, code: Code): asserts holds {
  if (!holds) throw new Refused(code);
}

export type Body = Readonly<Record<string, unknown>>;

/** A shape of a value: keywords of JSON Schema, in the order in which they are judged. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: 'date' | 'date-time' | 'email' | 'uri';
  readonly pattern?: RegExp;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
}

const messages = {
  required: 'is missing',
  type: 'is of another type',
  enum: 'is not one of those',
  pattern: 'has another form',
  format: 'has another form',
  minLength: 'is too short',
  maxLength: 'is too long',
  minItems: 'is empty',
  uniqueItems: 'repeats itself',
  minimum: 'is too small',
  maximum: 'is too large',
  refers: 'is not there',
  others: 'is not known',
  holds: 'does not hold',
  sort: 'is not sorted by',
} as const;

/** What does not fit in a request, field by field. */
export class Failures {
  readonly #errors = Object.create(null) as Record<string, string[]>;
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** @param keyword one without a message counts, and is not shown */
  add(field: string, keyword: string): void {
    this.#count += 1;
    const message = Object.hasOwn(messages, keyword) ? messages[keyword as keyof typeof messages] : null;
    if (message !== null) this.#errors[field] = [...(this.#errors[field] ?? []), message];
  }

  /** Refuses the request if anything does not fit. */
  end(): void {
    if (!this.isEmpty) throw new Refused('invalid', this.#errors);
  }

  value(field: string, value: unknown, shape: Shape): void {
    for (const keyword of Object.keys(shape) as (keyof Shape)[]) {
      if (keyword === 'items' && Array.isArray(value))
        for (const [index, one] of value.entries()) this.value(`${field}.${index}`, one, shape.items ?? {});
      else if (!fits(value, shape, keyword)) this.add(field, keyword);
    }
  }

  /** Judges the members of a body: each by its shape, those that are required, and no others. */
  members(body: Body, shapes: Readonly<Record<string, Shape>>, required: readonly string[]): void {
    for (const name of required) if (body[name] === undefined) this.add(name, 'required');
    for (const [name, value] of Object.entries(body)) {
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
      if (shape === undefined) this.add(name, 'others');
      else this.value(name, value, shape);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fits(value: unknown, shape: Shape, keyword: keyof Shape): boolean {
  const [text, number, list] = [
    typeof value === 'string' ? value : null,
    typeof value === 'number' ? value : null,
    Array.isArray(value) ? (value as unknown[]) : null,
  ];
  switch (keyword) {
    case 'type':
      return [shape.type]
        .flat()
        .some((one) => (one === 'integer' ? Number.isInteger(value) : one === typeOf(value)));
    case 'enum':
      return shape.enum?.includes(value) === true;
    case 'pattern':
      return text === null || shape.pattern?.test(text) === true;
    case 'format':
      return text === null || formats[shape.format ?? 'date'](text);
    case 'minLength':
      return text === null || [...text].length >= (shape.minLength ?? 0);
    case 'maxLength':
      return text === null || [...text].length <= (shape.maxLength ?? 0);
    case 'minimum':
      return number === null || number >= (shape.minimum ?? 0);
    case 'maximum':
      return number === null || number <= (shape.maximum ?? 0);
    case 'minItems':
      return list === null || list.length >= (shape.minItems ?? 0);
    case 'uniqueItems':
      return list === null || new Set(list).size === list.length;
    case 'items':
      return true;
  }
}

function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isTime(text: string): boolean {
  const form = /^(.{10})[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))$/;
  const [, date = '', hour, minute, second, , , hours = 0, minutes = 0] = form.exec(text) ?? [];
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return isDate(date) && isClock && Number(hours) < 24 && Number(minutes) < 60;
}

const local = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

function isEmail(text: string): boolean {
  const [, name = '', host = ''] = /^(.{1,64})@(.+)$/s.exec(text) ?? [];
  return local.test(name) && host.split('.').every((part) => label.test(part));
}

const isUri = (text: string): boolean =>
  /^[a-z][a-z\d+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i.test(text);

const formats = { date: isDate, 'date-time': isTime, email: isEmail, uri: isUri };

/** Content as an object of JSON. */
export function objectOf(content: Uint8Array): Body {
  try {
    const value = parseJson(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refused('unreadable');
}

/** Compares texts by code points, and all else as numbers. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
