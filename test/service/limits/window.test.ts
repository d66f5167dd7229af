import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processCounter } from '../../../src/service/limits/counter.ts';
import { type Rate, windowOf } from '../../../src/service/limits/window.ts';
import type { Taken } from '../../../src/service/message/tally.ts';

const rate = (window: Rate['window'], allow: number, everyMs: number): Rate => ({
  name: 'r',
  allow,
  everyMs,
  window,
});

/** What becomes of requests at these times: whether allowed, what remains, and how long until more does. */
const told = (of: Rate, times: readonly number[]): [boolean, number, number][] => {
  const window = windowOf(of);
  return times.map((time) => {
    const { isAllowed, remaining, resetMs } = window.take(time);
    return [isAllowed, remaining, resetMs];
  });
};

describe('windows (language §8.1)', () => {
  it('fixed: starts with the first counted request, and the next with the first after its end', () => {
    expect(told(rate('fixed', 2, 100), [50, 149, 149.5, 150, 150, 150, 999])).toEqual([
      [true, 1, 100],
      [true, 0, 1],
      [false, 0, 0.5],
      [true, 1, 100],
      [true, 0, 100],
      [false, 0, 100],
      [true, 1, 100],
    ]);
  });

  it.each(['fixed', 'sliding'] as const)(
    '%s: never tells of more time than it has, by no fraction',
    (window) => {
      expect(told(rate(window, 2, 60_000), [4179309.6509627416])).toEqual([[true, 1, 60_000]]);
    },
  );

  it('sliding: each request counts until its time has passed', () => {
    expect(told(rate('sliding', 2, 100), [0, 60, 99, 100, 100, 159, 160, 400])).toEqual([
      [true, 1, 100],
      [true, 0, 40],
      [false, 0, 1],
      [true, 0, 60],
      [false, 0, 60],
      [false, 0, 1],
      [true, 0, 40],
      [true, 1, 100],
    ]);
  });

  it('bucket: so many at once, of which each comes back after its share', () => {
    expect(told(rate('bucket', 4, 100), [0, 0, 0, 0, 0, 24, 25, 25, 75, 1000])).toEqual([
      [true, 3, 25],
      [true, 2, 25],
      [true, 1, 25],
      [true, 0, 25],
      [false, 0, 25],
      [false, 0, 1],
      [true, 0, 25],
      [false, 0, 25],
      [true, 1, 25],
      [true, 3, 25],
    ]);
  });

  it('bucket: shares that are no whole milliseconds come back in time, and none is lost or won', () => {
    const window = windowOf(rate('bucket', 7, 100));
    let allowed = 0;
    for (let time = 0; time < 100_000; time += 1) if (window.take(time).isAllowed) allowed += 1;
    expect(allowed).toBe(7 + 7 * 1000 - 1);
  });

  const times = fc
    .array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 })
    .map((gaps) => gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)));
  const rates = fc.record({
    allow: fc.integer({ min: 1, max: 6 }),
    everyMs: fc.integer({ min: 1, max: 90 }),
  });

  /** What a rate comes to, worked out from all that was allowed before. */
  const models: Readonly<
    Record<Rate['window'], (of: Rate, before: readonly number[], now: number) => number>
  > = {
    fixed: ({ everyMs }, before, now) => {
      let start = Number.NEGATIVE_INFINITY;
      for (const time of before) if (time - start >= everyMs) start = time;
      return now - start >= everyMs ? 0 : before.filter((time) => time >= start).length;
    },
    sliding: ({ everyMs }, before, now) => before.filter((time) => now - time < everyMs).length,
    bucket: ({ allow, everyMs }, before, now) => {
      // When each comes back: a share after it was taken, or after the one before it came back.
      let back = Number.NEGATIVE_INFINITY;
      const backs = before.map((time) => {
        back = Math.max(back, time * allow) + everyMs;
        return back;
      });
      return backs.filter((one) => one > now * allow).length;
    },
  };

  it.each(['fixed', 'sliding', 'bucket'] as const)('%s: as worked out from all that was allowed', (kind) => {
    fc.assert(
      fc.property(rates, times, ({ allow, everyMs }, asked) => {
        const of = rate(kind, allow, everyMs);
        const window = windowOf(of);
        const before: number[] = [];
        for (const now of asked) {
          const used = models[kind](of, before, now);
          const { isAllowed, remaining, resetMs } = window.take(now);
          expect(isAllowed).toBe(used < allow);
          expect(remaining).toBe(isAllowed ? allow - used - 1 : 0);
          if (isAllowed) before.push(now);
          const left = (time: number): number => allow - models[kind](of, before, time);
          const until = now + Math.ceil(resetMs);
          expect(resetMs).toBeGreaterThan(0);
          expect(left(until)).toBeGreaterThan(remaining);
          expect(left(until - 1)).toBe(remaining);
        }
      }),
    );
  });
});

describe('a counter of one process', () => {
  const one = (whose: string, of = rate('fixed', 1, 100)) => ({ rate: of, whose });

  it('counts each apart, and each under each rate up to the first that refuses', () => {
    const counter = processCounter(() => 0);
    const [small, large] = [rate('fixed', 1, 100), { ...rate('fixed', 2, 100), name: 'large' }];
    const take = (whose: string) =>
      (counter.take([one(whose, large), one(whose, small)]) as Taken[]).map(({ isAllowed }) => isAllowed);
    expect(take('a')).toEqual([true, true]);
    expect(take('b')).toEqual([true, true]);
    expect(take('a')).toEqual([true, false]);
    expect(take('a')).toEqual([false]);
  });

  it('takes a clock that is set back to stand still', () => {
    let now = 1000;
    const counter = processCounter(() => now);
    const isAllowed = () => (counter.take([one('a')]) as Taken[])[0]?.isAllowed;
    expect(isAllowed()).toBe(true);
    now = 0;
    expect(counter.take([one('a')])).toEqual([{ isAllowed: false, remaining: 0, resetMs: 100 }]);
    now = 1100;
    expect(isAllowed()).toBe(true);
  });

  it('keeps none that counts nothing any more, however many there were', () => {
    let now = 0;
    const counter = processCounter(() => now);
    for (let i = 0; i < 100_000; i += 1) {
      now += 1;
      counter.take([one(`${i}`)]);
    }
    expect(counter.size()).toBeLessThan(3000);
  });

  it('lets in as many as there may be at once, and another when one is over', () => {
    const counter = processCounter(() => 0);
    const enter = (whose: string) => counter.enter({ name: 'c', allow: 2, whose }) as (() => void) | null;
    const [first, second] = [enter('a'), enter('a')];
    expect(enter('a')).toBeNull();
    expect(enter('b')).not.toBeNull();
    first?.();
    const third = enter('a');
    expect(third).not.toBeNull();
    expect(enter('a')).toBeNull();
    second?.();
    third?.();
    expect(enter('a')).not.toBeNull();
  });
});
