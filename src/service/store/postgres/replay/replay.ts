import type { Texts } from '../../rows.ts';
import type { Key, Reads, Row, Store, Transaction } from '../../store.ts';
import type { Asking, Gave, Need } from './needs.ts';

/** Thrown where a pass lacks what it reads: it ends, and another begins once that is known. */
const lacking = new Error('this is not known yet');

/** One run of a plan or a look over what is known by now. */
export interface Pass extends Transaction {
  readonly taken: Taken;
  /** What it lacks; as long as there is anything, whatever it comes to does not count. */
  readonly lacks: Need[];
}

/** The values that the passes of one plan or look have taken of sources such as the clock, each in order. */
export class Taken {
  readonly #values = new Map<unknown, unknown[]>();
  #next = new Map<unknown, number>();

  /** Forgets the values of some sources, so that they are asked anew. */
  forget(sources: Iterable<unknown>): void {
    for (const source of sources) this.#values.delete(source);
  }
  /** Begins another pass, which is given the same values. */
  again(): void {
    this.#next = new Map();
  }
  take<A extends readonly unknown[], T>(source: (...given: A) => T, given: A): T {
    const values = this.#values.get(source) ?? [];
    this.#values.set(source, values);
    const next = this.#next.get(source) ?? 0;
    this.#next.set(source, next + 1);
    if (next === values.length) values.push(source(...given));
    return values[next] as T;
  }
}

/** Runs plans and looks, one pass at a time. */
export interface Replay {
  /** What plans and looks read and write by: the pass under way. */
  readonly tx: Transaction;
  readonly steady: Store['steady'];
  /** Has the sources of the time give it anew. */
  readonly forgetTimes: (taken: Taken) => void;
  /** What a pass comes to; null where it lacks something. Throws what it throws. */
  readonly run: <T>(pass: Pass, act: (tx: Transaction) => T) => { readonly value: T } | null;
}

export function replaying(): Replay {
  let current: Pass | null = null;
  const times: unknown[] = [];
  const under = (): Pass => {
    if (current === null) throw new TypeError('what is kept can be read in a plan or a look alone');
    return current;
  };
  const tx: Transaction = {
    find: (table, key) => under().find(table, key),
    rows: (statement, parameters) => under().rows(statement, parameters),
    texts: (statement, parameters) => (under().texts as TextsOf)(statement, parameters),
    value: (statement, parameters) => under().value(statement, parameters),
    insert: (table, row) => under().insert(table, row),
    update: (table, row) => under().update(table, row),
    remove: (table, key) => under().remove(table, key),
    removeEvery: (table) => under().removeEvery(table),
    attempt: (act) => {
      const { lacks } = under();
      const { length } = lacks;
      try {
        act();
      } catch (error) {
        // Amid a pass that lacks something, what failed may have failed by that.
        if (lacks.length === 0) throw error;
        return error;
      }
      return lacks.length === length ? null : lacking;
    },
  };
  return {
    tx,
    steady: (source, { isTime = false } = {}) => {
      if (isTime) times.push(source);
      return (...given) => (current === null ? source(...given) : current.taken.take(source, given));
    },
    forgetTimes: (taken) => taken.forget(times),
    run: (pass, act) => {
      const before = current;
      current = pass;
      pass.taken.again();
      try {
        const value = act(tx);
        return pass.lacks.length === 0 ? { value } : null;
      } catch (error) {
        if (pass.lacks.length === 0) throw error;
        return null;
      } finally {
        current = before;
      }
    },
  };
}

/** Ends a pass that lacks something. */
export function lack(lacks: Need[], need: Need): never {
  lacks.push(need);
  throw lacking;
}

/** What tells a row from every other, of whatever table. */
export function rowName(table: string, key: Key): string {
  return `${table} ${JSON.stringify(key)}`;
}

/** What is known of rows that are kept, and of what queries gave. */
export interface Known {
  /** Undefined: it is not known. */
  readonly find: (name: string) => Row | null | undefined;
  readonly asked: (name: string) => Gave | undefined;
  /** What it is taken to be meanwhile that is not known; undefined: nothing. Default: nothing is. */
  readonly guess?: (need: Need) => Row | null | Gave | undefined;
}

type TextsOf = NonNullable<Reads['texts']>;

/** What is given where a look reads. */
export function reads(lacks: Need[], known: Known, ask: Asking): Reads {
  const gave = (need: Need & { kind: 'ask' }): Gave => {
    const found = known.asked(need.name) ?? (known.guess?.(need) as Gave | undefined) ?? lack(lacks, need);
    if ('error' in found) throw found.error;
    return found;
  };
  return {
    find: (table, key) => {
      const name = rowName(table, key);
      const row = known.find(name);
      if (row !== undefined) return row;
      const need: Need = { kind: 'find', table, key, name };
      const guess = known.guess?.(need) as Row | null | undefined;
      return guess === undefined ? lack(lacks, need) : guess;
    },
    rows: (statement, parameters) =>
      (gave(ask(statement, 'rows', parameters)) as { rows: readonly Row[] }).rows,
    texts: (statement, parameters) => {
      const { texts } = gave(ask(statement, 'texts', parameters)) as { texts: Texts };
      return texts;
    },
    value: (statement, parameters) => (gave(ask(statement, 'value', parameters)) as { value: unknown }).value,
  };
}
