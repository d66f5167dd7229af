import type { Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Address } from './address.ts';

/** What the document says at a point: a value, one of the markers, or nothing (language §B). */
export type Said<T> = Stated<T> | Nothing | Anything | Open;

interface Point {
  readonly address: Address;
  /** Where it is said; for an open point, where it could be. */
  readonly at: Span;
}

export interface Stated<T> extends Point {
  readonly kind: 'stated';
  readonly value: T;
  /** It comes from the ledger of assumptions, not from the document (language §A.6). */
  readonly assumed: boolean;
}

/** `(none)`: stated to be nothing. */
export interface Nothing extends Point {
  readonly kind: 'none';
  readonly assumed: boolean;
}

/** `(any)`: stated to be free; the service picks (language §F.1). */
export interface Anything extends Point {
  readonly kind: 'any';
  readonly assumed: boolean;
}

/** Nothing was said, or `(open)` with or without a question. */
export interface Open extends Point {
  readonly kind: 'open';
  readonly question: string | null;
  /** Somebody asks: `(open)` stands there. */
  readonly asked?: true;
}

/** Whether `(open)` stands there, so that nothing may be taken for granted, whatever follows from silence. */
export function isAsked(said: Said<unknown>): boolean {
  return said.kind === 'open' && said.asked === true;
}

/** The stated value; undefined where there is none to go by. */
export function stated<T>(said: Said<T> | undefined): T | undefined {
  return said?.kind === 'stated' ? said.value : undefined;
}

export function isSaid<T>(said: Said<T>): said is Stated<T> | Nothing | Anything {
  return said.kind !== 'open';
}

export type Marker =
  | { readonly kind: 'open'; readonly question: string | null; readonly asked: true }
  | { readonly kind: 'none' }
  | { readonly kind: 'any' };

/** The marker that a text is, if it is one: `(open)`, `(open) a question`, `(none)`, `(any)` (language §B). */
export function marker(text: unknown): Marker | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (!trimmed.startsWith('(')) return undefined;
  if (trimmed === '(none)') return { kind: 'none' };
  if (trimmed === '(any)') return { kind: 'any' };
  const open = /^\(open\)(?:\s+(.+))?$/s.exec(trimmed);
  return open ? { kind: 'open', question: open[1] ?? null, asked: true } : undefined;
}

export function isMarker(node: Node): boolean {
  return node.kind === 'scalar' && marker(node.value) !== undefined;
}

export function isOpenMarker(node: Node): boolean {
  return node.kind === 'scalar' && marker(node.value)?.kind === 'open';
}
