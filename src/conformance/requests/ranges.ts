import { servesRanges } from '../../semantics/request/conditional/ranges.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Bytes, type Value } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Pool } from './pool.ts';

/** A time that is no tag of anything. */
const longAgo = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** `Range` fields that are ignored: broken, of another unit, or of several ranges (RFC 9110 §14.2). */
const ignored = ['bytes=2-1', 'bytes=0-0,-1', 'bytes=', 'bytes=-', 'bytes=a-', 'items=0-1', '0-1'];

/**
 * Fields that ask for a part of an item's content, where an operation sends parts: about its first and last bytes, and past its
 * end, sometimes with `If-Range`.
 *
 * @param tags those of the item that answers showed
 */
export function rangeFields(
  operation: Operation,
  subject: Stored | undefined,
  tags: readonly string[],
  pool: Pool,
): Readonly<Record<string, Value>> {
  if (!servesRanges(operation) || !pool.often(70)) return {};
  const { random } = pool;
  const range = `bytes=${random.pick(about(lengthOf(subject, pool), pool))}`;
  if (!pool.often(45)) return { range: pool.often(20) ? random.pick(ignored) : range };
  const [latest, ...former] = tags.toReversed();
  const named =
    latest === undefined ? [] : [latest, latest, `W/${latest}`, `W/${latest}`, ...former.slice(0, 1)];
  return { range, 'if-range': random.pick([...named, '"nonsense"', longAgo]) };
}

/** Each way to ask for a part once, whatever the content is: each kind of range, with conditions that hold and that do not. */
export function rangeProbes(operation: Operation): readonly ((request: Request) => Request)[] {
  if (!servesRanges(operation)) return [];
  const asked = [...ignored, ...simple].map((range) => ({ range }));
  const beside = [
    ['if-range', longAgo],
    ['if-range', '"nonsense"'],
    ['if-range', 'W/"nonsense"'],
    ['if-none-match', '*'],
    ['if-match', '"nonsense"'],
  ].map(([name = '', value = '']) => ({ range: 'bytes=1-', [name]: value }));
  return [...asked, ...beside].map((fields) => (request) => ({
    ...request,
    headers: { ...without(request.headers), ...fields },
  }));
}

/** Ranges of any content. */
const simple = ['0-0', '0-1', '1-2', '1-', '0-', '-1', '-2', '0-999', '-999', '999-', '-0'].map(
  (range) => `bytes=${range}`,
);

function without(headers: Request['headers']): Request['headers'] {
  const conditions = ['range', 'if-range', 'if-match', 'if-none-match'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !conditions.includes(name)));
}

/** How many bytes an item holds; a small number, if that is not known. */
function lengthOf(subject: Stored | undefined, pool: Pool): number {
  const lengths = [...(subject?.members.values() ?? [])].flatMap((value) =>
    value instanceof Bytes ? [value.content.byteLength] : [],
  );
  return lengths.length > 0 ? pool.random.pick(lengths) : pool.random.whole(0, 12);
}

/** Ranges of so many bytes. */
function about(length: number, { random }: Pool): readonly string[] {
  const last = Math.max(0, length - 1);
  const [first, end] = [random.whole(0, last), random.whole(0, last)].sort((a, b) => a - b);
  return [
    ...['0-0', `0-${last}`, `0-${length}`, `${last}-`, `${first}-${end}`, `${first}-${end}`, `${first}-`],
    ...['-1', `-${last}`, `-${length}`, `-${length + 5}`],
    ...[`${length}-`, `${length}-${length + 3}`, '-0'],
  ];
}
