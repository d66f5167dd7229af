import type { Span, Use } from './text.ts';

/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/**
 * A value as it was written: YAML or JSON, with its place. Maps keep the order and the place of their keys.
 * `assumed` marks what came from the ledger and not from the document (language §A.6).
 */
export type Node = Scalar | List | Mapping;

interface Placed {
  readonly span: Span;
  readonly assumed?: true;
}

export interface Scalar extends Placed {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The characters as written, for where text is expected: `1.10` stays `1.10` (language §A.4). */
  readonly written: string;
  /** Offset in `span.text` at which the characters of `written` begin; null where they are escaped or folded. */
  readonly from: number | null;
  /** Where the characters of its value stand, piece by piece, where they were put together (language §E.19). */
  readonly pieces?: readonly Piece[];
}

/** Some characters of a text, and where they stand in the value of another. */
export interface Piece {
  readonly text: string;
  readonly node: Scalar;
  readonly at: number;
  readonly used: Use | null;
}

export interface List extends Placed {
  readonly kind: 'list';
  readonly items: readonly Node[];
}

export interface Mapping extends Placed {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  readonly key: Span;
  readonly value: Node;
}

export function scalar(value: Scalar['value'], span: Span, assumed?: true): Scalar {
  return { kind: 'scalar', value, written: String(value), from: null, span, ...(assumed && { assumed }) };
}

export function mapping(entries: Iterable<readonly [string, Entry]>, span: Span, assumed?: true): Mapping {
  return { kind: 'map', entries: new Map(entries), span, ...(assumed && { assumed }) };
}

/** The node of one key, or undefined where the map (or the node) has no such key. */
export function get(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined;
}

/** A copy of a map in which one key has this value, in its old place or at the end. */
export function put(map: Mapping, key: string, value: Node, keySpan?: Span): Mapping {
  const entries = new Map(map.entries);
  entries.set(key, { key: entries.get(key)?.key ?? keySpan ?? value.span, value });
  return { ...map, entries };
}

/** A copy of a map without one key. */
export function drop(map: Mapping, key: string): Mapping {
  const entries = new Map(map.entries);
  entries.delete(key);
  return { ...map, entries };
}

/** Visits every scalar within a value. */
export function eachScalar(node: Node, visit: (scalar: Scalar) => void): void {
  if (node.kind === 'scalar') visit(node);
  else if (node.kind === 'list') for (const item of node.items) eachScalar(item, visit);
  else for (const { value } of node.entries.values()) eachScalar(value, visit);
}

/** The value without its places. A member named `__proto__` becomes an own member like any other. */
export function json(node: Node): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(json);
    case 'map': {
      const value: Record<string, Json> = {};
      for (const [key, entry] of node.entries) setMember(value, key, json(entry.value));
      return value;
    }
  }
}

/** A member of an object; null if it has none of its own of this name, such as `constructor`. */
export function ownMember<V>(object: { readonly [name: string]: V }, name: string): V | null {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** Sets an own member, whatever its name: plain assignment would take `__proto__` for the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/** A node for a JSON value that stands nowhere of its own: everything in it is placed at `span`. */
export function node(value: Json, span: Span, assumed?: true): Node {
  const mark = assumed && { assumed };
  if (Array.isArray(value))
    return { kind: 'list', items: value.map((item: Json) => node(item, span, assumed)), span, ...mark };
  if (value !== null && typeof value === 'object')
    return mapping(
      Object.entries(value as Record<string, Json>).map(([key, item]) => [
        key,
        { key: span, value: node(item, span, assumed) },
      ]),
      span,
      assumed,
    );
  return scalar(value as Scalar['value'], span, assumed);
}
