/** A text that was read, with what is needed to say where something in it stands. */
export interface Text {
  /** The name to show for it: as given by whoever asked for the file. */
  readonly file: string;
  readonly content: string;
  /** Offset, in UTF-16 code units, of the first character of each line. */
  readonly lineStarts: readonly number[];
}

/** A stretch of a text, `end` exclusive; offsets are UTF-16 code units. */
export interface Span {
  readonly text: Text;
  readonly start: number;
  readonly end: number;
  /** It stands in a `let` that is used elsewhere (language §E.19). */
  readonly used?: Use;
}

/** Where a `let` is used; that may be within another. */
export interface Use {
  readonly name: string;
  readonly at: Span;
}

/** Line and column as editors count them: both from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function text(file: string, content: string): Text {
  // A byte order mark is no character of the first line.
  const lineStarts = [content.startsWith('\uFEFF') ? 1 : 0];
  for (const breaks = /\r\n?|\n/g; breaks.test(content); ) lineStarts.push(breaks.lastIndex);
  return { file, content, lineStarts };
}

/** The order of texts: by the code units of their names, whatever the language of the machine. */
export function byFile(a: Text, b: Text): number {
  return a.file < b.file ? -1 : Number(a.file > b.file);
}

/** A span that lies within its text, wherever a parser says that it ends. */
export function span(of: Text, start: number, end: number): Span {
  const from = Math.min(start, of.content.length);
  return { text: of, start: from, end: Math.min(Math.max(from, end), of.content.length) };
}

export function position(of: Text, offset: number): Position {
  let low = 0;
  let high = of.lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((of.lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (of.lineStarts[low] as number)) + 1 };
}

/** Where a span begins, and where it ends, exclusive. */
export function range({ text, start, end }: Span): { start: Position; end: Position } {
  return { start: position(text, start), end: position(text, end) };
}

/** `file:line:column` of where a span begins: the form in which every message points. */
export function at(where: Span): string {
  const { line, column } = position(where.text, where.start);
  return `${where.text.file}:${line}:${column}`;
}

/** The characters of one line (from 1), without its line break. */
export function lineText(of: Text, line: number): string {
  const start = of.lineStarts[line - 1] ?? of.content.length;
  return of.content.slice(start, start + lineLength(of, line));
}

/** How many characters a line (from 1) has, without its line break. */
export function lineLength(of: Text, line: number): number {
  const start = of.lineStarts[line - 1] ?? of.content.length;
  let end = of.lineStarts[line] ?? of.content.length;
  while (end > start && '\r\n'.includes(of.content[end - 1] as string)) end -= 1;
  return end - start;
}
