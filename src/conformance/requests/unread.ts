import { sentMedia, takesBytes } from '../../semantics/request/content/media.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { isObject } from '../../semantics/value/value.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { isJson } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Pool } from './pool.ts';

/** Bounds on content up to which it is sent, in bytes. */
export const mostBytes = 2 ** 20;

/** A media type of JSON that hardly any document states. */
export const anotherJson = 'application/x-another+json';

/** Media types that hardly any operation takes; empty: none is named. */
export const otherMedia: readonly string[] = ['', anotherJson, 'text/plain'];

/** Changes to a request, whose content cannot be read then: it is broken, of another media type, or too large; or just not. */
export function unreadable(operation: Operation, pool: Pool): readonly ((request: Request) => Request)[] {
  const { request: takes } = operation;
  if (!takes || stated(takes.body) === undefined || takesBytes(operation)) return [];
  const types = stated(takes.media) ?? ['application/json'];
  if (!types.some(isJson)) return [];
  const most = mostOf(operation, pool) ?? Number.POSITIVE_INFINITY;
  return [
    (request) =>
      isInJson(request) && isObject(request.content ?? null) ? { ...request, isBroken: true } : request,
    ...otherMedia
      .filter((media) => !types.includes(media))
      .map((media) => withContent(({ headers }) => ({ headers: { ...headers, 'content-type': media } }))),
    ...(most > mostBytes ? [] : [most, most + 1].map((leastBytes) => withContent(() => ({ leastBytes })))),
  ];
}

function withContent(change: (request: Request) => Partial<Request>): (request: Request) => Request {
  return (request) => (isInJson(request) ? { ...request, ...change(request) } : request);
}

/** Whether the content is JSON, of an operation that reads it as such. */
export function isInJson(request: Request): boolean {
  const { content, operation } = request;
  return content !== undefined && !takesBytes(operation) && isJson(sentMedia(request) ?? '');
}

/** How large the content may be, in bytes (language §8.3); undefined: no bound is stated. */
export function mostOf({ name }: Operation, { specification }: Pool): number | undefined {
  const sizes = stated(stated(specification.limits)?.sizes);
  return stated(stated(sizes?.operations)?.get(name)) ?? (sizes && stated(sizes.body));
}
