import { takesBytes } from '../../semantics/request/content/media.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Bytes } from '../../semantics/value/value.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { essence, isAmong } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Pool } from './pool.ts';
import { mostOf } from './unread.ts';

/** Bounds up to which bytes are made: how many there are. */
const mostBytes = 2 ** 16;

/** Bytes that implementations change: NUL, no UTF-8, line ends, a mark of byte order, and what reads as JSON or as a part. */
const peculiar: readonly Uint8Array[] = [
  new Uint8Array(0),
  Buffer.from([0]),
  Buffer.from([0xff, 0x00, 0xfe, 0x80]),
  Buffer.from('\r\n'),
  Buffer.from('one\r\ntwo\nthree\r'),
  Buffer.from([0xef, 0xbb, 0xbf, 0x61]),
  Buffer.from('[ ]'),
  Buffer.from('{"a": 1}'),
  Buffer.from('\u{fffd}\u{e9}\u{1f600}'),
  Buffer.from('--x\r\n\r\n--x--\r\n'),
];

/** Media types that content of any type may have. */
const anyTypes = [
  'application/octet-stream',
  'image/png',
  'text/plain',
  'application/json',
  'Text/CSV; charset=iso-8859-1',
];

/** Bytes that fit what is stated of the body, mostly a few by chance. */
export function usualBytes(operation: Operation, pool: Pool): Bytes {
  const { least, most } = boundsOf(operation);
  const fitting = peculiar.filter(({ byteLength }) => byteLength >= least && byteLength <= most);
  if (fitting.length > 0 && pool.often(40)) return new Bytes(pool.random.pick(fitting));
  return bytesOfLength(pool.random.whole(least, Math.max(least, Math.min(most, least + 24))), pool);
}

/** A media type that the operation takes for bytes. */
export function usualBytesMedia({ request }: Operation, pool: Pool): string {
  const types = request ? (stated(request.media) ?? ['*/*']) : [];
  const type = pool.random.pick(types.length > 0 ? types : ['*/*']);
  if (!type.includes('*')) return type;
  const known = anyTypes.filter((each) => isAmong(each, new Set([essence(type)])));
  return known.length > 0 ? pool.random.pick(known) : type.replace('*', 'x-any');
}

/** Changes to a request that gives bytes: those that implementations change, as many as a bound allows and one more, and another media type or none. */
export function otherBytes(operation: Operation, pool: Pool): readonly ((request: Request) => Request)[] {
  const { request: takes } = operation;
  if (!takes || !takesBytes(operation)) return [];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = bytesSchema(operation);
  const largest = mostOf(operation, pool) ?? Number.POSITIVE_INFINITY;
  const bounds = [minLength - 1, minLength, maxLength, maxLength + 1, largest, largest + 1];
  const sizes = new Set(bounds.filter((size) => size >= 0 && size <= mostBytes));
  const types = stated(takes.media) ?? [];
  const isTaken = (type: string): boolean => types.length === 0 || isAmong(type, new Set(types.map(essence)));
  return [
    ...peculiar.map((content) => giving({ content: new Bytes(content) })),
    ...[...sizes].map((size) => giving({ content: bytesOfLength(size, pool) })),
    ...['', ...anyTypes.filter((type) => !isTaken(type))].map((type) => ofType(type)),
  ];
}

function giving(change: Pick<Request, 'content'>): (request: Request) => Request {
  return (request) => (request.content instanceof Bytes ? { ...request, ...change } : request);
}

function ofType(type: string): (request: Request) => Request {
  return (request) =>
    request.content instanceof Bytes
      ? { ...request, headers: { ...request.headers, 'content-type': type } }
      : request;
}

function bytesSchema({ request }: Operation): { readonly minLength?: number; readonly maxLength?: number } {
  const body = request && stated(request.body);
  return body ? schemaOf(body.shape) : {};
}

/** How many bytes are sent, at least and at most. */
function boundsOf(operation: Operation): { readonly least: number; readonly most: number } {
  const { minLength = 0, maxLength = mostBytes } = bytesSchema(operation);
  return { least: minLength, most: maxLength };
}

function bytesOfLength(length: number, pool: Pool): Bytes {
  return new Bytes(Uint8Array.from({ length }, () => pool.random.whole(0, 255)));
}
