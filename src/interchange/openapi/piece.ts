import { type Json, json, type Mapping, mapping, type Node, scalar, setMember } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Place } from './place.ts';

/** A part of the document that is made of a description, with the place in the description that it comes from. */
export type Piece = Leaf | Branch | Listed;

/** An object of the description whose extensions say more of a piece, each `x-tacet-`, the prefix, and the name of an entry. */
export interface Host {
  readonly place: Place;
  readonly prefix: string;
}

interface Leaf {
  readonly at: Span;
  readonly value: Json;
  readonly host?: Host;
}

export interface Branch {
  readonly at: Span;
  readonly entries: ReadonlyMap<string, Piece>;
  readonly host?: Host;
}

/** A list whose elements have places of their own. */
interface Listed {
  readonly at: Span;
  readonly items: readonly Piece[];
  readonly host?: Host;
}

export function listed(items: readonly Piece[], at: Span): Piece {
  return { at, items };
}

export function leaf(value: Json, at: Span): Piece {
  return { at, value };
}

/** A map of what is there: entries that are undefined are left out. */
export function branch(at: Span, entries: Readonly<Record<string, Piece | undefined>>): Branch {
  const there = Object.entries(entries).filter((entry): entry is [string, Piece] => entry[1] !== undefined);
  return { at, entries: new Map(there) };
}

/** The piece, with the object whose extensions say more of it. */
export function hosted(piece: Piece, place: Place, prefix = ''): Piece {
  return { ...opened(piece), host: { place, prefix } };
}

/** A map as a branch: its entries can be said anew one by one. */
export function opened(piece: Piece): Piece {
  if (!('value' in piece)) return piece;
  const { value, ...rest } = piece;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return piece;
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, leaf(inner as Json, piece.at)] as const,
  );
  return { ...rest, entries: new Map(entries) };
}

/** The piece that a value of the description is, as it stands there. */
export function pieceOf(node: Node): Piece {
  if (node.kind !== 'map') return leaf(json(node), node.span);
  const entries = [...node.entries].map(([name, { value }]) => [name, pieceOf(value)] as const);
  return { at: node.span, entries: new Map(entries) };
}

export function jsonOf(piece: Piece): Json {
  if ('value' in piece) return piece.value;
  if ('items' in piece) return piece.items.map(jsonOf);
  const members: Record<string, Json> = {};
  for (const [name, inner] of piece.entries) setMember(members, name, jsonOf(inner));
  return members;
}

/** The piece as the reader of specifications takes it: whatever it says of a value, it says of the place it comes from. */
export function nodeOf(piece: Piece, spanOf: (piece: Piece) => Span = ({ at }) => at): Node {
  const at = spanOf(piece);
  if ('value' in piece) return valueNode(piece.value, at);
  if ('items' in piece)
    return { kind: 'list', items: piece.items.map((item) => nodeOf(item, spanOf)), span: at };
  return branchNode(piece, at, spanOf);
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
  const map = opened(piece);
  if (name === undefined || 'value' in map) return piece;
  if ('items' in map)
    return {
      ...map,
      items: map.items.map((item, at) => (String(at) === name ? without(item, further) : item)),
    };
  const inner = map.entries.get(name);
  if (inner === undefined) return piece;
  const entries = new Map(map.entries);
  if (further.length === 0) entries.delete(name);
  else entries.set(name, without(inner, further));
  return { ...map, entries };
}
