import type { Label } from '../../expression/query.ts';
import type { Row, Told } from './rows.ts';

/** Makes a row of columns, from one of them on; null where there is none. */
export type ReadRow = (columns: readonly unknown[], first: number) => Row | null;

/** Makes what was told with a row of the columns of it, from one of them on. */
export type ReadTold = (columns: readonly unknown[], first: number) => unknown;

/** What was told with a row, made as it is asked for. */
export class ToldBy implements Told {
  readonly #readers: ReadonlyMap<Label, ReadTold>;
  readonly #columns: readonly unknown[];
  readonly #first: number;

  constructor(readers: ReadonlyMap<Label, ReadTold>, columns: readonly unknown[], first: number) {
    this.#readers = readers;
    this.#columns = columns;
    this.#first = first;
  }

  get(label: Label): unknown {
    return this.#readers.get(label)?.(this.#columns, this.#first);
  }
}
