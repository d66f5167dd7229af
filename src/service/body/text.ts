import { isUtf8 } from 'node:buffer';
import type { ParsedJson } from '../http/json.ts';

/** Content that is a text: in UTF-8, and without U+0000; else it is malformed. */
export function readText(bytes: Buffer): ParsedJson {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '\u0000';
  return text.includes('\u0000') ? { kind: 'malformed' } : { kind: 'value', value: text };
}
