import { setTimeout } from 'node:timers/promises';
import type { TestOptions } from '../../conformance/run.ts';

/** How long what is on its way is given to come, in milliseconds of the machine's: before time passes, and at the end. */
const onItsWayMs = { first: 30, last: 2000 } as const;

/**
 * What is due within so many milliseconds happens in one step. Where there would be more steps than so many, they become
 * a share of the time that passes: something may be due again each second.
 */
const together = { ms: 100, most: 1000, share: 0.001 } as const;

/** Whatever is stated is waited for; what is to come and has no time comes as soon as elsewhere. Times in milliseconds. */
const patience = { patienceMs: Number.POSITIVE_INFINITY, graceMs: 5000 } as const;

/** How a tester lets time pass. */
export type Passing = Required<Pick<TestOptions, 'ahead' | 'wait' | 'patienceMs' | 'graceMs'>>;

/**
 * The clock of a tester and of a service that it can move: it goes with the machine's, and where the tester waits it
 * goes on at once, by way of all that is due on the way, so that days need not be waited for.
 *
 * @param move makes the service's clock be so many milliseconds ahead of the machine's; tells what is due next
 */
export function passing(move: (aheadMs: number) => Promise<number | null>): Passing {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const onItsWay = (ms: number, met: AbortSignal): Promise<void> =>
    setTimeout(ms, undefined, { signal: met }).catch(() => {});
  return {
    ...patience,
    ahead: () => ahead,
    wait: async (ms, met) => {
      // A message tells the time at which it was sent, and is judged by the time at which it came.
      if (!met) await setTimeout(onItsWayMs.first);
      const until = now() + ms;
      for (let steps = 0; ; steps += 1) {
        const step = steps < together.most ? together.ms : Math.max(together.ms, ms * together.share);
        const next = await move(ahead);
        const isOver = now() >= until;
        if (met) await onItsWay(isOver ? onItsWayMs.last : onItsWayMs.first, met);
        if (isOver || met?.aborted) return;
        ahead += Math.max(0, Math.min((next ?? until) + step, until) - now());
      }
    },
  };
}
