import { markdownBlocks } from '../source/markdown.ts';
import { text } from '../source/text.ts';
import { type Part, parts } from '../specification/reading/address.ts';
import { headings } from '../specification/reading/document.ts';

/** Where somebody types, in a text that need not be whole. */
export interface Here {
  /** The keys that lead to it from the top of the document, and the places in lists. */
  readonly path: readonly (string | number)[];
  /** Whether a key is typed there, or the value of the last key of the path. */
  readonly at: 'key' | 'value';
  /** Offset at which the word begins that is typed. */
  readonly from: number;
}

/**
 * The place of an offset (UTF-16 code units) among statements, also where they cannot be read yet. Null: it is in prose.
 *
 * @param file its ending tells Markdown from YAML and JSON
 */
export function hereIn(file: string, content: string, offset: number): Here | null {
  if (/\.(ya?ml|json)$/i.test(file)) return hereAmong(content, 0, offset, []);
  let part: Part | null = null;
  for (const block of markdownBlocks(text(file, content))) {
    if (block.span.start > offset) break;
    if (block.kind === 'heading' && block.level <= 2) part = block.level === 2 ? partOf(block.title) : null;
    if (block.kind !== 'yaml' || offset > block.span.end) continue;
    const begin = content.indexOf('\n', block.span.start) + 1;
    if (offset < begin) return null;
    return hereAmong(content, begin, offset, part === null ? [] : [part]);
  }
  return null;
}

function partOf(title: string): Part | null {
  const plain = title.trim().toLowerCase();
  return parts.find((one) => one === plain || headings[one].toLowerCase() === plain) ?? null;
}

/** A key on the way, by the column at which it stands; in braces, by how deep. */
interface Frame {
  readonly column: number;
  name: string | number | null;
}

/** Reads the lines before an offset: what is indented less leads to what is indented more. */
function hereAmong(content: string, begin: number, offset: number, path: Here['path']): Here {
  const lines = content.slice(begin, offset).split('\n');
  const blocks: Frame[] = [];
  let flow: Frame[] = [];
  let isValue = false;
  for (const line of lines) {
    const bare = line.replace(/^[ >]*/, '');
    if (flow.length === 0) {
      let column = line.length - bare.length;
      let rest = bare;
      if (bare === '' || bare.startsWith('#')) {
        // Only the line of the cursor says by itself how deep one is.
        if (line !== lines.at(-1)) continue;
      }
      while (blocks.length > 0 && (blocks.at(-1) as Frame).column >= column) blocks.pop();
      for (let item = /^-(?:\s+|$)/.exec(rest); item; item = /^-(?:\s+|$)/.exec(rest)) {
        blocks.push({ column, name: 0 });
        column += item[0].length;
        rest = rest.slice(item[0].length);
      }
      const key =
        /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#{}[\],][^:#{}[\]]*(?:\{[^}]*\}[^:#]*)?)\s*:(?=\s|$)/.exec(rest);
      isValue = key !== null;
      if (key) {
        blocks.push({ column, name: unquoted(key[1] as string) });
        rest = rest.slice(key[0].length);
      }
      [flow, isValue] = inFlow(rest, [], isValue);
    } else [flow, isValue] = inFlow(` ${bare}`, flow, isValue);
  }
  const names = [...blocks, ...flow].flatMap(({ name }) => (name === null ? [] : [name]));
  const word = /[^\s{}[\],:]*(?: \/[^\s{}[\],:]*)?$/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  return { path: [...path, ...names], at: isValue ? 'value' : 'key', from: offset - word.length };
}

/** Goes through what stands within braces and brackets. Whether a value is typed at its end comes with it. */
function inFlow(line: string, before: readonly Frame[], wasValue: boolean): [Frame[], boolean] {
  const frames = before.map((one) => ({ ...one }));
  let isValue = wasValue;
  let word = '';
  let quote = '';
  for (const [index, character] of [...line].entries()) {
    if (quote !== '') {
      if (character === quote) quote = '';
      word += character;
      continue;
    }
    const top = frames.at(-1);
    switch (character) {
      case '"':
      case "'":
        quote = character;
        word += character;
        break;
      case '{':
        frames.push({ column: 0, name: null });
        [isValue, word] = [false, ''];
        break;
      case '[':
        frames.push({ column: 0, name: 0 });
        [isValue, word] = [true, ''];
        break;
      case '}':
      case ']':
        frames.pop();
        [isValue, word] = [true, ''];
        break;
      case ',':
        if (top && typeof top.name === 'string') top.name = null;
        if (top) isValue = typeof top.name === 'number';
        word = '';
        break;
      case ':':
        if (top && typeof top.name !== 'number' && /^\s|^$/.test(line.slice(index + 1))) {
          top.name = unquoted(word.trim());
          isValue = true;
          word = '';
        } else word += character;
        break;
      case '#':
        if (/\s$/.test(word) || word === '') return [frames, isValue];
        word += character;
        break;
      default:
        word += character;
    }
  }
  return [frames, isValue];
}

function unquoted(word: string): string {
  return /^".*"$|^'.*'$/.test(word) ? word.slice(1, -1) : word;
}
