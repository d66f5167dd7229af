import { get, type Mapping, mapping, type Node, type Scalar } from '../../source/node.ts';
import { type Span, span } from '../../source/text.ts';
import { find, replaced, steps } from '../reading/address.ts';
import type { Outline } from '../reading/document.ts';
import type { Edit } from './edits.ts';

/** A word that this language had once, where a document still says it. */
export interface Removal {
  readonly at: Span;
  /** The word, as a message names it. */
  readonly word: string;
  /** What to write instead. */
  readonly instead: string;
  /** What writes it; null where only the author can. */
  readonly edits: readonly Edit[] | null;
}

/** Where a finder looks: a document, or one statement of an older version, laid into a tree of its own. */
export interface Site {
  readonly tree: Mapping;
  readonly head: Mapping | undefined;
  /** The whole document, for what a statement of an older version depends on. */
  readonly whole: Mapping;
  /** Where the statement of an older version stands: its address is the author's to change. */
  readonly within?: Span;
}

export type Finder = (site: Site) => readonly Removal[];

/** A removal whose edits all must be possible. */
export function removal(
  at: Span,
  word: string,
  instead: string,
  edits: readonly (Edit | undefined)[] | null,
): Removal {
  const possible = edits?.flatMap((one) => one ?? []) ?? [];
  return { at, word, instead, edits: edits && possible.length === edits.length ? possible : null };
}

/** The document, and each difference of an older version as a tree (language §9.3). */
export function sites({ tree, head }: Pick<Outline, 'tree' | 'head'>): Site[] {
  const versions = entriesOf(find(tree, ['versioning', 'versions']));
  const older = versions.flatMap(([, version]) =>
    entriesOf(get(version, 'differs')).flatMap(([address, value, key]) => {
      const path = steps(address);
      const laid = path && replaced(mapping([], key), path, value, key);
      return laid?.kind === 'map' ? [{ tree: laid, head: undefined, whole: tree, within: value.span }] : [];
    }),
  );
  return [{ tree, head, whole: tree }, ...older];
}

/** The entries of a map: name, value, and the place of the name. */
export function entriesOf(node: Node | undefined): (readonly [string, Node, Span])[] {
  return node?.kind === 'map'
    ? [...node.entries].map(([name, { key, value }]) => [name, value, key] as const)
    : [];
}

/** The place of an entry, from its key to the end of its value. */
export function spanOf(map: Mapping, name: string): Span {
  const { key, value } = map.entries.get(name) as { key: Span; value: Node };
  return span(key.text, key.start, Math.max(key.end, value.span.end));
}

/** Every scalar in a node. */
export function scalars(node: Node | undefined): Scalar[] {
  if (node?.kind === 'list') return node.items.flatMap(scalars);
  if (node?.kind === 'map') return [...node.entries.values()].flatMap(({ value }) => scalars(value));
  return node ? [node] : [];
}
