import { describe, expect, it } from 'vitest';
import { passing } from '../../../src/cli/test/passing.ts';

const day = 86_400_000;

/** A service in which something is due at these times from now on, and what its clock was moved to, in whole seconds. */
function service(...due: number[]) {
  const begun = Date.now();
  const moved: number[] = [];
  const move = async (aheadMs: number): Promise<number | null> => {
    moved.push(Math.round(aheadMs / 1000));
    const now = Date.now() + aheadMs;
    return due.map((ms) => begun + ms).find((at) => at > now) ?? null;
  };
  return { move, moved };
}

describe('what a tester waits for of a service whose clock it moves', () => {
  it('passes at once, by way of all that is due on the way', async () => {
    const { move, moved } = service(14 * day, 20 * day, 40 * day);
    const { wait, ahead } = passing(move);
    await wait(30 * day);
    expect(moved).toEqual([0, 14, 20, 30].map((days) => (days * day) / 1000));
    expect(Math.round(ahead() / 1000)).toBe((30 * day) / 1000);
  });

  it('passes no further once that is there which is waited for', async () => {
    const met = new AbortController();
    const { move, moved } = service(5000, 9000);
    const { wait, ahead } = passing(async (aheadMs) => {
      if (aheadMs > 4000) met.abort();
      return await move(aheadMs);
    });
    await wait(day, met.signal);
    expect([moved, Math.round(ahead() / 1000)]).toEqual([[0, 5], 5]);
  });

  it('takes larger steps where something is due again and again', async () => {
    let steps = 0;
    const { wait } = passing(async (aheadMs) => {
      steps += 1;
      return Date.now() + aheadMs + 1000;
    });
    await wait(30 * day);
    expect(steps).toBeGreaterThan(1000);
    expect(steps).toBeLessThan(2100);
  });
});
