import { setTimeout } from 'node:timers/promises';
import type { Clock } from './fastify/clock.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** How long what is on its way is given to come, in milliseconds of the machine's clock, before time passes. */
const onItsWayMs = 400;

/** What is due within so long is let happen without a look at what comes of it in between. */
const togetherMs = 1000;

/**
 * A clock for tester and desk in one process: it goes with the machine's, and where the tester waits it goes on at once
 * to what is due next, so that days need not be waited for.
 */
export function passing(): Clock & { readonly wait: (ms: number, met?: AbortSignal) => Promise<void> } {
  let aheadMs = 0;
  const due = new Set<Due>();
  const now = (): number => Date.now() + aheadMs;
  const goTo = (time: number): void => {
    aheadMs += Math.max(0, time - now());
  };
  return {
    now,
    after: (ms, run) => {
      const one = { at: now() + ms, run };
      due.add(one);
      return () => due.delete(one);
    },
    wait: async (ms, met) => {
      const until = now() + ms;
      while (!met?.aborted) {
        if (met)
          await setTimeout(Math.min(ms, onItsWayMs), undefined, { signal: met }).catch(() => undefined);
        if (met?.aborted) return;
        const [next, ...others] = [...due].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        goTo(next?.at ?? until);
        if (!next) return;
        for (const one of [next, ...others.filter(({ at }) => at < next.at + togetherMs)]) {
          goTo(one.at);
          due.delete(one);
          one.run();
        }
      }
    },
  };
}
