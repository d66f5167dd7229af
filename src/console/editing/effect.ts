import { type Class, classes, type Diff, diffInSteps } from '../../diff/diff.ts';
import { running, statusInSteps } from '../../report/status.ts';
import { atOnce, type Steps } from '../../source/turns.ts';
import type { Specification } from '../../specification/model/specification.ts';

/** What an edit comes to. */
export interface Effect {
  /** How many statements differ, by how grave that is; classes of which there is none are left out. */
  readonly counts: Readonly<Partial<Record<Class, number>>>;
  /** What breaks clients or touches stored data: what is said of each, with its address. */
  readonly grave: readonly { readonly address: string; readonly message: string }[];
  /** The operations that run from now on, and those that run no longer. */
  readonly nowRuns: readonly string[];
  readonly runsNoLonger: readonly string[];
  /** How many operations run then, of how many. */
  readonly runs: number;
  readonly operations: number;
}

/** So many findings are told one by one. */
const mostTold = 20;

/** Compares what a document stated with what it states after an edit. */
export function effectOf(before: Specification, after: Specification): Effect {
  return atOnce(effectInSteps(before, after));
}

/** {@link effectOf} in steps. */
export function* effectInSteps(before: Specification, after: Specification): Steps<Effect> {
  return yield* effectOfDiff(yield* diffInSteps(before, after), before, after);
}

/** What an edit comes to, of which it is known what differs. */
export function* effectOfDiff(
  { counts, findings }: Diff,
  before: Specification,
  after: Specification,
): Steps<Effect> {
  const old = running(yield* statusInSteps(before));
  const now = running(yield* statusInSteps(after));
  return {
    counts: Object.fromEntries(classes.filter((one) => counts[one] > 0).map((one) => [one, counts[one]])),
    grave: findings
      .filter((one) => one.class === 'breaking' || one.class === 'stored data')
      .slice(0, mostTold)
      .map(({ address, message }) => ({ address, message })),
    nowRuns: now.filter((name) => !old.includes(name)),
    runsNoLonger: old.filter((name) => !now.includes(name)),
    runs: now.length,
    operations: after.operations.length,
  };
}
