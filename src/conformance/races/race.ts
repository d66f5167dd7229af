import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Check, type Statement, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { countedBy } from '../limits/pace.ts';
import { askedOf, perform } from '../perform.ts';
import type { Attempt, Done, Trial } from '../trial.ts';
import { all, known, type Truth } from '../verdict.ts';

/** What came of requests that were under way together; the exchange that decides is one of theirs. */
export interface Raced extends Done {
  readonly raced: readonly Done[];
}

/** How many are sent at once; fewer where rates count them, and where each takes long, since a secret is hashed. */
const most = { usual: 20, counted: 5, hashing: 3 };

/**
 * Sends a request several times at once. Throws `Unreached` where rates leave no room for it.
 *
 * @param atMost how many times; as often as may be where it is left out
 */
export async function race(
  trial: Trial,
  operation: Operation,
  attempt: (index: number) => Attempt,
  atMost: number = most.usual,
): Promise<Raced> {
  const first = attempt(0);
  const counted = [...countedBy(trial, askedOf(trial, operation, first, null)).values()];
  const left = Math.min(...counted.map((one) => one.left));
  const fields = [...(operation.subject?.fields.values() ?? [])];
  const hashes = fields.some(({ secret }) => stated(secret) === 'hashed');
  const count = Math.min(
    hashes ? most.hashing : counted.length > 0 ? most.counted : most.usual,
    left,
    atMost,
  );
  if (count < 2) throw new Unreached('rates leave no room for several requests at once');
  const raced = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      perform(trial, operation, index === 0 ? first : attempt(index)),
    ),
  );
  trial.seen.clear();
  const won = winners(operation, raced);
  return { ...((won[1] ?? won[0] ?? raced[0]) as Done), raced };
}

export function winners(operation: Operation, raced: readonly Done[]): readonly Done[] {
  return raced.filter(({ exchange }) => succeeded(exchange, operation).value === true);
}

/**
 * Of requests that are sent at once, of which each makes the others wrong, no two succeed: whichever came first, the
 * next one was to be refused (language §F.7). That one succeeds is no claim of it.
 */
export function onlyOne(
  operation: Operation,
  says: string,
  cites: Statement,
  must: Truth,
  counts: (one: Done) => boolean = () => true,
): Check<Raced> {
  return {
    name: 'race',
    says: `${says}, by several at once, succeeds no more than once`,
    cites,
    guard: ({ raced }) =>
      all(
        must,
        known(winners(operation, raced).length > 0, 'none of them succeeded'),
        known(raced.filter(counts).length > 1, 'no two of them make each other wrong'),
      ),
    claim: ({ raced }) => {
      const won = winners(operation, raced).filter(counts);
      return {
        truth: known(won.length < 2),
        expected: 'one success at the most',
        found: `${won.length} of ${raced.length} succeeded, each with ${won[0] ? answerFound(won[0].exchange) : 'nothing'}`,
      };
    },
  };
}
