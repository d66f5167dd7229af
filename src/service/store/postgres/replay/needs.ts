import type { Texts } from '../../rows.ts';
import type { Key, Row, Statement } from '../../store.ts';

/** A statement as it is sent: prepared on each connection when it is first sent there. */
export interface Sent {
  readonly name: string;
  readonly text: string;
}

/** A part of a statement, in which what is bound is numbered by itself. */
export interface Part {
  readonly sql: string;
  readonly bound: readonly unknown[];
}

/** What is asked, and how its answer is read. */
export interface Asked {
  readonly statement: Sent;
  readonly bound: readonly unknown[];
  readonly gives: 'rows' | 'value' | 'texts';
  /** How many columns its rows have. */
  readonly width: number;
  readonly gave: (rows: readonly (readonly unknown[])[]) => Gave;
}

/** What is to be fetched before a pass can go on. */
export type Need =
  | { readonly kind: 'find'; readonly table: string; readonly key: Key; readonly name: string }
  | { readonly kind: 'ask'; readonly name: string; readonly asked: Asked };

/** What a query gave, or why it could not be worked out. */
export type Gave =
  | { readonly rows: readonly Row[] }
  | { readonly value: unknown }
  | { readonly texts: Texts }
  | { readonly error: unknown };

/** What there is to ask of a statement; throws where a parameter could not be worked out. */
export type Asking = (
  statement: Statement,
  gives: 'rows' | 'value' | 'texts',
  parameters: readonly unknown[],
) => Need & { kind: 'ask' };
