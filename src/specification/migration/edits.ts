import type { Entry, Json, List, Mapping, Node, Scalar } from '../../source/node.ts';
import { type Span, span, type Text, text } from '../../source/text.ts';

/** Characters of a text, and what is written in their place. */
export interface Edit {
  readonly span: Span;
  readonly with: string;
}

/** The text with these edits, none of which touches another. */
export function edited(of: Text, edits: readonly Edit[]): Text {
  const own = edits.filter(({ span }) => span.text === of).sort((a, b) => b.span.start - a.span.start);
  if (own.length === 0) return of;
  let { content } = of;
  for (const { span, with: written } of own)
    content = content.slice(0, span.start) + written + content.slice(span.end);
  return text(of.file, content);
}

/** Whether two edits change the same characters, or meet. */
export function collide(a: Edit, b: Edit): boolean {
  return a.span.text === b.span.text && a.span.start <= b.span.end && b.span.start <= a.span.end;
}

function contentOf({ text, start, end }: Span): string {
  return text.content.slice(start, end);
}

/** Another word in the place of a word; its quotation marks stay. */
export function reworded(where: Span, word: string): Edit {
  const [quote = ''] = /^["']/.exec(contentOf(where)) ?? [];
  return { span: where, with: `${quote}${word}${quote}` };
}

/** Another word in the place of some characters of a scalar; undefined where its characters are escaped or folded. */
export function rewordedWithin(of: Scalar, at: number, length: number, word: string): Edit | undefined {
  if (of.from === null) return undefined;
  const start = of.from + at;
  return { span: span(of.span.text, start, start + length), with: word };
}

/** Whether a text is JSON, where every name and text stands in quotation marks. */
function isJson({ text }: Span): boolean {
  return /\.json$/i.test(text.file);
}

/** A value on one line, as it may stand within braces. */
export function flow(value: Json, where: Span): string {
  if (isJson(where)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => flow(item, where)).join(', ')}]`;
  if (value !== null && typeof value === 'object')
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${name}: ${flow(item, where)}`)
      .join(', ')} }`;
  return typeof value === 'string' && !/^[A-Za-z][\w-]*$/.test(value) ? JSON.stringify(value) : String(value);
}

/** `NAME: VALUE`, as it may stand within braces, or on a line. */
export function pair(name: string, value: Json, where: Span): string {
  return isJson(where) ? `${JSON.stringify(name)}: ${flow(value, where)}` : `${name}: ${flow(value, where)}`;
}

/** Whether a list or map stands in brackets or braces. */
function isFlow({ span }: Node): boolean {
  return /^[[{]/.test(contentOf(span));
}

function lineStart({ text, start }: Span): number {
  return Math.max(text.content.lastIndexOf('\n', start - 1) + 1, text.lineStarts[0] as number);
}

function lineEnd({ text }: Span, from: number): number {
  const end = text.content.indexOf('\n', from);
  const line = end < 0 ? text.content.length : end;
  return text.content[line - 1] === '\r' ? line - 1 : line;
}

/** What an entry of this line is indented by; a dash of a list before it counts as a space. */
function indent(key: Span): string {
  return contentOf(span(key.text, lineStart(key), key.start)).replaceAll('-', ' ');
}

/** A further entry of a map that has some; undefined where it cannot be put in. */
export function added(map: Mapping, written: string): Edit | undefined {
  const [first] = map.entries.values();
  if (first === undefined) {
    const braces = /^\{\s*\}$/.exec(contentOf(map.span));
    return braces ? { span: map.span, with: `{ ${written} }` } : undefined;
  }
  const last = [...map.entries.values()].at(-1) as Entry;
  if (isFlow(map)) {
    const { text, end } = last.value.span;
    return { span: span(text, end, end), with: `, ${written}` };
  }
  const { text, start } = first.key;
  const eol = text.content.includes('\r\n') ? '\r\n' : '\n';
  const end = lineEnd(last.key, last.key.start);
  // After the last entry where that is one line; else before the first.
  if (last.value.span.end <= end && isOneLine(last))
    return { span: span(text, end, end), with: `${eol}${indent(last.key)}${written}` };
  return { span: span(text, start, start), with: `${written}${eol}${indent(first.key)}` };
}

/** Whether a value is written on the line of its key: no folded or literal text, nothing on a line below. */
function isOneLine({ key, value }: Entry): boolean {
  return !/[\n|>]/.test(contentOf(span(key.text, key.end, value.span.end)).replace(/".*"|'.*'/, ''));
}

/** What removes this stretch with the whole line that it leaves empty; undefined where a comment would go with it. */
function removed(where: Span, next: number | undefined): Edit | undefined {
  const { text, start, end } = where;
  if (/(^|\s)#/m.test(withoutTexts(contentOf(where)))) return undefined;
  if (next !== undefined) {
    const between = text.content.slice(end, next);
    if (/#/.test(between)) return undefined;
    return { span: span(text, start, next), with: '' };
  }
  const content = contentOf(where);
  const close = start + content.trimEnd().length;
  const line = lineEnd(where, close);
  const after = text.content.slice(close, line);
  const begin = lineStart(where);
  const isAlone = text.content.slice(begin, start).trim() === '';
  if (after.trim() !== '' || !isAlone)
    return after.trim().startsWith('#') && isAlone
      ? { span: span(text, start, close + (after.length - after.trimStart().length)), with: '' }
      : undefined;
  const eol = text.content.startsWith('\r\n', line) ? 2 : text.content[line] === '\n' ? 1 : 0;
  return { span: span(text, begin, line + eol), with: '' };
}

function withoutTexts(content: string): string {
  return content.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""');
}

/** What removes an entry from a map that has others. */
export function removedEntry(map: Mapping, name: string): Edit | undefined {
  const entries = [...map.entries];
  const index = entries.findIndex(([key]) => key === name);
  const spans = entries.map(([, { key, value }]) => span(key.text, key.start, value.span.end));
  return removedAt(spans, index, isFlow(map));
}

/** What removes an item from a list that has others. */
export function removedItem(list: List, index: number): Edit | undefined {
  const spans = list.items.map((item) => item.span);
  if (isFlow(list)) return removedAt(spans, index, true);
  const own = spans[index] as Span;
  const dash = own.text.content.lastIndexOf('-', own.start);
  return removed(span(own.text, dash, own.end), undefined);
}

function removedAt(spans: readonly Span[], index: number, isInBraces: boolean): Edit | undefined {
  const own = spans[index];
  if (own === undefined || spans.length < 2) return undefined;
  const [before, next] = [spans[index - 1], spans[index + 1]];
  if (!isInBraces) {
    // The first of a map in a list stands after the dash.
    const isFirst = index === 0 && /-\s*$/.test(contentOf(span(own.text, lineStart(own), own.start)));
    return removed(own, isFirst ? next?.start : undefined);
  }
  if (next) return removed(own, next.start);
  return before && removed(span(own.text, before.end, own.end), own.end);
}
