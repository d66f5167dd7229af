import type { Plan } from '../../plan.ts';
import type { Footprint } from './footprint.ts';
import type { Need } from './needs.ts';

/** What plans that are alike wrote to so far, each of which found some rows at once and read nothing else. */
interface Habit {
  readonly written: Set<string>;
  /** How much more often than not a plan did otherwise. */
  misses: number;
}

/** From how many misses on nothing is guessed any more. */
const mostMisses = 10;

/**
 * What plans read and write as a rule that find certain rows, as by the key in a path: so that locks can be taken before
 * anything was read. Whether it was so is seen once they hold their locks.
 */
export class Habits {
  readonly #known = new WeakMap<object, Habit>();

  /** Adds to a footprint what is to be expected of a plan; false: that is not known. */
  guess({ like }: Plan, lacks: readonly Need[], footprint: Footprint): boolean {
    const habit = like && this.#known.get(like);
    if (!habit || habit.misses >= mostMisses || footprint.asked.size > 0) return false;
    if (lacks.some(({ kind }) => kind !== 'find')) return false;
    for (const need of lacks)
      if (need.kind === 'find')
        for (const how of ['read', 'written'] as const) footprint.touch(need.name, need.table, need.key, how);
    for (const table of habit.written) footprint.written.add(table);
    return true;
  }
  /** Notes what a plan was found to read and write that needed but one look. */
  note({ like }: Plan, { asked, written, isAll }: Footprint): void {
    if (like === undefined || asked.size > 0 || isAll) return;
    const habit = this.#known.get(like) ?? { written: new Set(), misses: 0 };
    for (const table of written) habit.written.add(table);
    this.#known.set(like, habit);
  }
  /** Notes whether what was guessed was enough. */
  judge({ like }: Plan, { asked, written }: Footprint, isEnough: boolean): void {
    const habit = like && this.#known.get(like);
    if (!habit) return;
    habit.misses = Math.max(0, habit.misses + (isEnough ? -0.1 : 1));
    if (asked.size === 0) for (const table of written) habit.written.add(table);
  }
}
