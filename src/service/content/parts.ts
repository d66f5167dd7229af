import { createHash } from 'node:crypto';
import { Bytes } from '../../expression/bytes.ts';
import type { Frame, Run } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { isJson, mediaKind } from '../../specification/reading/media.ts';
import { readsOf } from '../store/reads.ts';

/** How a value stands in a header field; null: the field is not sent. */
type FieldValue = (value: unknown) => string | null;

/** Content in parts, and its media type with the boundary. */
interface Parts {
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * Compiles a body under a `multipart` type: a list of `{ headers, body }` (language §H.3). The boundary is made of the
 * digest of the parts, so that it is in none of them, and equal parts are equal bytes.
 *
 * @throws {CannotWorkOut} when evaluated, if what the body comes to is no list of parts
 */
export function compileParts(media: string, run: Run, fieldValue: FieldValue): (frame: Frame) => Parts {
  return (frame) => {
    const list = run(frame);
    if (!Array.isArray(list)) throw new CannotWorkOut('this is no list of parts');
    const parts = list.map((part) => writtenPart(part, fieldValue, frame));
    const digest = createHash('sha256');
    for (const part of parts) digest.update(`${part.byteLength}\n`).update(part);
    const boundary = digest.digest('hex').slice(0, 40);
    const pieces = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, lineEnd]);
    return {
      type: `${media}; boundary=${boundary}`,
      body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    };
  };
}

const lineEnd = Buffer.from('\r\n');

function writtenPart(value: unknown, fieldValue: FieldValue, frame: Frame): Buffer {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CannotWorkOut('a part is { headers, body }');
  const { headers = null, body = null } = value as { readonly headers?: unknown; readonly body?: unknown };
  const fields = Object.entries(headers ?? {}).flatMap(([name, one]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new CannotWorkOut(`this is no header field: ${name}`);
    const text = fieldValue(one);
    return text === null ? [] : [[name, text] as const];
  });
  const type = fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const head = fields.map(([name, text]) => `${name}: ${text}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${head}\r\n`), contentOf(body, type, frame)]);
}

function contentOf(body: unknown, type: string | undefined, frame: Frame): Uint8Array {
  if (body === null) return new Uint8Array();
  if (body instanceof Bytes) return body.content(readsOf(frame));
  if (type !== undefined && isJson(type)) return Buffer.from(JSON.stringify(body));
  if (typeof body === 'string') return Buffer.from(body);
  throw new CannotWorkOut(`the body of this part is no text, and its type is ${type ?? 'not stated'}`);
}

/** Whether a body under this media type is written in parts. */
export function isInParts(media: string): boolean {
  return mediaKind(media) === 'parts';
}
