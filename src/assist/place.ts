import type { Span } from '../source/text.ts';

/** A stretch of one of the texts of a document: UTF-16 code units, `end` exclusive. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export function placeOf({ text: { file }, start, end }: Span): Place {
  return { file, start, end };
}

/** Whether an offset is within a place, or at one of its ends: a caret stands between characters. */
export function isAt({ start, end }: Place, offset: number): boolean {
  return start <= offset && offset <= end;
}

export function samePlace(a: Place, b: Place): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}

/** In the order of the files and the texts. */
export function byPlace(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.start - b.start || a.end - b.end;
}

/** The place of a word within a span, the first or the last if it is there several times; null: it is not there. */
export function wordIn(of: Span, word: string, which: 'first' | 'last'): Place | null {
  const { content, file } = of.text;
  const shown = content.slice(of.start, of.end);
  const letter = /[\p{L}\p{N}_$]/u;
  let from = which === 'first' ? shown.indexOf(word) : shown.lastIndexOf(word);
  while (from >= 0) {
    const around = [shown[from - 1] ?? ' ', shown[from + word.length] ?? ' '];
    if (!around.some((one) => letter.test(one)))
      return { file, start: of.start + from, end: of.start + from + word.length };
    if (which === 'last' && from === 0) return null;
    from = which === 'first' ? shown.indexOf(word, from + 1) : shown.lastIndexOf(word, from - 1);
  }
  return null;
}

/** How the offsets of a text that was read and those of a text that is edited since belong together. */
export interface Shift {
  /** The offset in the text as it is now; null: it was written over. */
  readonly now: (before: number) => number | null;
  /** The offset in the text as it was read; null: it is new. */
  readonly before: (now: number) => number | null;
}

/** What stands before and after the change keeps its place. */
export function shift(before: string, now: string): Shift {
  if (before === now) return { now: (offset) => offset, before: (offset) => offset };
  const shorter = Math.min(before.length, now.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === now.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)
  )
    tail += 1;
  const moved = (offset: number, length: number, by: number): number | null =>
    offset <= head ? offset : offset >= length - tail ? offset + by : null;
  const by = now.length - before.length;
  return {
    now: (offset) => moved(offset, before.length, by),
    before: (offset) => moved(offset, now.length, -by),
  };
}

/** The place in the text as it is now; null: some of it was written over. */
export function shifted({ file, start, end }: Place, { now }: Shift): Place | null {
  const [from, to] = [now(start), now(end)];
  return from === null || to === null || to < from ? null : { file, start: from, end: to };
}
