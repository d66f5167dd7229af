import { essence, isJson } from '../../../specification/reading/media.ts';
import { type Part, partContent, writtenParts } from '../../content/parts.ts';
import { plain } from '../../value/plain.ts';
import { Bytes, isList, isObject, type Value } from '../../value/value.ts';

/** Content of a `multipart` type that is no form, as it is sent: a part for each element `{ headers, body }`; null: it is no list. */
export function listedPartsBytes(content: Value): Uint8Array | null {
  return isList(content) ? writtenParts(content.map(partOf)) : null;
}

/** What an element of such content sends. Of one that is no part, its value as a text. */
function partOf(element: Value): Part {
  const { headers = {}, body = null } = isObject(element) ? element : { body: element };
  const fields = Object.entries(isObject(headers) ? headers : {}).flatMap(
    ([name, value]): [string, string][] =>
      typeof value === 'string' && /^[\x20-\x7e]*$/.test(value) ? [[name.toLowerCase(), value.trim()]] : [],
  );
  return {
    headers: Object.fromEntries(fields),
    content: partContent(body instanceof Bytes ? body.content : (plain(body) ?? null)),
  };
}

/**
 * The content as the operation reads it (language §4.2, rule 15): a list of `{ headers, body }`.
 *
 * @param isBytes whether a body is bytes by its shape; else it is JSON or text, by the media type of the part
 * @returns 'malformed' or 'unsupported media': so it is refused
 */
export function listedParts(content: Value, isBytes: boolean): Value | 'malformed' | 'unsupported media' {
  if (!isList(content)) return 'malformed';
  const parts = content.map(partOf);
  const types = parts.map(({ headers }) => essence(headers['content-type'] ?? 'text/plain'));
  if (!isBytes && types.some((type) => !isJson(type) && !type.startsWith('text/')))
    return 'unsupported media';
  try {
    return parts.map(({ headers, content: bytes }, place): Value => {
      const text = (): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      const isRead = isJson(types[place] as string);
      return { headers, body: isBytes ? new Bytes(bytes) : isRead ? (JSON.parse(text()) as Value) : text() };
    });
  } catch {
    return 'malformed';
  }
}
