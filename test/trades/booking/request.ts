import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { parseJson } from '../json.ts';

const problems = {
  no_key: [401, 'Send your key'],
  bad_key: [401, 'Nobody has this key'],
  too_many_holds: [429, 'Too many holds'],
  too_large: [413, 'The body is too large'],
  not_json: [415, 'Send JSON'],
  unreadable: [400, 'The request cannot be read'],
  managers_only: [403, 'Only managers may do this'],
  no_room: [404, 'There is no such room'],
  no_booking: [404, 'There is no such booking'],
  not_yours: [403, 'This is the booking of somebody else'],
  invalid: [422, 'Some of it does not fit'],
  page_too_large: [422, 'Ask for fewer'],
  stale: [412, 'The room was changed since'],
  out_of_service: [409, 'The room is out of service'],
  over: [409, 'The booking is over'],
  wrong_status: [409, 'The booking does not do this any more'],
  occupied: [409, 'The room is taken at this time'],
  in_use: [409, 'The room has bookings'],
  bad_hours: [409, 'A room opens before it closes'],
  misfit: [409, 'A booking does not fit its room'],
  too_many: [409, 'You have too many bookings'],
} as const;

export type Code = keyof typeof problems;

/** A request that is answered with a problem. */
export class Problem extends Error {
  readonly status: number;
  readonly code: Code;

  constructor(code: Code) {
    super(problems[code][1]);
    this.code = code;
    this.status = problems[code][0];
  }
}

export function sendProblem(response: Response, { code, status, message }: Problem): void {
  if (status === 401) response.set('WWW-Authenticate', 'Key');
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ title: message, status, code }));
}

/** The last handler: every problem that a handler has thrown becomes an answer. */
export function onProblem(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  if (error instanceof Problem) sendProblem(response, error);
  else if (error instanceof Error && 'type' in error && error.type === 'entity.too.large')
    sendProblem(response, new Problem('too_large'));
  else if (error instanceof URIError) sendProblem(response, new Problem('unreadable'));
  else response.status(500).end();
}

/** Reads whatever content there is, up to 4 KiB. */
export const content = express.raw({ type: () => true, limit: 4096 });

/** Makes the body of a request an object of JSON. */
export const json: RequestHandler = (request, _response, next) => {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (bytes.length > 0 && !/^application\/json *(;|$)/i.test(request.get('Content-Type') ?? ''))
    throw new Problem('not_json');
  try {
    const value = parseJson(bytes);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Problem('unreadable');
    request.body = value;
  } catch (error) {
    throw error instanceof SyntaxError ? new Problem('unreadable') : error;
  }
  next();
};

/** Refuses a query that is not coded as UTF-8. */
export const coded: RequestHandler = (request, _response, next) => {
  try {
    decodeURIComponent(request.originalUrl);
  } catch {
    throw new Problem('unreadable');
  }
  next();
};

/** Refuses every other method of a path. */
export const only =
  (allow: string): RequestHandler =>
  (_request, response) => {
    response.status(405).set('Allow', allow).end();
  };

type Rule = (value: unknown) => boolean;
type Rules = Readonly<Record<string, Rule>>;

export const text =
  (most: number): Rule =>
  (value) =>
    typeof value === 'string' && value !== '' && [...value].length <= most;

export const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

export const clock = matching(/^([01][0-9]|2[0-3]):[03]0$/);

export const integer =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

export const bool: Rule = (value) => typeof value === 'boolean';

/** A date of RFC 3339 that the calendar has. */
export const date: Rule = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
};

export const listOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    Array.isArray(value) &&
    value.every((word: unknown) => words.includes(String(word)) && typeof word === 'string') &&
    new Set(value).size === value.length;

/** The members of a body by their rules, those that are required, and no others. */
export function check(body: unknown, rules: Rules, required: readonly string[]): Record<string, unknown> {
  const given = body as Record<string, unknown>;
  for (const [name, value] of Object.entries(given))
    if (!Object.hasOwn(rules, name) || rules[name]?.(value) !== true) throw new Problem('invalid');
  if (required.some((name) => given[name] === undefined)) throw new Problem('invalid');
  return given;
}

type Reader = (text: string) => unknown;

const ensure = (holds: boolean): void => {
  if (!holds) throw new Problem('invalid');
};

export const word: Reader = (text) => text;

export const that =
  (rule: Rule): Reader =>
  (text) => {
    ensure(rule(text));
    return text;
  };

export const number =
  (least = Number.MIN_SAFE_INTEGER): Reader =>
  (text) => {
    ensure(/^-?(0|[1-9]\d*)$/.test(text) && integer(least, Number.MAX_SAFE_INTEGER)(Number(text)));
    return Number(text);
  };

export const flag: Reader = (text) => {
  ensure(text === 'true' || text === 'false');
  return text === 'true';
};

export const words =
  (...known: readonly string[]): Reader =>
  (text) => {
    const parts = text.split(',');
    ensure(parts.every((part) => known.includes(part)));
    return parts;
  };

export const sorting =
  (...fields: readonly string[]): Reader =>
  (text) => {
    const parts = text.split(',');
    ensure(parts.every((part) => fields.includes(part.replace(/^-/, ''))));
    return parts;
  };

/** The parameters of a query: each once, those that are required, and no others. */
export function query<T>(
  request: Request,
  readers: Readonly<Record<string, Reader>> = {},
  required: readonly string[] = [],
): Partial<T> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    ensure(reader !== undefined && !(name in found));
    found[name] = reader?.(value);
  }
  ensure(required.every((name) => name in found));
  return found as Partial<T>;
}

/** How many items a page may have. */
export function pageSize(size = 10): number {
  if (size > 50) throw new Problem('page_too_large');
  return size;
}

/** Sorts by fields, `-` before descending ones. */
export function sorted<T extends object>(items: readonly T[], fields: readonly string[]): T[] {
  const parts = fields.map((field) => ({
    field: field.replace(/^-/, ''),
    sign: field.startsWith('-') ? -1 : 1,
  }));
  return [...items].sort((a, b) => {
    for (const { field, sign } of parts) {
      const [x, y]: unknown[] = [Reflect.get(a, field), Reflect.get(b, field)];
      const order =
        typeof x === 'number'
          ? x - Number(y)
          : Buffer.compare(Buffer.from(String(x)), Buffer.from(String(y)));
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}
