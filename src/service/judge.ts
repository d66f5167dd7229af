import { type ConditionName, conditionNames } from '../specification/condition.ts';
import type { Refusals } from './parts/errors.ts';
import type { Held, Refusal } from './refusal.ts';

/** One reason to refuse, as an operation judges it. */
export interface Judge<Context> {
  readonly condition: ConditionName;
  /** The row that it belongs to, for an expression of a row's own. */
  readonly code: string | null;
  /** Whether it needs to know what is kept. */
  readonly kept: boolean;
  readonly refuses: (context: Context) => Refusal | Held | null;
}

/**
 * Puts an operation's reasons to refuse in the order in which they answer: that of language §H.4, in which
 * those that `errors.order` lists change places among themselves to stand as listed there.
 */
export function inOrder<Context>(
  judges: readonly Judge<Context>[],
  refusals: Refusals,
): readonly Judge<Context>[] {
  const byList = [...judges].sort(
    (a, b) => conditionNames.indexOf(a.condition) - conditionNames.indexOf(b.condition),
  );
  const place = (judge: Judge<Context>): number | undefined => refusals.place(judge.condition, judge.code);
  const listed = byList.filter((judge) => place(judge) !== undefined);
  listed.sort((a, b) => (place(a) as number) - (place(b) as number));
  return byList.map((judge) => (place(judge) === undefined ? judge : (listed.shift() as Judge<Context>)));
}

/** The first that holds; or what holds the request up where that would have to be known to tell. */
export function firstRefusal<Context>(
  judges: readonly Judge<Context>[],
  context: Context,
): Refusal | Held | null {
  for (const judge of judges) {
    const refusal = judge.refuses(context);
    if (refusal) return refusal;
  }
  return null;
}
