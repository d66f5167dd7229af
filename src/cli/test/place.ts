import { lineText, type Text } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';

/** Where a statement stands; line and column from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What `file:line:column` says. */
export function placeOf(at: string): Place {
  const [, file = at, line, column] = /^(.*):(\d+):(\d+)$/s.exec(at) ?? [];
  return { file, line: Number(line ?? 1), column: Number(column ?? 1) };
}

/** The texts that a specification was read from, by the names of their files. */
export function textsOf({ points }: Specification): ReadonlyMap<string, Text> {
  return new Map([...points.values()].map(({ at: { text } }) => [text.file, text]));
}

/** A line of a document. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The line of a place, with as many before it and after it; none where the text is not known. */
export function linesAround(texts: ReadonlyMap<string, Text>, { file, line }: Place, around: number): Line[] {
  const text = texts.get(file);
  if (text === undefined) return [];
  const from = Math.max(1, line - around);
  const to = Math.min(text.lineStarts.length, line + around);
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    text: lineText(text, from + index),
  }));
}
