import type { Frame } from '../../expression/compile.ts';
import { compare, field, orderable, parameter, type Query, query, rowOf } from '../../expression/query.ts';
import type { Changes } from '../change/changes.ts';
import type { Move } from '../change/machines.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Key, Reads, Table, Transaction } from '../store/store.ts';
import { type Doing, isClear, nothingFound } from '../transaction/doing.ts';

/** What a change takes that no request asks for. */
export interface ByItself {
  readonly now: () => string;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly changes: Changes;
  readonly frame: (reads: Reads | undefined, names: Readonly<Record<string, unknown>>) => Frame;
}

/** The rows of a table that are due by a time, its parameter, those first that have been for longest. */
export function dueBy(table: Table): Query {
  const row = rowOf(table);
  const due = field(row, 'due', 'text');
  const order = [{ by: orderable(due), descending: false }];
  return query(row, { where: compare('<=', due, parameter(0, 'text')), order });
}

/** The move of a resource that has this name; undefined where it has none. */
export function moveNamed({ changes }: ByItself, resource: string, name: string): Move | undefined {
  return (changes.machines.get(resource) ?? [])
    .flatMap(({ moves }) => moves)
    .find((one) => one.name === name);
}

/** Begins changes that nobody asks for. */
export function beginByItself({ now, frame }: ByItself, tx: Transaction): Doing {
  const at = now();
  return { tx, now: at, frame: (names) => frame(tx, { now: at, ...names }), found: nothingFound() };
}

/** Makes changes that nobody asks for, with what follows from them; false: refused, and to be undone. */
export function changeByItself(around: ByItself, tx: Transaction, change: (doing: Doing) => void): boolean {
  const doing = beginByItself(around, tx);
  change(doing);
  if (isClear(doing)) around.changes.settle(doing, null);
  return isClear(doing);
}

/** Makes a move of the item of a key, where its state lists it; false where that is refused, or there is no such item. */
export function moveItem(
  around: ByItself,
  tx: Transaction,
  resource: string,
  key: Key,
  transition: string,
): boolean {
  const kept = around.resources.get(resource);
  const row = kept && tx.find(resource, key);
  const move = moveNamed(around, resource, transition);
  if (!kept || !row || !move) return false;
  return changeByItself(around, tx, (doing) =>
    around.changes.ways.move(doing, kept, row, move, { given: {} }),
  );
}
