import type { Frame } from '../../expression/compile.ts';
import { instant } from '../../expression/time.ts';
import { CannotWorkOut } from '../../expression/values.ts';
import { durationOf } from '../../specification/reading/duration.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Key, Row, Table } from '../store/store.ts';
import { type Doing, itemOf } from '../transaction/doing.ts';
import { later } from '../value/clock.ts';
import type { CompiledMachine, Move } from './machines.ts';

/** Where it is kept what is to happen by itself: for each item and move, when it is due. */
export const timerTable: Table = {
  name: 'timer',
  keyFields: ['resource', 'item', 'move'],
  indexes: [{ fields: [{ path: ['due'] }], unique: false }],
};

/** Sets and clears the timers of an item (language §3.3). */
export interface Timers {
  /**
   * Follows an item that was written; a null row: it was not there before, or is not now. `entered`: the machine
   * that came to a state, also where it was in that state before.
   */
  readonly follow: (
    doing: Doing,
    kept: KeptResource,
    before: Row | null,
    after: Row | null,
    entered: CompiledMachine | null,
  ) => void;
}

type Machines = ReadonlyMap<string, readonly CompiledMachine[]>;

/** @param told of each time at which something is due, as it is set */
export function compileTimers(machines: Machines, told: (due: string) => void): Timers {
  const timed = new Map(
    [...machines].map(([name, own]) => [
      name,
      own.map((machine) => ({ machine, moves: machine.moves.filter(({ timer }) => timer !== null) })),
    ]),
  );
  return {
    follow: (doing, kept, before, after, entered) => {
      for (const { machine, moves } of timed.get(kept.name) ?? []) {
        const [from, to] = [before, after].map((row) => row && kept.members(row)[machine.field]);
        const enters = entered === machine || from !== to;
        for (const move of moves) {
          const isTimed = move.timer?.kind === 'at';
          if (!enters && !isTimed) continue;
          const dueOf = (row: Row): string | null =>
            dueAt(move, doing.now, doing.frame({ this: itemOf(doing, kept, row) }));
          const waits = [from, to].map((state) => move.from.includes(String(state)));
          // A time comes once: what has happened then, or did not, is not made up for by a later write.
          if (isTimed && before && after && waits.every(Boolean) && dueOf(before) === dueOf(after)) continue;
          const key = timerKey(kept, (after ?? (before as Row)).key, move);
          if (before) doing.tx.remove(timerTable.name, key);
          if (after === null || !waits[1]) continue;
          const due = dueOf(after);
          if (due === null) continue;
          doing.tx.insert(timerTable.name, { key, text: JSON.stringify({ due }) });
          told(due);
        }
      }
    },
  };
}

/** Whether anything happens by itself. */
export function hasTimers(machines: Machines): boolean {
  return [...machines.values()].flat().some(({ moves }) => moves.some(({ timer }) => timer !== null));
}

/** The key of the timer by which an item is moved. */
export function timerKey(kept: KeptResource, key: Key, move: Move): Key {
  return [kept.name, JSON.stringify(key), move.name];
}

/**
 * When a move is due that is waited for from now on; null: at no time. The system's clock tells milliseconds, and
 * what is finer in `now` only tells the calls within one apart, so a span ends with the millisecond.
 */
export function dueAt({ timer }: Move, now: string, frame: Frame): string | null {
  const value = timer?.run(frame) ?? null;
  if (value === null) return null;
  if (timer?.kind === 'at') {
    const [whole, fraction = ''] = String(instant(value)).split('.');
    return `${whole}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
  }
  const span = durationOf(String(value));
  if (span === undefined) throw new CannotWorkOut(`${String(value)} is no duration`);
  return later(now, span).replace(/\d{3}Z$/, '000Z');
}
