import type { Reply } from '../../../message/reply.ts';
import type { Plan } from '../../plan.ts';
import { type Connection, limitOf } from '../open.ts';
import { Footprint } from './footprint.ts';
import { Taken } from './replay.ts';

/** A plan, with what it took of clocks and chance, and what is known of it. */
export interface Planned {
  readonly plan: Plan;
  readonly taken: Taken;
  /** What it reads and writes, as far as that was learnt. */
  readonly footprint: Footprint;
  isLearnt: boolean;
  /** The rows that it looks for at first, by name. */
  readonly first: Set<string>;
  /** The footprint is what others had that are like it, and may be another. */
  isGuessed: boolean;
  /** The answer where it keeps nothing, by a snapshot. */
  refusal: Reply | null;
}

/** A plan of which nothing is known yet. */
export function plannedOf(plan: Plan): Planned {
  return {
    plan,
    taken: new Taken(),
    footprint: new Footprint(),
    first: new Set(),
    isLearnt: false,
    isGuessed: false,
    refusal: null,
  };
}

/** How long queries of plans may take, if each of these says so: as long as that of any. */
export function longest(planned: readonly Planned[]): number | undefined {
  const times = planned.map(({ plan }) => plan.timeMs);
  return times.length === 0 || times.includes(undefined) ? undefined : Math.max(...(times as number[]));
}

/** Has the server end what takes longer, until the transaction ends. */
export function limiting(connection: Connection, timeMs: number | undefined): string {
  return `SET LOCAL statement_timeout ${limitOf(connection, timeMs)}`;
}
