import type { Operation } from '../../specification/model/operation.ts';
import { essence, isAmong, isJson, mediaParameter, rangesOf } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { mayLackContent, type Request, requestByMedia } from '../../specification/vocabulary/request.ts';
import { type Unknown, unknown, type Value } from '../value/value.ts';

/** The content of a request, or the condition that refuses it. */
export type Content = { readonly value: Value | undefined } | 'unsupported media' | 'malformed' | Unknown;

/** Reads the content by its media type (language §4.2, rules 8 to 11). Content that is not JSON is not carried out. */
export function contentOf({ request }: Operation, contentType: string | undefined, text: string): Content {
  if (!request || request.body.kind === 'open') return { value: undefined };
  if (stated(request.body) === undefined) return unknown([]);
  const types = stated(request.media) ?? ['application/json'];
  if (request.content.kind === 'stated') {
    const fit = fitting(request, contentType);
    if (fit === undefined) return text === '' ? unknown([]) : 'unsupported media';
    // Of `content`, the entry that says what the only body is, is carried out.
    if (!types.some((type) => essence(type) === fit)) return unknown([]);
  }
  if (request.media.kind === 'any' || !types.every(isJson)) return unknown([]);
  if (text === '') return mayLackContent(request) ? { value: undefined } : 'malformed';
  if (contentType === undefined || !isAmong(contentType, new Set(types.map(essence))))
    return 'unsupported media';
  const charset = mediaParameter(contentType, 'charset')?.toLowerCase();
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) return 'unsupported media';
  return essence(contentType) === 'application/json' ? parsed(text) : unknown([]);
}

/** The most specific of the types and ranges of `content` that fits; undefined: none does. */
function fitting(request: Request, contentType: string | undefined): string | undefined {
  const types = requestByMedia(request).flatMap(({ media }) => (stated(media) ?? []).map(essence));
  return rangesOf(contentType ?? '').find((range) => types.includes(range));
}

/** A JSON text (RFC 8259). What readers of JSON take differently is unknown. */
function parsed(text: string): Content {
  try {
    const value = JSON.parse(text) as Value;
    return isPlain(text) ? { value } : unknown([]);
  } catch {
    return 'malformed';
  }
}

/** Whether every reader takes a JSON text alike: no member twice, no U+0000, no lone surrogate, no number that is rounded. */
function isPlain(text: string): boolean {
  if (/\\u0000|\\u[dD][89a-fA-F]/.test(text)) return false;
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every((written) => written.length <= 15) && !namesTwice(text);
}

/** Whether an object has a member twice. */
function namesTwice(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|[{}]|"(?:[^"\\]|\\.)*"/g)) {
    if (token === '{') open.push(new Set());
    if (token === '}') open.pop();
    if (name === undefined) continue;
    const known = open.at(-1);
    if (known?.has(JSON.parse(name) as string)) return true;
    known?.add(JSON.parse(name) as string);
  }
  return false;
}
