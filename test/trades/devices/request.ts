import { createHash } from 'node:crypto';
import { parseJson } from '../json.ts';

const refusals = {
  no_key: [401, 'Send your key'],
  bad_key: [401, 'This key is not good'],
  too_many: [429, 'Too many readings'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  no_fleet: [404, 'There is no such fleet'],
  no_device: [404, 'There is no such device'],
  no_alert: [404, 'There is no such alert'],
  no_hook: [404, 'There is no such hook'],
  not_in_use: [403, 'The device is not in use'],
  not_allowed: [403, 'This is not yours to do'],
  invalid: [422, 'Some of it does not fit'],
  key_reused: [422, 'The key came with another reading'],
  no_tag: [428, 'Say which state you have seen'],
  changed: [412, 'The device was changed since you read it'],
  retired: [409, 'The device is retired'],
  not_newer: [409, 'The device has this build or a later one'],
  no_release: [409, 'There is no such release for this model'],
  wrong_status: [409, 'This is not possible now'],
  bounds: [409, 'The lower bound is not below the upper bound'],
  name_taken: [409, 'The name is taken'],
  serial_taken: [409, 'The serial number is taken'],
  release_known: [409, 'There is such a release'],
  url_taken: [409, 'A hook has this address'],
  in_use: [409, 'There are devices in this fleet'],
  hooks_full: [409, 'You may have 3 hooks'],
} as const;

type Code = keyof typeof refusals;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: Code, headers: Readonly<Record<string, string>> = {}) {
    super(refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
    this.headers = headers;
  }
}

/** The address of a hook to which nothing can be sent: 400 without content. */
export class NoAddress extends Error {}

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

const timePattern = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i;

/** A time of RFC 3339 as a text by which times compare; null if it is none. */
export function instantOf(value: unknown): string | null {
  const [all, day = '', clock = '', second = '', fraction = '', offset = ''] =
    timePattern.exec(String(value)) ?? [];
  if (typeof value !== 'string' || all === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  const [hours = 0, minutes = 0] = offset.length > 1 ? offset.slice(1).split(':').map(Number) : [];
  const isClock = /^([01]\d|2[0-3]):[0-5]\d$/.test(clock) && hours < 24 && minutes < 60;
  if (!isDay || !isClock || Number(second) > 60) return null;
  const minute = Date.parse(`${day}T${clock}:00Z`) - offsetMs(offset, hours, minutes);
  // A leap second is the last of a day.
  if (second === '60' && !new Date(minute).toISOString().endsWith('T23:59:00.000Z')) return null;
  const whole = new Date(minute + Number(second) * 1000).toISOString().slice(0, -5);
  return `${whole}.${fraction.replace(/0+$/, '')}`;
}

function offsetMs(offset: string, hours: number, minutes: number): number {
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

export const time: Rule = (value) => instantOf(value) !== null;

/** The address of a hook. */
export const address: Rule = (value) =>
  text(0, 200, /^https?:\/\/[a-z0-9]/)(value) &&
  /^([\w\-.~:/?@!$&'()*+,;=]|%[0-9a-f]{2})*(#([\w\-.~:/?@!$&'()*+,;=]|%[0-9a-f]{2})*)?$/i.test(String(value));

export const listOf =
  (rule: Rule, least: number): Rule =>
  (value) =>
    Array.isArray(value) &&
    value.length >= least &&
    value.every(rule) &&
    new Set(value).size === value.length;

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

/** The object that the content of a request is. */
export function objectOf(content: Buffer, media: string, url: string): Body {
  require(content.length === 0 || /^application\/json *(;|$)/i.test(media), 'not_json');
  require(isReadable(url), 'unreadable');
  try {
    const value = parseJson(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refused('unreadable');
}

/** The entity tags of a precondition, none if they cannot be read; null if it is not sent. */
export function tagsOf(field: string | undefined): readonly string[] | null {
  if (field === undefined) return null;
  const isList = /^\s*(\*|((W\/)?"[^"]*")?(\s*,\s*((W\/)?"[^"]*")?)*)\s*$/.test(field);
  return isList ? (field.match(/\*|(W\/)?"[^"]*"/g) ?? []) : [];
}

export function tagOf(shown: object): string {
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url')}"`;
}

/** Compares texts by code points, and all else as numbers. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** A page by its number or by its offset. */
export function pageOf<T>(
  items: readonly T[],
  given: Partial<Record<string, string>>,
  size: number,
): readonly T[] {
  const limit = Number(given['limit'] ?? size);
  const first = Number(given['offset'] ?? (Number(given['page'] ?? 1) - 1) * limit);
  return items.slice(first, first + limit);
}
