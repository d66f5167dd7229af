import { markdownBlocks } from '../source/markdown.ts';
import type { Json, Mapping, Node } from '../source/node.ts';
import { type Span, type Text, text } from '../source/text.ts';
import type { Source } from '../specification/read.ts';
import { type Address, inTree, type Part, steps } from '../specification/reading/address.ts';
import { headings, outline } from '../specification/reading/document.ts';
import { isOpenMarker } from '../specification/reading/said.ts';
import { written } from './written.ts';

/** A change to one text: the characters from `start` to `end` (UTF-16 code units, exclusive) become `text`. */
export interface Edit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The notation of the place in which a value is put. */
type Style = 'block' | 'flow' | 'json';

/**
 * How a document is edited so that it states a value at an address. All else keeps its letters. Whether the document is
 * right with it is for the reader to say.
 *
 * @param sources the document, or the documents of a folder
 * @returns null: there is no such place, such as beside a list, or where a shorthand stands
 */
export function answered(sources: readonly Source[], address: Address, value: Json): Edit | null {
  const path = steps(address);
  if (path === undefined || path.at(-1) === '*') return null;
  const texts = sources.map(({ file, content }) => text(file, content));
  const { tree, places } = outline(texts);
  const [part] = path;
  const here = tree.entries.get(String(part))?.value;
  if (here === undefined) return asPart(texts, places.get(part as Part), path, value);
  const outer = /\.json$/i.test(here.span.text.file) ? 'json' : 'block';
  return within(here, inTree(tree, path).slice(1), value, outer);
}

/** Follows the steps as far as something is written, and puts the rest there. */
function within(here: Node, path: readonly (string | number)[], value: Json, outer: Style): Edit | null {
  const [name, ...further] = path;
  const style = styleIn(here, outer);
  if (name === undefined || isEmpty(here)) return replaced(here, nested(path, value), outer);
  if (here.kind === 'list')
    return typeof name === 'number' && here.items[name]
      ? within(here.items[name], further, value, style)
      : null;
  if (here.kind !== 'map') return null;
  const entry = here.entries.get(String(name));
  if (entry) return within(entry.value, further, value, style);
  return typeof name === 'number' ? null : added(here, name, nested(further, value), style);
}

/** In which notation the members of a value stand: JSON in JSON, and within braces or brackets flow. */
function styleIn({ span: { text: of, start } }: Node, outer: Style): Style {
  if (outer !== 'block') return outer;
  return /[{[]/.test(of.content[start] ?? '') ? 'flow' : 'block';
}

/** Whether nothing is stated there: `(open)`, or a key without a value. */
function isEmpty(here: Node): boolean {
  return (
    isOpenMarker(here) || (here.kind === 'scalar' && here.value === null && here.span.start === here.span.end)
  );
}

function nested(path: readonly (string | number)[], value: Json): Json {
  return path.reduceRight<Json>((inner, name) => ({ [String(name)]: inner }), value);
}

function replaced({ span }: Node, value: Json, style: Style): Edit {
  const { content, file } = span.text;
  // A key without a value ends in a colon, and its value begins after a space.
  const gap = span.start === span.end && content[span.start - 1] === ':' ? ' ' : '';
  return { file, start: span.start, end: span.end, text: `${gap}${written(value, style)}` };
}

function added({ span, entries }: Mapping, name: string, value: Json, style: Style): Edit | null {
  const last = [...entries.values()].at(-1);
  if (last === undefined)
    return {
      file: span.text.file,
      start: span.start,
      end: span.end,
      text: written({ [name]: value }, style),
    };
  const of = last.key.text;
  const entry = `${written(name, style, true)}: ${written(value, style)}`;
  const end = endOf(last.value, last.key.end);
  if (style !== 'block') return { file: of.file, start: end, end, text: `, ${entry}` };
  const start = of.content.lastIndexOf('\n', last.key.start - 1) + 1;
  const indent = of.content.slice(start, last.key.start).replaceAll(/[^\s>]/g, ' ');
  const after = lineEnd(of.content, end);
  return { file: of.file, start: after, end: after, text: `${breakOf(of)}${indent}${entry}` };
}

/**
 * Where a value ends, without the white space after it; of a key without a value, after the colon. What the reader takes
 * for the end of a block may lie behind the fence.
 */
export function endOf({ span }: Node, from: number): number {
  const own = span.text.content.slice(from, Math.max(from, span.end));
  return from + own.replace(/\n[ \t>]*(?:`{3,}|~{3,})\s*$/, '').trimEnd().length;
}

function lineEnd(content: string, from: number): number {
  const end = /\r?\n|$/g;
  end.lastIndex = from;
  return end.exec(content)?.index ?? content.length;
}

function breakOf({ content }: Text): string {
  return content.includes('\r\n') ? '\r\n' : '\n';
}

/** A part of which nothing is stated yet: a block under its heading, or its key. */
function asPart(
  texts: readonly Text[],
  place: Span | undefined,
  path: readonly (string | number)[],
  value: Json,
): Edit | null {
  const of = place?.text ?? texts[0];
  if (of === undefined) return null;
  const [part, ...further] = path;
  const inner = nested(further, value);
  const { content, file } = of;
  const line = breakOf(of);
  if (/\.json$/i.test(file)) return null;
  if (/\.ya?ml$/i.test(file)) {
    const gap = content === '' || content.endsWith('\n') ? '' : line;
    const shown = `${gap}${part}:${line}${block(inner, '  ', line)}`;
    return { file, start: content.length, end: content.length, text: shown };
  }
  const fence = `\`\`\`yaml${line}${block(inner, '', line)}\`\`\`${line}`;
  if (place === undefined || place.end === 0) {
    const gap = content.endsWith('\n') ? line : `${line}${line}`;
    const shown = `${gap}## ${headings[part as Part]}${line}${line}${fence}`;
    return { file, start: content.length, end: content.length, text: shown };
  }
  const end = endOfSection(of, place.end);
  const shown = `${line}${line}${fence}`;
  // The line that ends the section ends the block.
  return { file, start: end, end, text: end < content.length ? shown.trimEnd() : shown };
}

/** Members on a line each; another value on one. */
function block(value: Json, indent: string, line: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${indent}${written(value, 'block')}${line}`;
  return Object.entries(value)
    .map(([name, member]) => `${indent}${written(name, 'block', true)}: ${written(member, 'block')}${line}`)
    .join('');
}

/** Where the text of a section ends: before the next heading that is as high, without the white space before it. */
export function endOfSection(of: Text, from: number): number {
  const next = markdownBlocks(of).find(
    (block) => block.kind === 'heading' && block.level <= 2 && block.span.start >= from,
  );
  const end = next?.span.start ?? of.content.length;
  return from + of.content.slice(from, end).trimEnd().length;
}

/** The content of the edited text. */
export function edited(sources: readonly Source[], edit: Edit): string {
  const source = sources.find(({ file }) => file === edit.file);
  if (source === undefined) throw new RangeError(`${edit.file} is none of the texts`);
  return `${source.content.slice(0, edit.start)}${edit.text}${source.content.slice(edit.end)}`;
}
