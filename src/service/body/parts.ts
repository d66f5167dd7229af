import { Bytes } from '../../expression/bytes.ts';
import { essence, isJson } from '../../specification/reading/media.ts';
import { type JsonLimits, type ParsedJson, parseJson } from '../http/json.ts';
import type { Spelling } from '../shape/spelling.ts';
import { type Part, readParts } from './multipart.ts';
import { readText } from './text.ts';

type Parsed = ParsedJson | { readonly kind: 'unsupported media' };

/** The media type of a part that names none (RFC 2046 §5.1). */
const usual = 'text/plain';

/**
 * Reads content of a `multipart` type as a list of `{ headers, body }`, with the names of headers in lower case
 * (language §4.2). A body is bytes if that is its shape; else JSON or a text by the media type of the part, and a part of
 * another type is not supported.
 */
export function readListedParts(
  bytes: Buffer,
  contentType: string,
  spelling: Spelling,
  limits: JsonLimits,
): Parsed {
  const parts = readParts(bytes, contentType);
  if (parts === null) return { kind: 'malformed' };
  if (parts.length > limits.nodes) return { kind: 'too large', limit: 'jsonNodes' };
  const values: unknown[] = [];
  for (const [index, part] of parts.entries()) {
    const body = readBody(part, spelling.item(index).member('body').isBytes, limits);
    if (body.kind !== 'value') return body;
    values.push({ headers: Object.fromEntries(part.fields), body: body.value });
  }
  return { kind: 'value', value: values as never };
}

function readBody({ fields, content, isUtf8 }: Part, isBytes: boolean, limits: JsonLimits): Parsed {
  if (isBytes) return { kind: 'value', value: Bytes.of(content) as never };
  const type = essence(fields.get('content-type') ?? usual);
  if (!isJson(type) && !type.startsWith('text/')) return { kind: 'unsupported media' };
  if (!isUtf8) return { kind: 'malformed' };
  return isJson(type) ? parseJson(content, limits) : readText(content);
}
