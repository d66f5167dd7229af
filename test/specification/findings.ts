import { read } from '../../src/specification/read.ts';
import { words } from './documents.ts';

/** Every finding of a document as one text: `code words: message → hint`, the words being those that it points at. */
export function findings(content: string): string[] {
  return read('x.md', content).diagnostics.map(
    ({ code, span, message, hint }) => `${code} ${words(span)}: ${message} → ${hint}`,
  );
}

/** The findings that show another place too, with its words: `code words ~ other words`. */
export function pairs(content: string): string[] {
  return read('x.md', content).diagnostics.map(
    ({ code, span, related }) => `${code} ${words(span)} ~ ${related.map((one) => words(one)).join(', ')}`,
  );
}
