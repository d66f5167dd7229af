import type { Mapping, Node } from '../source/node.ts';
import { text } from '../source/text.ts';
import type { Source } from '../specification/read.ts';
import { outline } from '../specification/reading/document.ts';
import { saidOf } from './completion.ts';
import { keysNamed } from './vocabulary.ts';

/** What the reference says of the key at an offset. */
export interface Hover {
  /** Where the key stands (UTF-16 code units), the second exclusive. */
  readonly start: number;
  readonly end: number;
  readonly title: string;
  /** In paragraphs. */
  readonly says: readonly string[];
}

/** What the reference says of the key of the language at an offset of one of the texts. Null: there is none. */
export function hover(sources: readonly Source[], file: string, offset: number): Hover | null {
  const { tree, head } = outline(sources.map(({ file: name, content }) => text(name, content)));
  for (const map of [tree, ...(head ? [head] : [])]) {
    const found = keyAt(map, [], file, offset);
    if (found === null) continue;
    const about = keysNamed(found.path).find((key) => key.about)?.about;
    if (about === undefined) return null;
    const name = String(found.path.at(-1));
    return { start: found.start, end: found.end, title: `${name} (§${about.section})`, says: saidOf(about) };
  }
  return null;
}

interface Found {
  readonly path: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
}

function keyAt(map: Mapping, path: Found['path'], file: string, offset: number): Found | null {
  for (const [name, { key, value }] of map.entries) {
    const here = [...path, name];
    const isHere = key.text.file === file && key.start <= offset && offset < key.end;
    // The key of a part in Markdown is its heading, of which the prose says enough.
    if (isHere && key.text.content.slice(key.start, key.end).includes(name))
      return { path: here, start: key.start, end: key.end };
    const inner = within(value, here, file, offset);
    if (inner) return inner;
  }
  return null;
}

function within(node: Node, path: Found['path'], file: string, offset: number): Found | null {
  if (node.kind === 'map') return keyAt(node, path, file, offset);
  if (node.kind !== 'list') return null;
  for (const [index, item] of node.items.entries()) {
    const found = within(item, [...path, index], file, offset);
    if (found) return found;
  }
  return null;
}
