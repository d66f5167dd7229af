import { type Json, type Mapping, mapping, type Node, scalar, setMember } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';

/** A part of the document that is made of a description, with the place in the description that it comes from. */
export type Piece = Leaf | Branch;

interface Leaf {
  readonly at: Span;
  readonly value: Json;
}

export interface Branch {
  readonly at: Span;
  readonly entries: ReadonlyMap<string, Piece>;
}

export function leaf(value: Json, at: Span): Piece {
  return { at, value };
}

/** A map of what is there: entries that are undefined are left out. */
export function branch(at: Span, entries: Readonly<Record<string, Piece | undefined>>): Branch {
  const there = Object.entries(entries).filter((entry): entry is [string, Piece] => entry[1] !== undefined);
  return { at, entries: new Map(there) };
}

export function jsonOf(piece: Piece): Json {
  if ('value' in piece) return piece.value;
  const members: Record<string, Json> = {};
  for (const [name, inner] of piece.entries) setMember(members, name, jsonOf(inner));
  return members;
}

/** The piece as the reader of specifications takes it: whatever it says of a value, it says of the place it comes from. */
export function nodeOf(piece: Piece, spanOf: (piece: Piece) => Span = ({ at }) => at): Node {
  const at = spanOf(piece);
  return 'value' in piece ? valueNode(piece.value, at) : branchNode(piece, at, spanOf);
}

function branchNode({ entries }: Branch, at: Span, spanOf: (piece: Piece) => Span): Mapping {
  return mapping(
    [...entries].map(([name, inner]) => {
      const value = nodeOf(inner, spanOf);
      return [name, { key: value.span, value }] as const;
    }),
    at,
  );
}

function valueNode(value: Json, at: Span): Node {
  if (Array.isArray(value))
    return { kind: 'list', items: value.map((item) => valueNode(item, at)), span: at };
  if (typeof value !== 'object' || value === null) return scalar(value as string, at);
  return mapping(
    Object.entries(value as Record<string, Json>).map(([name, inner]) => [
      name,
      { key: at, value: valueNode(inner, at) },
    ]),
    at,
  );
}

/** The piece without the entry at a path; itself, if there is none. */
export function without(piece: Piece, path: readonly string[]): Piece {
  const [name, ...further] = path;
  if (name === undefined || 'value' in piece) return piece;
  const inner = piece.entries.get(name);
  if (inner === undefined) return piece;
  const entries = new Map(piece.entries);
  if (further.length === 0) entries.delete(name);
  else entries.set(name, without(inner, further));
  return { ...piece, entries };
}
