import type { Json } from '../../source/node.ts';
import { isJson } from '../../specification/reading/media.ts';

/** Stands in an answer where it is not known what was sent. */
export const unseen: Json = Object.freeze({ unseen: true });

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. Without `content-type`, a value is taken for content of the stated type. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content: the value of JSON, else the bytes; undefined: there was none. */
  readonly body: Json | Uint8Array | undefined;
  /** The same as bytes, if `body` is the value of JSON and these are known. */
  readonly bytes?: Uint8Array;
}

/**
 * An answer as it was received. Its content is JSON if its media type says so and it can be read.
 *
 * @param headers by name in lower case
 */
export function receivedAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  content: Uint8Array,
): Answer {
  return { status, headers, body: content.byteLength === 0 ? undefined : contentIn(headers, content) };
}

function contentIn(headers: Readonly<Record<string, string>>, content: Uint8Array): Json | Uint8Array {
  if (!isJson(headers['content-type'] ?? '')) return content;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as Json;
  } catch {
    return content;
  }
}

/** Content as a difference shows it: text as it is, other bytes by their number. */
export function shownContent(found: Json | Uint8Array | undefined): Json | undefined {
  if (!(found instanceof Uint8Array)) return found;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(found);
  } catch {
    return `${found.byteLength} bytes`;
  }
}
