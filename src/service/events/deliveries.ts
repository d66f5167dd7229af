import { and, compare, field, literal, parameter, place, query, rowOf } from '../../expression/query.ts';
import type { Key, Row, Store, Table, Transaction } from '../store/store.ts';

/**
 * What is to be sent by a way to one address, and what came of it: a row for each event, and for each `turn` in which
 * the operator has it sent again. The last one is never removed, so that a later one stands behind an earlier one.
 */
export const deliveryTable: Table = {
  name: 'delivery',
  keyFields: ['way', 'target', 'event', 'turn'],
  indexes: [
    { fields: [{ path: ['due'] }], unique: false },
    { fields: [{ path: ['way'] }, { path: ['target'] }, { path: ['due'] }], unique: false },
    { fields: [{ path: ['event'] }], unique: false },
  ],
};

/** How a delivery stands. */
export interface Standing {
  /** When it is tried next, in milliseconds since 1970; 0: it was not tried yet, and without it, it is not any more. */
  readonly due?: number;
  /** Those of one lane are tried first in their order. */
  readonly lane: string;
  readonly tries: number;
  /** What the last attempt came to: a status, or why there was none. */
  readonly last?: string;
  /** Whether it arrived; without it, it did not yet. */
  readonly arrived?: true;
}

export interface Delivery extends Standing {
  readonly way: string;
  readonly target: string;
  readonly event: string;
  readonly turn: string;
  readonly place: number;
}

export function keyOf({ way, target, event, turn }: Omit<Delivery, keyof Standing | 'place'>): Key {
  return [way, target, event, turn];
}

export function deliveryOf({ key, text, place: at }: Row): Delivery {
  const [way, target, event, turn] = key as readonly [string, string, string, string];
  return { way, target, event, turn, place: at ?? 0, ...(JSON.parse(text) as Standing) };
}

/** Puts a delivery in line. */
export function enqueue(tx: Transaction, key: Key, lane: string): void {
  const standing: Standing = { due: 0, lane, tries: 0 };
  tx.insert(deliveryTable.name, { key, text: JSON.stringify(standing) });
}

/** Finds what is to be sent. */
export interface Deliveries {
  /** Those that were never tried, after a place, in order; a page of them. */
  readonly fresh: (after: number) => Promise<readonly Delivery[]>;
  /** Those that are to be tried again, by when; a page of them, after so many. */
  readonly waiting: (after: number) => Promise<readonly Delivery[]>;
  /** Of one address: those never tried, after a place. */
  readonly freshOf: (way: string, target: string, after: number) => Promise<readonly Delivery[]>;
  /** Of one address: those that are due, and so many more than are known. */
  readonly dueOf: (way: string, target: string, by: number, known: number) => Promise<readonly Delivery[]>;
  /** When the next one of an address is due after a time; null: none is. */
  readonly nextOf: (way: string, target: string, after: number) => Promise<number | null>;
}

/** How many are read at once. */
export const pageDeliveries = 100;

export function compileDeliveries(store: Store): Deliveries {
  const row = rowOf(deliveryTable);
  const due = field(row, 'due', 'number');
  const isFresh = compare('==', due, literal(0));
  const ofAddress = [
    compare('==', field(row, 'way', 'text'), parameter(0, 'text')),
    compare('==', field(row, 'target', 'text'), parameter(1, 'text')),
  ];
  const inOrder = [{ by: place(row), descending: false }];
  const byDue = [{ by: due, descending: false }];
  const page = literal(pageDeliveries);
  const fresh = store.prepare(
    query(row, {
      where: and(isFresh, compare('>', place(row), parameter(0, 'number'))),
      order: inOrder,
      limit: page,
    }),
  );
  const waiting = store.prepare(
    query(row, {
      where: compare('>', due, literal(0)),
      order: byDue,
      limit: page,
      offset: parameter(0, 'number'),
    }),
  );
  const freshOf = store.prepare(
    query(row, {
      where: and(...ofAddress, isFresh, compare('>', place(row), parameter(2, 'number'))),
      order: inOrder,
      limit: page,
    }),
  );
  const dueOf = store.prepare(
    query(row, {
      where: and(...ofAddress, compare('>', due, literal(0)), compare('<=', due, parameter(2, 'number'))),
      order: byDue,
      limit: parameter(3, 'number'),
    }),
  );
  const nextOf = store.prepare(
    query(row, {
      where: and(...ofAddress, compare('>', due, parameter(2, 'number'))),
      gives: { kind: 'min', of: due },
    }),
  );
  const ask = async (made: typeof fresh, values: readonly unknown[]): Promise<readonly Delivery[]> =>
    (await store.read((reads) => reads.rows(made, values))).map(deliveryOf);
  return {
    fresh: (after) => ask(fresh, [after]),
    waiting: (after) => ask(waiting, [after]),
    freshOf: (way, target, after) => ask(freshOf, [way, target, after]),
    dueOf: (way, target, by, known) => ask(dueOf, [way, target, by, known + pageDeliveries]),
    nextOf: async (way, target, after) =>
      (await store.read((reads) => reads.value(nextOf, [way, target, after]))) as number | null,
  };
}
