import type { Operation } from '../../../specification/model/operation.ts';
import { mediaKind } from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import { type Refusal, refusal } from '../../change/refusal.ts';
import { absent } from '../../value/evaluate.ts';
import type { Truth } from '../../value/truth.ts';
import { Bytes, NotComputable, seen, Unknown, unknown, type Value } from '../../value/value.ts';
import { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { itemOf } from '../../world/world.ts';
import { answerOf } from '../answer.ts';
import type { Prediction, Request } from '../prediction.ts';
import { isOneTag } from './comparison.ts';
import { tagOf } from './tags.ts';

/** What `Range` asks for: bytes from the first to the last one, counted from 0, or so many at the end (RFC 9110 §14.1.2). */
type Range = { readonly first: number; readonly last: number } | { readonly suffix: number };

/** A range of bytes that are there: the places of the first and of the last. */
interface Part {
  readonly first: number;
  readonly last: number;
}

/** A range past the end of the content is refused (condition 11; language §4.3, ranges). */
export function rangeRefusals(request: Request, stored: Stored | null, moment: Moment): readonly Refusal[] {
  if (stored === null || request.headers['range'] === undefined) return [];
  if (!servesRanges(request.operation)) return ignored(request.operation, moment);
  const range = rangeAskedFor(request, stored, moment);
  if (range === null) return [];
  const content = contentIn(wholeAnswer(request.operation, stored, moment));
  if (content === undefined) return moment.world.leave(unknown([]));
  if (content === null || partOf(range, content.byteLength) !== 'past the end') return [];
  const headers = { 'content-range': `bytes */${content.byteLength}` };
  return [{ ...refusal('range not satisfiable'), headers }];
}

/** A success of a read, or the part of it that is asked for. */
export function inRange(request: Request, answered: Prediction, stored: Stored, moment: Moment): Prediction {
  const { operation } = request;
  const conditional = stated(operation.endpoint.conditional);
  if (!conditional || !servesRanges(operation) || !isWhole(answered)) return answered;
  const by = conditional.ranges.address;
  const whole = {
    ...answered,
    headers: { ...answered.headers, 'accept-ranges': 'bytes' },
    others: { ...answered.others, 'headers.accept-ranges': by },
  };
  const range = rangeAskedFor(request, stored, moment);
  const content = contentIn(answered);
  if (range === null || content === null) return whole;
  if (content === undefined) return moment.world.leave(unknown([]));
  const part = partOf(range, content.byteLength);
  if (part === null || part === 'past the end') return whole;
  const { first, last } = part;
  return {
    ...answered,
    status: [206],
    headers: { ...answered.headers, 'content-range': `bytes ${first}-${last}/${content.byteLength}` },
    body: new Bytes(content.subarray(first, last + 1)),
    others: { ...answered.others, status: by, 'headers.content-range': by, body: by },
  };
}

/** Whether an operation sends parts of its answer: GET of one item alone does. */
export function servesRanges({ method, does, endpoint }: Operation): boolean {
  const ranges = stated(stated(endpoint.conditional)?.ranges);
  return method === 'GET' && stated(does)?.verb !== 'list' && ranges !== undefined;
}

/** Nothing refuses a range of a request that asks for no parts; while `ranges` is open, an implementation may send some. */
function ignored({ method, does, endpoint }: Operation, { world }: Moment): readonly Refusal[] {
  const isOfOne = method === 'GET' && stated(does)?.verb !== 'list';
  const isOpen = isOfOne && stated(endpoint.conditional)?.ranges.kind !== 'none';
  return isOpen ? world.leave(unknown([])) : [];
}

/** Only a status 200 with content has parts. */
function isWhole({ status, body }: Prediction): boolean {
  return !(status instanceof Unknown) && status.length === 1 && status[0] === 200 && body !== absent;
}

/** The answer without a range; null: it cannot be computed. */
function wholeAnswer(operation: Operation, stored: Stored, moment: Moment): Prediction | null {
  const resource = moment.world.specification.resourcesByName.get(stored.resource);
  if (resource === undefined) return moment.world.leave(unknown([]));
  const item = itemOf(stored, resource);
  try {
    return answerOf(operation, new Moment(moment.world, { ...moment.names, this: item, old: item }), null);
  } catch (error) {
    if (error instanceof NotComputable) return null;
    throw error;
  }
}

/** The bytes of an answer; null: it has none of which a part is sent; undefined: they are not known. How JSON is written is free. */
function contentIn(answer: Prediction | null): Uint8Array | null | undefined {
  if (answer === null || !isWhole(answer)) return null;
  const body = seen(answer.body as Value);
  if (body instanceof Bytes) return body.content;
  const media = seen(answer.headers['content-type'] ?? null);
  const isText = typeof media === 'string' && mediaKind(media) === 'text';
  return isText && typeof body === 'string' ? new TextEncoder().encode(body) : undefined;
}

/** The one range that a request asks for; null: it asks for none, or `If-Range` says that it wants the whole then. */
function rangeAskedFor({ operation, headers }: Request, stored: Stored, moment: Moment): Range | null {
  if (headers['range'] === undefined) return null;
  const field = seen(headers['range']);
  if (typeof field !== 'string') return moment.world.leave(unknown([]));
  const range = rangeIn(field);
  if (range === undefined) return moment.world.leave(unknown([]));
  if (range === null || headers['if-range'] === undefined) return range;
  const isSame = names(headers['if-range'], () => tagOf(operation, stored, moment));
  return moment.world.decide(isSame) ? range : null;
}

/**
 * Whether `If-Range` names the tag of the content: one tag, compared strongly (RFC 9110 §13.1.5). A time never holds
 * (language §4.3).
 */
function names(field: Value, tag: () => Value): Truth {
  const given = seen(field);
  return typeof given === 'string' && !/^"[^"]*"$/.test(given) ? false : isOneTag(given, tag(), false);
}

/** Null: the field is ignored, since it is not readable, of another unit, or asks for several ranges. Undefined: readers differ. */
function rangeIn(field: string): Range | null | undefined {
  const [, unit = '', set = ''] = /^([^=]*)=(.*)$/s.exec(field) ?? [];
  if (unit.trim().toLowerCase() !== 'bytes') return null;
  const specs = set.split(',').map((each) => each.trim());
  if (specs.length > 1) return specs.includes('') ? undefined : null;
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(specs[0] as string) ?? [];
  // White space has no place there (RFC 9110 §14.2), and some take it.
  if (/\s/.test(field) && first + last !== '') return undefined;
  if (first + last === '') return null;
  if (first === '') return { suffix: Number(last) };
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  return end < Number(first) ? null : { first: Number(first), last: end };
}

/** Which bytes a range means, of so many; null: of empty content, a range is ignored. */
function partOf(range: Range, length: number): Part | 'past the end' | null {
  if (length === 0) return null;
  if ('suffix' in range)
    return range.suffix === 0
      ? 'past the end'
      : { first: Math.max(0, length - range.suffix), last: length - 1 };
  return range.first >= length
    ? 'past the end'
    : { first: range.first, last: Math.min(range.last, length - 1) };
}
