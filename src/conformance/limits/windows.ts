import { stated } from '../../specification/reading/said.ts';
import { type Check, type Scenario, type Seen, scenario, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { before } from '../success.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { all, known, type Truth } from '../verdict.ts';
import { letsIn } from './lets-in.ts';
import { repeated, type User, type Using } from './using-up.ts';

/** Requests at the edge of a window: how many should be let in, and how many were. */
interface Edge extends Seen {
  readonly first: Done;
  readonly let: number;
  readonly last: Done;
}

/** Clocks run apart, and answers travel: how long after an edge is asked, in milliseconds. */
const marginMs = 20;

/** A larger rate is not used up once more for the edges of its window. */
const most = 100;

/** What a window lets in at its edges, and one more (language §8.1, `window`). */
export function edges(trial: Trial, using: Using, user: User, isAlone: Truth): Scenario[] {
  const { of } = trial;
  const { name, rate, allow, everyMs } = using;
  const { operation } = user;
  const window = stated(rate.window);
  if (window === undefined) return [];
  const cites = { address: rate.window.address, at: rate.window.at };
  const half = Math.ceil(allow / 2);
  /** Lets time pass, and what is let in then: how many, of so many that are sent. */
  const plans = {
    // The next window starts with the first after the end of this one, and lets all of them in.
    fixed: {
      says: `lets in ${allow} and no more in its next window`,
      due: allow,
      steps: [
        [everyMs, 1],
        [everyMs / 2, allow - 1],
        [everyMs / 2, allow + 1],
      ],
    },
    // Of two halves, each comes back when it was sent so long ago.
    sliding: {
      says: `lets in ${half} and no more once ${half} are over`,
      due: half,
      steps: [
        [everyMs, half],
        [everyMs / 2, allow - half],
        [everyMs / 2, half + 1],
      ],
    },
    // One comes back after its share of the time.
    bucket: {
      says: 'lets in one and no more after its share of the time',
      due: 1,
      steps: [
        [everyMs, allow],
        [everyMs / allow, 2],
      ],
    },
  } as const;
  const { says, due, steps } = plans[window];
  const edge: Check<Edge> = {
    name: 'rate.window',
    says: `${operation.key}: ${name} ${says}`,
    cites,
    guard: ({ first }) => all(isAlone, letsIn(of, operation, before(first))),
    claim: ({ let: found, last }) => ({
      truth: known(found === due),
      expected: `${due} that are let in`,
      found: `${found}, then ${answerFound(last.exchange)}`,
    }),
  };
  const observe = async (): Promise<Edge> => {
    if (everyMs > trial.patienceMs) throw new Unreached(`a window of ${everyMs / 1000} s is not waited for`);
    if (allow > most) throw new Unreached(`more than ${most} requests are not sent once more`);
    let first: Done | undefined;
    // What comes back while requests are sent would be let in besides.
    const soonMs = (window === 'bucket' ? everyMs / allow : everyMs / 2) / 2;
    let endMs = trial.now();
    for (const [index, [afterMs, count]] of steps.entries()) {
      await trial.wait(Math.max(0, endMs + afterMs + marginMs - trial.now()), `the rate ${name}`);
      const startMs = trial.now();
      const isLast = index === steps.length - 1;
      for (let found = 0; found < count; found++) {
        const done = await repeated(trial, user, first);
        first ??= done;
        endMs = trial.now();
        if (endMs - startMs + marginMs >= soonMs)
          throw new Unreached('requests took longer than the time in which they are counted');
        const isIn = succeeded(done.exchange, operation).value === true;
        if (isLast && (!isIn || found === count - 1))
          return { exchange: done.exchange, first, let: isIn ? found + 1 : found, last: done };
        if (!isIn) throw new Unreached(`${operation.key} gave ${answerFound(done.exchange)}`);
      }
    }
    throw new Unreached('its window was not come to');
  };
  return [scenario(of, [...restsOf(operation), rate.window.address], observe, [edge])];
}
