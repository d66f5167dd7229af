import type { Reply } from '../../../message/reply.ts';
import { begin, type Connection, isCancelled, isOfRow } from '../open.ts';
import type { Carrying } from './batch.ts';
import { answersOf, fetching, grouped } from './fetching.ts';
import { footprintOf } from './footprint.ts';
import type { Need } from './needs.ts';
import { Overlay, planPass } from './overlay.ts';
import { limiting, longest, type Planned } from './planned.ts';

/** How often is fetched what plans lack, before the rest is left to their transaction. */
const mostRounds = 8;

const snapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * Runs plans over a snapshot, each as if it were alone, to learn what they read and write. A plan that keeps nothing is
 * answered by that: it changes nothing, and the snapshot is of a moment after it came.
 *
 * @returns false where a query of theirs cannot be worked out, or takes too long: they are to go one by one
 */
export async function learn(
  connection: Connection,
  carrying: Carrying,
  planned: readonly Planned[],
): Promise<boolean> {
  const overlay = new Overlay();
  let left = planned.filter(({ isLearnt }) => !isLearnt);
  let isBegun = false;
  const timeMs = longest(planned);
  const limits = timeMs === undefined ? [] : [limiting(connection, timeMs)];
  try {
    for (let round = 0; left.length > 0 && round < mostRounds; round += 1) {
      const needs = new Map<string, Need>();
      left = left.filter((one) => {
        const lacks = pass(overlay, carrying, one, round);
        for (const need of lacks) needs.set(need.name, need);
        return lacks.length > 0;
      });
      if (left.length === 0) break;
      if (!isBegun) begin(connection, snapshot, ...limits).catch(() => {});
      isBegun = true;
      const all = await Promise.allSettled(
        fetching(connection, carrying, [...needs.values()], overlay, 0, {
          groups: grouped,
          of: (asks) => answersOf(connection, carrying, asks),
        }),
      );
      const failed = all.find((one) => one.status === 'rejected');
      if (failed && (isOfRow(failed.reason) || isCancelled(failed.reason))) return false;
      if (failed) throw failed.reason;
    }
    return true;
  } finally {
    if (isBegun) connection.query('ROLLBACK').catch(() => {});
  }
}

/** What a plan lacks that can be fetched; nothing where it is over, or the rest shows once it has written. */
function pass(
  overlay: Overlay,
  { replay, statements, divisions, habits }: Carrying,
  one: Planned,
  round: number,
): readonly Need[] {
  const made = planPass(overlay, statements, one.taken);
  let reply: Reply | null = null;
  let isKept = true;
  try {
    const decided = replay.run(made, one.plan.decide);
    isKept = decided?.value.keep ?? true;
    if (decided && !isKept) reply = decided.value.reply;
  } catch {
    // What it comes to, it comes to in its transaction.
    isKept = false;
  }
  const lacks = made.wanted(0);
  const { footprint } = footprintOf(made, overlay, divisions, isKept);
  if (round === 0) for (const { kind, name } of lacks) if (kind === 'find') one.first.add(name);
  one.isGuessed = round === 0 && lacks.length > 0 && habits.guess(one, lacks, footprint);
  if (lacks.length > 0 && !one.isGuessed) return lacks;
  one.footprint.add(footprint);
  one.isLearnt = true;
  if (made.lacks.length > 0) return [];
  one.refusal = reply;
  return [];
}
