import type { Scalar } from './node.ts';
import { once } from './once.ts';

/**
 * Where each character of a scalar stands in its text, for one that has escapes or is folded into lines; null: that is
 * not to be found out, as in a quotation of Markdown. The last entry is the end (YAML 1.2 §7.3, §8.1).
 */
export const charactersOf: (node: Scalar) => readonly number[] | null = once(({ written, span }: Scalar) => {
  const source = span.text.content.slice(span.start, span.end);
  const quote = source[0] === '"' || source[0] === "'" ? source[0] : null;
  // A block scalar begins after its first line, and what indents the second.
  const header = /^[|>][^\n]*\n\s*/.exec(source)?.[0].length ?? 0;
  const places: number[] = [];
  let at = quote === null ? header : 1;
  for (let index = 0; index < written.length; ) {
    // The last line break of a block may stand outside of it.
    if (at >= source.length && written.slice(index).trim() === '') {
      places.push(...Array.from(written.slice(index), () => span.end));
      break;
    }
    at = skipped(source, at, written[index] as string);
    const [length, decoded] = decodedAt(source, at, quote, written[index] as string);
    if (decoded === null || !written.startsWith(decoded, index)) return null;
    for (const _ of decoded) places.push(span.start + at);
    index += decoded.length;
    at += length;
  }
  places.push(span.start + at);
  return places.length === written.length + 1 ? places : null;
});

/** The offset after what stands for nothing before a character: line breaks that are folded, and what indents a line. */
function skipped(source: string, at: number, next: string): number {
  const broken = /^(?:\\\n[ \t]*|[ \t]*\n\s*)/.exec(source.slice(at))?.[0];
  if (broken !== undefined && !/\s/.test(next)) return at + broken.length;
  return at;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '/': '/',
  '\\': '\\',
  ' ': ' ',
};

/** How long what stands at an offset is, and the characters that it stands for; null: that is not known. */
function decodedAt(
  source: string,
  at: number,
  quote: '"' | "'" | null,
  next: string,
): readonly [number, string | null] {
  const char = source[at];
  if (char === undefined) return [0, null];
  if (quote === "'" && char === "'") return source[at + 1] === "'" ? [2, "'"] : [0, null];
  if (quote === '"' && char === '\\') return [2, escapes[source[at + 1] ?? ''] ?? null];
  const broken = /^[ \t]*\n\s*/.exec(source.slice(at))?.[0];
  if (broken === undefined) return [1, char];
  // One line break is a space, or stays one; of several, it is not looked up how many stay.
  return [broken.length, broken.split('\n').length === 2 && /[ \n]/.test(next) ? next : null];
}
