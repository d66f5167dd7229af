import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './fastify/clock.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
  /** Of the machine's clock: what is due may come while nobody waits. */
  timer?: NodeJS.Timeout;
}

/** The longest time that a timer of the machine may have, in milliseconds. */
const longestMs = 2 ** 31 - 1;

/** How long what is on its way is given to come, in milliseconds of the machine's clock, before time passes. */
const onItsWayMs = 400;

/** The same, where nothing is waited for that could come. */
const soonMs = 30;

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
  const happen = (one: Due): void => {
    clearTimeout(one.timer);
    if (due.delete(one)) one.run();
  };
  const arm = (one: Due): void => {
    clearTimeout(one.timer);
    one.timer = setTimeout(
      () => (one.at <= now() ? happen(one) : arm(one)),
      Math.min(one.at - now(), longestMs),
    );
    one.timer.unref();
  };
  const goTo = (time: number): void => {
    aheadMs += Math.max(0, time - now());
  };
  return {
    now,
    after: (ms, run) => {
      const one: Due = { at: now() + ms, run };
      due.add(one);
      arm(one);
      return () => {
        clearTimeout(one.timer);
        due.delete(one);
      };
    },
    wait: async (ms, met) => {
      // What was sent before is told when it was sent.
      if (!met) await pause(soonMs);
      const until = now() + ms;
      while (!met?.aborted) {
        if (met) await pause(Math.min(ms, onItsWayMs), undefined, { signal: met }).catch(() => undefined);
        if (met?.aborted) return;
        const [next, ...others] = [...due].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        goTo(next?.at ?? until);
        if (!next) {
          for (const one of due) arm(one);
          return;
        }
        for (const one of [next, ...others.filter(({ at }) => at < next.at + togetherMs)]) {
          goTo(one.at);
          happen(one);
        }
      }
    },
  };
}
