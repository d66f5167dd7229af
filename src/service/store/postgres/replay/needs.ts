import type { Key, Row, Statement } from '../../store.ts';

/** A statement as it is sent: prepared on each connection when it is first sent there. */
export interface Sent {
  readonly name: string;
  readonly text: string;
}

/** What is asked, and how its answer is read. */
export interface Asked {
  readonly statement: Sent;
  readonly bound: readonly unknown[];
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
  | { readonly error: unknown };

/** What there is to ask of a statement; throws where a parameter could not be worked out. */
export type Asking = (
  statement: Statement,
  gives: 'rows' | 'value',
  parameters: readonly unknown[],
) => Need & { kind: 'ask' };
