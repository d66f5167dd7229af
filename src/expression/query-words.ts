import {
  field,
  keyIndex,
  type Node,
  type Parameter,
  type Path,
  type Source,
  type Table,
  type ValueKind,
} from './query.ts';

/** A condition that each word of a parameter begins a word of some fields of a row (language §G.4, `matches`). */
export interface WordSearch {
  readonly wanted: Parameter;
  readonly of: Source & { readonly table: Table };
  /** In an order that does not hang on that of the condition. */
  readonly fields: readonly WordField[];
}

export interface WordField {
  readonly path: Path;
  readonly type: ValueKind;
}

/** Null where a condition is another, or looks for the words elsewhere too. */
export function wordSearchOf(node: Node): WordSearch | null {
  if (node.kind !== 'call' || node.name !== 'matches') return null;
  const [wanted, ...texts] = node.args;
  const of = texts[0]?.kind === 'field' ? texts[0].of : null;
  if (wanted?.kind !== 'parameter' || of === null || !('table' in of)) return null;
  const fields = texts.flatMap((text) =>
    text.kind === 'field' && text.of === of && mayHoldWords(text)
      ? [{ path: text.path, type: text.type }]
      : [],
  );
  if (fields.length < texts.length) return null;
  return { wanted, of, fields: fields.toSorted((a, b) => (written(a) < written(b) ? -1 : 1)) };
}

/** What a statement reads of a row for an index of words. */
export function wordsRead(of: Source, fields: readonly WordField[]): readonly Node[] {
  return fields.map(({ path, type }) => field(of, path, type));
}

/** A member may; a field of the key does if it is a text. */
function mayHoldWords({ of, path, type }: Node & { readonly kind: 'field' }): boolean {
  return type === 'text' || keyIndex(of, path) === -1;
}

function written({ path, type }: WordField): string {
  return JSON.stringify([path, type]);
}
