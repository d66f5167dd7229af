import type { Footprint } from './footprint.ts';
import type { Need } from './needs.ts';
import type { Planned } from './planned.ts';

/** What plans that are alike asked and wrote to so far, each of which read no rows but those that it looked for at once. */
interface Habit {
  readonly asked: ReadonlySet<string>;
  readonly written: Set<string>;
  /** Whether any wrote to a row that it looked for at once. */
  changes: boolean;
  /** How much more often than not a plan did otherwise. */
  misses: number;
}

/** From how many misses on nothing is guessed, and by how much one falls with each plan that did as others. */
const mostMisses = 10;
const forgiven = 0.1;

/**
 * What plans read and write as a rule: so that locks can be taken before anything was read. Whether it was so is seen
 * once they are held.
 */
export class Habits {
  readonly #known = new WeakMap<object, Habit>();

  /** Adds to a footprint what is to be expected of a plan by what it lacks at first; false: that is not known. */
  guess({ plan: { like } }: Planned, lacks: readonly Need[], footprint: Footprint): boolean {
    const habit = like && this.#known.get(like);
    if (!habit || habit.misses >= mostMisses || !isWithin(tablesIn(footprint).asked, habit.asked))
      return false;
    const hows = habit.changes ? (['read', 'written'] as const) : (['read'] as const);
    for (const need of lacks)
      if (need.kind === 'find') for (const how of hows) footprint.touch(need.name, need.table, need.key, how);
    for (const table of habit.written) footprint.lock(table, table, false);
    for (const table of habit.asked) footprint.lock(table, table, true);
    return true;
  }

  /** Notes what a plan was found to read and write, and whether the locks that it held were enough. */
  note({ plan: { like }, isGuessed, first }: Planned, footprint: Footprint, isEnough: boolean): void {
    if (like === undefined) return;
    const { rows } = footprint;
    const { asked, written, isWhole } = tablesIn(footprint);
    const habit = this.#known.get(like);
    const isOther = (name: string, table: string): boolean => !first.has(name) && !asked.has(table);
    const isSimple =
      isWhole && ![...rows].some(([name, { table, isRead }]) => isRead && isOther(name, table));
    const changes = [...rows].some(([name, { isWritten }]) => isWritten && first.has(name));
    if (habit === undefined) {
      if (isSimple && isEnough)
        this.#known.set(like, { asked: new Set(asked), written: new Set(written), changes, misses: 0 });
      return;
    }
    habit.changes ||= changes;
    const isSame = asked.size === habit.asked.size && isWithin(asked, habit.asked);
    const isAsGuessed = isSimple && isSame && (isEnough || !isGuessed);
    habit.misses = Math.max(0, habit.misses + (isAsGuessed ? -forgiven : 1));
    if (isSimple) for (const table of written) habit.written.add(table);
  }
}

/** The tables that are locked alone, and the others; and whether each is as a whole. */
function tablesIn({ locks }: Footprint): {
  readonly asked: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  readonly isWhole: boolean;
} {
  const tables = [...locks].filter(([name, { table }]) => name === table);
  const of = (isAlone: boolean): ReadonlySet<string> =>
    new Set(tables.filter(([, one]) => one.isAlone === isAlone).map(([name]) => name));
  return { asked: of(true), written: of(false), isWhole: tables.length === locks.size };
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}
