import MarkdownIt from 'markdown-it';
import { markPattern } from './clarification.ts';
import { lineLength, type Span, span, type Text } from './text.ts';

/** The blocks of a Markdown document (CommonMark) that a specification is read from (language §A.1). */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly title: string; readonly span: Span }
  | { readonly kind: 'yaml'; readonly source: Embedded; readonly span: Span }
  /** A fence that names no language. */
  | { readonly kind: 'unnamed'; readonly source: Embedded; readonly span: Span }
  /** A mark in prose (`clarification.ts`); none in code. */
  | { readonly kind: 'question'; readonly question: string; readonly span: Span };

/** A text that stands within another one, possibly indented or quoted there. */
export interface Embedded {
  readonly content: string;
  /** The place in the surrounding text of an offset in `content`. */
  readonly locate: (start: number, end: number) => Span;
}

let parser: InstanceType<typeof MarkdownIt> | undefined;

export function markdownBlocks(of: Text): Block[] {
  if (parser === undefined) {
    parser = new MarkdownIt('commonmark');
    parser.core.ruler.enableOnly(['normalize', 'block']);
  }
  const blocks: Block[] = [];
  // A byte order mark would hide the first heading, and a zero would be replaced by a sound character
  // (CommonMark §2.3); a space, and another control character, in their places move no column.
  const content = of.content.replace(/^\uFEFF/, ' ').replaceAll('\0', '\u0001');
  const tokens = parser.parse(content, {});
  for (const [index, token] of tokens.entries()) {
    if (token.map === null) continue;
    const [first, end] = token.map;
    if (token.type === 'heading_open' && token.level === 0) {
      const length = lineLength(of, first + 1);
      const start = of.lineStarts[first] as number;
      const title = tokens[index + 1]?.content.trim() ?? '';
      blocks.push({
        kind: 'heading',
        level: Number(token.tag.slice(1)),
        title,
        span: span(of, start, start + length),
      });
    } else if (token.type === 'inline') {
      const start = of.lineStarts[first] as number;
      const written = content.slice(start, of.lineStarts[end] ?? content.length);
      for (const { index, 0: mark, 1: question = '' } of written.matchAll(markPattern))
        if (written[index - 1] !== '`')
          blocks.push({
            kind: 'question',
            question: question.trim(),
            span: span(of, start + index, start + index + mark.length),
          });
    } else if (token.type === 'fence' && /^(?:ya?ml(?:\s|$)|$)/i.test(token.info.trim())) {
      const start = of.lineStarts[first] as number;
      const stop = of.lineStarts[end] ?? of.content.length;
      blocks.push({
        kind: token.info.trim() === '' ? 'unnamed' : 'yaml',
        source: fenced(of, token.content, first + 1),
        span: span(of, start, stop),
      });
    }
  }
  return blocks;
}

/** A whole text as an embedded one: a YAML or JSON file. */
export function whole(of: Text): Embedded {
  const content = of.content.replace(/^\uFEFF/, '');
  const shift = of.content.length - content.length;
  return { content, locate: (start, end) => span(of, start + shift, end + shift) };
}

/**
 * A fence may be indented, or stand in a list or a quotation, so its lines are the ends of the document's
 * lines: what a line lacks at its beginning is how far its columns are shifted.
 */
function fenced(of: Text, content: string, firstLine: number): Embedded {
  const starts = [0];
  for (let i = content.indexOf('\n'); i !== -1; i = content.indexOf('\n', i + 1)) starts.push(i + 1);
  const outer = (offset: number): number => {
    let line = 0;
    let high = starts.length - 1;
    while (line < high) {
      const middle = (line + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) line = middle;
      else high = middle - 1;
    }
    const start = starts[line] as number;
    const end = starts[line + 1] === undefined ? content.length : (starts[line + 1] as number) - 1;
    const outerLine = firstLine + line;
    const outerStart = of.lineStarts[outerLine];
    if (outerStart === undefined) return of.content.length;
    // Negative where a tab of the document was written out as spaces.
    const shift = lineLength(of, outerLine + 1) - (end - start);
    return Math.min(outerStart + Math.max(0, shift + (offset - start)), of.content.length);
  };
  return { content, locate: (start, end) => span(of, outer(start), outer(end)) };
}
