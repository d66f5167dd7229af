import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { isListedParts, takenAs, takesBytes, usualMedia } from '../../semantics/request/content/media.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Bytes, isObject, type Members } from '../../semantics/value/value.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { changesOf } from '../../specification/model/changes.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { essence, isAmong } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { isBinary, schemaOf } from '../../specification/vocabulary/shape.ts';
import { holds, isWritable } from '../body.ts';
import type { Schema } from '../schema.ts';
import type { Pool } from './pool.ts';
import { mostOf } from './unread.ts';

/** Bounds up to which bytes are made: how many there are. */
const mostBytes = 2 ** 16;

/** So many parts are sent at the most. */
const mostParts = 40;

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

/** Media types that a part may say it has. */
const partTypes = ['application/octet-stream', 'image/png', 'text/plain', 'text/csv'];

/** How many parts of a hundred that are bytes are given; and how many of these say a media type, and the name of a file. */
const [given, typed, named] = [80, 70, 80];

/** The members of a body that are bytes, and what stands beside them in its parts. */
export interface Files {
  readonly members: Members;
  readonly parts: NonNullable<Request['parts']>;
}

/** What the parts of a body may bring that is bytes; null: nothing may. */
export function filesFor(operation: Operation, pool: Pool): Files | null {
  const shapes = binaryMembers(operation, pool).filter(() => pool.often(given));
  const about = (): Files['parts'][string] => ({
    name: pool.often(named) ? `${pool.random.letters(6)}.dat` : null,
    media: pool.often(typed) ? pool.random.pick(partTypes) : null,
  });
  return shapes.length === 0
    ? null
    : {
        members: Object.fromEntries(shapes.map(([name, schema]) => [name, bytesLike(schema, pool)])),
        parts: Object.fromEntries(shapes.map(([name]) => [name, about()])),
      };
}

/** Parts for a body that is a list of them: bytes if that is the shape, else texts, with the fields that expressions read. */
export function partsFor(operation: Operation, pool: Pool, count?: number): Json {
  const { items, minItems = 1, maxItems = 3 } = shapeOf(operation);
  const shape = items?.properties?.body;
  const names = fieldsRead(operation);
  const part = (): Json => ({
    headers: {
      ...Object.fromEntries(
        names.filter(() => pool.often(named)).map((name) => [name, pool.random.letters(6)]),
      ),
      ...(pool.often(typed) && {
        'content-type': shape?.format === 'binary' ? pool.random.pick(partTypes) : 'text/plain',
      }),
    },
    // A value of a request, as other bytes are.
    body: shape?.format === 'binary' ? (bytesLike(shape, pool) as unknown as Json) : pool.random.letters(8),
  });
  const most = Math.min(maxItems, Math.max(minItems, 3));
  return Array.from({ length: count ?? pool.random.whole(minItems, most) }, part);
}

/** The header fields of a part that expressions of an operation read, in lower case. */
const fieldsRead = once((operation: Operation): readonly string[] => {
  const templates = changesOf(operation).flatMap(({ qualifiers }) => stated(qualifiers.with) ?? []);
  const paths = templates
    .flatMap(({ template }) => expressionsIn(template))
    .flatMap(({ syntax }) => pathsRead(syntax));
  const names = paths.flatMap(([, headers, name]) =>
    headers === 'headers' && name !== undefined ? [name] : [],
  );
  return [...new Set(names)].filter((name) => name !== 'content-type');
});

/** The members of the body of an operation that are bytes, with their shapes. */
function binaryMembers(
  { request, subject, does }: Operation,
  pool: Pool,
): readonly (readonly [string, Sizes])[] {
  const body = request && stated(request.body);
  if (!body) return [];
  const isCreating = stated(does)?.verb === 'create';
  const fields = body.of?.name === subject?.name ? [...(subject?.fields.values() ?? [])] : [];
  const own = Object.entries(
    (pool.resolve(schemaOf(body.shape))['properties'] ?? {}) as Record<string, Schema>,
  );
  return [
    ...fields
      .filter((field) => isBinary(field.shape) && isWritable(field, isCreating) && holds(body, field.name))
      .map(({ name, shape }) => [name, schemaOf(shape)] as const),
    ...own.filter(([, schema]) => schema['format'] === 'binary'),
  ];
}

/** Bytes that fit what is stated of the body, mostly a few by chance. */
export function usualBytes(operation: Operation, pool: Pool): Bytes {
  return bytesLike(shapeOf(operation), pool);
}

/** How many bytes a shape allows. */
interface Sizes {
  readonly minLength?: number;
  readonly maxLength?: number;
}

function bytesLike({ minLength: least = 0, maxLength: most = mostBytes }: Sizes, pool: Pool): Bytes {
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
  if (!takes) return [];
  if (isListedParts(usualMedia(operation))) return otherCounts(operation, pool);
  if (!takesBytes(operation)) return otherFiles(operation, pool);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shapeOf(operation);
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

/** As many parts as a list of them may have, and one more or less. */
function otherCounts(operation: Operation, pool: Pool): readonly ((request: Request) => Request)[] {
  const { minItems = 0, maxItems = mostParts } = shapeOf(operation);
  const counts = [minItems - 1, minItems, maxItems, maxItems + 1];
  return counts
    .filter((count) => count >= 0 && count <= mostParts)
    .map((count) => (request) => ({ ...request, content: partsFor(operation, pool, count) }));
}

/** The same of the parts of a request that are bytes. */
function otherFiles(operation: Operation, pool: Pool): readonly ((request: Request) => Request)[] {
  const inParts = takenAs(operation, 'multipart/form-data');
  return binaryMembers(inParts, pool).flatMap(([name, { minLength = 0, maxLength = mostBytes }]) => {
    const sizes = new Set([minLength - 1, minLength, maxLength, maxLength + 1]);
    const fitting = [...sizes].filter((size) => size >= 0 && size <= mostBytes);
    const contents = [
      ...peculiar.map((content) => new Bytes(content)),
      ...fitting.map((size) => bytesOfLength(size, pool)),
    ];
    return [
      ...contents.map((content) => (request: Request) => withFile(request, name, content)),
      ...partTypes.map(
        (media) => (request: Request) =>
          request.parts?.[name] === undefined
            ? request
            : { ...request, parts: { ...request.parts, [name]: { ...request.parts[name], media } } },
      ),
    ];
  });
}

/** The request with other bytes in a part; itself, if it has none. */
function withFile(request: Request, name: string, file: Bytes): Request {
  const under = request.operation.request && stated(request.operation.request.under);
  const { content } = request;
  if (request.parts === undefined || content === undefined || !isObject(content)) return request;
  if (under == null) return { ...request, content: { ...content, [name]: file } };
  return { ...request, content: { ...content, [under]: { ...(content[under] as Members), [name]: file } } };
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

/** What is stated of the body: of bytes how many, of a list how many elements and of which shape. */
interface BodyShape extends Sizes {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: { readonly properties?: { readonly body?: Sizes & { readonly format?: string } } };
}

function shapeOf({ request }: Operation): BodyShape {
  const body = request && stated(request.body);
  return body ? schemaOf(body.shape) : {};
}

function bytesOfLength(length: number, pool: Pool): Bytes {
  return new Bytes(Uint8Array.from({ length }, () => pool.random.whole(0, 255)));
}
