import type { FastifyRequest } from 'fastify';
import { parseJson } from '../json.ts';

const refusals = {
  no_token: [401, 'Log in first'],
  bad_token: [401, 'Log in again'],
  too_many: [429, 'Not so fast'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  no_room: [404, 'There is no such room'],
  no_message: [404, 'There is no such message'],
  no_member: [404, 'There is no such member'],
  not_yours: [403, 'This is not yours to do'],
  not_member: [403, 'Join the room first'],
  not_moderator: [403, 'Only moderators may do this'],
  not_owner: [403, 'Only the owner may do this'],
  invalid: [422, 'Some of it does not fit'],
  key_reused: [422, 'The key came with another message'],
  wrong_password: [403, 'The name or the password is wrong'],
  archived: [409, 'The room is archived'],
  too_old: [409, 'The message is too old'],
  not_written: [409, 'There is no such message yet'],
  owner_stays: [409, 'The owner stays'],
  one_owner: [409, 'There is one owner'],
  wrong_status: [409, 'The room is so already'],
  name_taken: [409, 'The name is taken'],
  member_already: [409, 'This user is a member'],
  room_full: [409, 'The room is full'],
} as const;

type Code = keyof typeof refusals;

/** A request that is refused, by the code of the refusal. */
export class Refused extends Error {
  readonly code: Code;
  readonly statusCode: number;

  constructor(code: Code) {
    super(refusals[code][1]);
    this.code = code;
    this.statusCode = refusals[code][0];
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

export const boolean: Rule = (value) => typeof value === 'boolean';
export const word: Rule = (value) => typeof value === 'string';
export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);

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

function searchOf(request: FastifyRequest): string {
  return request.url.split(/\?(.*)/s)[1] ?? '';
}

/** The parameters of a query: each once, by its rule, and no others. */
export function query(request: FastifyRequest, rules: Rules = {}): Partial<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(searchOf(request))) {
    require(Object.hasOwn(rules, name) && !(name in found) && rules[name]?.(value) === true, 'invalid');
    found[name] = value;
  }
  return found;
}

/** Looks whether the path and the query can be decoded. */
export function decode(request: FastifyRequest): void {
  try {
    require(!decodeURIComponent(request.url.replaceAll('+', ' ')).includes('\0'), 'unreadable');
  } catch {
    throw new Refused('unreadable');
  }
}

export function objectOf(request: FastifyRequest): Body {
  const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  require(content.length <= 4096, 'too_large');
  const isJson = /^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '');
  require(content.length === 0 || isJson, 'not_json');
  decode(request);
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
