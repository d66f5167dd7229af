import type { Frame } from '../expression/compile.ts';
import type { Changes } from './change/changes.ts';
import { type Doing, isClear, nothingFound } from './change/doing.ts';
import type { Move } from './parts/states.ts';
import type { KeptResource } from './resource/kept.ts';
import type { Key, Row, Transaction } from './store/store.ts';

/** What moving an item takes where no request asks for it. */
export interface ByItself {
  readonly now: () => string;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly changes: Changes;
  readonly frame: (tx: Transaction, names: Readonly<Record<string, unknown>>) => Frame;
}

/** The move of a resource that has this name; undefined where it has none. */
export function moveNamed({ changes }: ByItself, resource: string, name: string): Move | undefined {
  return (changes.machines.get(resource) ?? [])
    .flatMap(({ moves }) => moves)
    .find((one) => one.name === name);
}

/**
 * Makes a move that nobody asks for, with what follows from it (language §3.3).
 *
 * @returns false where its guard does not hold, or what it does is refused: what was written is to be undone
 */
export function moveByItself(
  { now, frame, changes }: ByItself,
  tx: Transaction,
  kept: KeptResource,
  row: Row,
  move: Move,
): boolean {
  const at = now();
  const doing: Doing = {
    tx,
    now: at,
    frame: (names) => frame(tx, { now: at, ...names }),
    found: nothingFound(),
  };
  changes.ways.move(doing, kept, row, move, { given: {} });
  if (isClear(doing)) changes.settle(doing, null);
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
  return kept !== undefined && !!row && move !== undefined && moveByItself(around, tx, kept, row, move);
}
