import type { Target } from './target.ts';

/**
 * The target, where time passes only while no request is under way: else a request would begin before and end after what
 * another walk waited for, and nobody could tell which of its times a service takes. For a clock that goes on at once.
 */
export function takingTurns(target: Target): Target {
  let passing: Promise<unknown> | null = null;
  const underWay = new Set<Promise<unknown>>();
  return {
    ...target,
    send: async (message) => {
      while (passing) await passing;
      const exchange = target.send(message);
      underWay.add(exchange);
      return await exchange.finally(() => underWay.delete(exchange));
    },
    wait: async (ms, met) => {
      while (passing) await passing;
      const waited = Promise.allSettled(underWay).then(() => target.wait(ms, met));
      passing = waited.catch(() => undefined);
      await waited.finally(() => {
        passing = null;
      });
    },
  };
}
