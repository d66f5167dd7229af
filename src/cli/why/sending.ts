import type { Answer } from '../../semantics/judge/answer.ts';
import type { Message } from '../../semantics/message/message.ts';
import type { Json } from '../../source/node.ts';
import { UsageError } from '../usage.ts';

/** The address of a service that is not there. */
export const serviceUrl = 'http://localhost';

/** Reads an entry of a list of requests: `{ "request": "POST /notes", "headers": {}, "body": {} }`. */
export function listedMessage(entry: Readonly<Record<string, unknown>>, place: string): Message {
  const { request, headers = {}, body } = entry;
  if (typeof request !== 'string')
    throw new UsageError(`${place} has no member request, such as "GET /notes"`);
  if (!isMap(headers)) throw new UsageError(`${place}: headers is no object`);
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return messageOf(request, fields, body as Json | undefined);
}

/** A message of `METHOD /path`. Content is sent as JSON. */
export function messageOf(
  written: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: Json | undefined,
): Message {
  const [, method, target] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(written.trim()) ?? [];
  if (method === undefined || target === undefined)
    throw new UsageError(`${written} is no request: write it as 'GET /notes?done=true'`);
  const fields = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method: method.toUpperCase(),
    target,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(fields),
    },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** A request with values of earlier answers in it: `{1.body.id}` is a member of the first answer. */
export function withAnswers(message: Message, answers: readonly Answer[]): Message {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\d+)\.([\w.-]+)\}/g, (whole, place: string, path: string) => {
      const value = path.split('.').reduce<unknown>(memberOf, answers[Number(place) - 1]);
      if (value === undefined) throw new UsageError(`no answer has ${whole}`);
      return String(value);
    });
  const headers = Object.entries(message.headers).map(([name, value]) => [name, filled(value)] as const);
  return {
    ...message,
    target: filled(message.target),
    headers: Object.fromEntries(headers),
    body: filled(message.body),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
