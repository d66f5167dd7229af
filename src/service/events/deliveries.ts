import { and, compare, field, literal, parameter, place, query, rowOf } from '../../expression/query.ts';
import { inPlaceOrder, lastPlace } from '../store/settled.ts';
import type { Key, Row, Store, Table, Transaction } from '../store/store.ts';

/**
 * What is to be sent by a way to one address, and what came of it: a row for each event, and for each `turn` in which
 * the operator has it sent again. The last one is never removed, so that a later one stands behind an earlier one.
 */
export const deliveryTable: Table = {
  name: 'delivery',
  keyFields: ['way', 'target', 'event', 'turn'],
  indexes: [
    { fields: [{ path: ['due'], type: 'number' }, { path: ['way'] }, { path: ['target'] }], unique: false },
    { fields: [{ path: ['way'] }, { path: ['target'] }, { path: ['due'], type: 'number' }], unique: false },
    { fields: [{ path: ['event'] }], unique: false },
  ],
};

/** How a delivery stands. */
export interface Standing {
  /** When it is tried next, in milliseconds since 1970; 0: it was not tried yet, and without it, it is not any more. */
  readonly due?: number;
  /** Those of one lane are tried first in their order. */
  readonly lane: string;
  /** Whose the target is; left out where nobody's: then it shares its attempts with no other target. */
  readonly owner?: string;
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
export function enqueue(tx: Transaction, key: Key, lane: string, owner?: string): void {
  const standing: Standing = { due: 0, lane, ...(owner !== undefined && { owner }), tries: 0 };
  tx.insert(deliveryTable.name, { key, text: JSON.stringify(standing) });
}

/** Finds what is to be sent, a bounded number of rows at a time, each by an index. */
export interface Deliveries {
  /** Where the last row stands; 0: there is none. */
  readonly last: () => Promise<number>;
  /** The rows after a place, in order. */
  readonly after: (place: number) => Promise<readonly Delivery[]>;
  /** Of a way: one that was never tried, of the first target after another. Undefined: there is none. */
  readonly nextTarget: (way: string, target: string) => Promise<Delivery | undefined>;
  /** Those to be tried again at a time after one and up to another, by when. */
  readonly dueBetween: (after: number, by: number, most: number) => Promise<readonly Delivery[]>;
  /** When the next one is to be tried again after a time; null: none is. */
  readonly nextDue: (after: number) => Promise<number | null>;
  /** Of one target: those never tried, after a place, in order. */
  readonly freshOf: (
    way: string,
    target: string,
    after: number,
    most: number,
  ) => Promise<readonly Delivery[]>;
  /** Of one target: those to be tried again by a time. */
  readonly dueOf: (way: string, target: string, by: number, most: number) => Promise<readonly Delivery[]>;
}

/** How many are read at once, at most. */
export const pageDeliveries = 100;

export function compileDeliveries(store: Store): Deliveries {
  const row = rowOf(deliveryTable);
  const due = field(row, 'due', 'number');
  const isFresh = compare('==', due, literal(0));
  const [way, target] = [field(row, 'way', 'text'), field(row, 'target', 'text')];
  const isOfWay = compare('==', way, parameter(0, 'text'));
  const ofTarget = [isOfWay, compare('==', target, parameter(1, 'text'))];
  const inOrder = [{ by: place(row), descending: false }];
  const byDue = [{ by: due, descending: false }];
  const after = store.prepare(
    query(row, {
      where: compare('>', place(row), parameter(0, 'number')),
      order: inOrder,
      limit: literal(pageDeliveries),
    }),
  );
  const nextTarget = store.prepare(
    query(row, {
      where: and(isFresh, isOfWay, compare('>', target, parameter(1, 'text'))),
      order: [{ by: target, descending: false }],
      limit: literal(1),
    }),
  );
  const between = (from: number) =>
    and(compare('>', due, parameter(from, 'number')), compare('<=', due, parameter(from + 1, 'number')));
  const dueBetween = store.prepare(
    query(row, { where: between(0), order: byDue, limit: parameter(2, 'number') }),
  );
  const nextDue = store.prepare(
    query(row, {
      where: compare('>', due, parameter(0, 'number')),
      gives: { kind: 'min', of: due },
    }),
  );
  const freshOf = store.prepare(
    query(row, {
      where: and(...ofTarget, isFresh, compare('>', place(row), parameter(2, 'number'))),
      order: inOrder,
      limit: parameter(3, 'number'),
    }),
  );
  const dueOf = store.prepare(
    query(row, { where: and(...ofTarget, between(2)), order: byDue, limit: parameter(4, 'number') }),
  );
  const ask = async (made: typeof after, values: readonly unknown[]): Promise<readonly Delivery[]> =>
    (await store.read((reads) => reads.rows(made, values))).map(deliveryOf);
  const value = async (made: typeof nextDue, values: readonly unknown[]): Promise<number | null> =>
    (await store.read((reads) => reads.value(made, values))) as number | null;
  const following = inPlaceOrder(store, deliveryTable.name, async (from) =>
    store.read((reads) => reads.rows(after, [from])),
  );
  return {
    last: lastPlace(store, deliveryTable),
    after: async (from) => (await following(from)).map(deliveryOf),
    nextTarget: async (ofWay, from) => (await ask(nextTarget, [ofWay, from]))[0],
    dueBetween: (from, by, most) => ask(dueBetween, [from, by, most]),
    nextDue: (from) => value(nextDue, [from]),
    freshOf: (ofWay, to, from, most) => ask(freshOf, [ofWay, to, from, most]),
    dueOf: (ofWay, to, by, most) => ask(dueOf, [ofWay, to, 0, by, most]),
  };
}
