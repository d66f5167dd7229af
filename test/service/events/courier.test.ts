import { describe, expect, it, onTestFinished } from 'vitest';
import { compileCourier, type Outcome, type Way } from '../../../src/service/events/courier.ts';
import { deliveryTable, enqueue } from '../../../src/service/events/deliveries.ts';
import type { Plan } from '../../../src/service/plan.ts';
import type { Reply } from '../../../src/service/reply.ts';
import { done, opened } from '../store/stores.ts';

/** A courier over a store and a clock of the test's own; `answer` is what each attempt comes to. */
function desk(
  pauses: readonly number[],
  answer: (target: string, event: string, tries: number) => Promise<Outcome> | Outcome,
) {
  const store = opened([deliveryTable]);
  const clock = { now: 1_000_000 };
  const attempts: string[] = [];
  const faults: unknown[] = [];
  const counts = new Map<string, number>();
  const way: Way = {
    attempt: async (target, event) => {
      attempts.push(`${clock.now - 1_000_000} ${target} ${event}`);
      const tries = (counts.get(event) ?? 0) + 1;
      counts.set(event, tries);
      return answer(target, event, tries);
    },
    pause: (tries) => pauses[tries - 1] ?? null,
  };
  const around = {
    store,
    ways: new Map([['hooks', way]]),
    milliseconds: () => clock.now,
    wake: () => () => {},
    commit: async (plan: Plan): Promise<Reply | null> => (await store.commit([plan], () => 0))[0] ?? null,
    leads: () => true,
    isLeading: () => true,
    fault: (fault: unknown) => void faults.push(fault),
  };
  const courier = compileCourier(around);
  onTestFinished(courier.close);
  const put = (target: string, event: string, lane = event, name = 'hooks'): Promise<Reply> =>
    done(store, (tx) => enqueue(tx, [name, target, event, ''], lane));
  const at = async (ms: number): Promise<void> => {
    clock.now = 1_000_000 + ms;
    await courier.ring();
  };
  return { ...around, courier, put, at, attempts, faults };
}

const failed: Outcome = { arrived: false, last: '500' };
const arrived: Outcome = { arrived: true, last: '204' };

describe('a courier', () => {
  it('tries at once, and again after each pause, to the millisecond, and then no more', async () => {
    const { put, at, attempts, faults } = desk([5_000, 300_000, 1_800_000], () => failed);
    await put('a', '1');
    for (const ms of [0, 1, 4_999, 5_000, 5_001, 304_999, 305_000, 2_104_999, 2_105_000, 9_999_999_999])
      await at(ms);
    expect(attempts).toEqual(['0 a 1', '5000 a 1', '305000 a 1', '2105000 a 1']);
    expect(faults).toEqual([]);
  });

  it('ends once it arrived, or there is nobody to send it to', async () => {
    const { put, at, attempts } = desk([1_000, 1_000], (_, event, tries) =>
      tries < 2 ? failed : event === 'gone' ? 'gone' : arrived,
    );
    await put('a', '1');
    await put('a', 'gone');
    for (const ms of [0, 1_000, 2_000]) await at(ms);
    expect(attempts).toEqual(['0 a 1', '0 a gone', '1000 a 1', '1000 a gone']);
  });

  it('tries those of one lane first in their order, each once the one before was tried', async () => {
    const { put, at, attempts } = desk([60_000], async (_, event) => {
      for (let turn = 0; turn < (event.startsWith('slow') ? 20 : 1); turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      return event === 'slow1' ? failed : arrived;
    });
    for (const event of ['slow1', 'slow2', 'slow3']) await put('a', event, 'slow');
    for (const event of ['quick1', 'quick2']) await put('a', event, 'quick');
    await at(0);
    expect(attempts.filter((one) => one.includes('slow'))).toEqual(['0 a slow1', '0 a slow2', '0 a slow3']);
    expect(attempts.indexOf('0 a quick2')).toBeLessThan(attempts.indexOf('0 a slow2'));
  });

  it('is held up by no address that does not answer', async () => {
    const hang = Promise.withResolvers<Outcome>();
    const { put, courier, attempts } = desk([], (target) => (target === 'hangs' ? hang.promise : arrived));
    for (let event = 0; event < 250; event += 1) await put('hangs', `h${event}`, 'one');
    await put('a', '1');
    courier.wake();
    while (!attempts.includes('0 a 1')) await new Promise((resolve) => setImmediate(resolve));
    expect(attempts).toEqual(expect.arrayContaining(['0 hangs h0', '0 a 1']));
    hang.resolve(arrived);
    await courier.ring();
    expect(attempts.filter((one) => one.includes('hangs'))).toHaveLength(250);
  });

  it('tells how many attempts are under way, and that more may be while it looks', async () => {
    const hang = Promise.withResolvers<Outcome>();
    const { put, courier, attempts } = desk([], () => hang.promise);
    expect(courier.underway()).toBe(0);
    await put('a', '1');
    await put('b', '2');
    courier.wake();
    expect(courier.underway()).toBe(Number.POSITIVE_INFINITY);
    while (attempts.length < 2 || courier.underway() > 2)
      await new Promise((resolve) => setImmediate(resolve));
    expect(courier.underway()).toBe(2);
    hang.resolve(arrived);
    await courier.ring();
    expect(courier.underway()).toBe(0);
  });

  it('sends what another left, by when that was due, and what is of no way that is stated not at all', async () => {
    const first = desk([10_000], () => failed);
    await first.put('a', '1');
    await first.put('a', 'foreign', 'x', 'fax');
    await first.at(0);
    await first.courier.close();
    const attempts: string[] = [];
    const attempt: Way['attempt'] = async (_, event) => {
      attempts.push(event);
      return arrived;
    };
    const way: Way = { attempt, pause: () => null };
    const clock = { now: 1_009_999 };
    const second = compileCourier({
      ...first,
      ways: new Map([['hooks', way]]),
      milliseconds: () => clock.now,
    });
    await second.ring();
    expect(attempts).toEqual([]);
    clock.now += 1;
    await second.ring();
    expect(attempts).toEqual(['1']);
    await second.close();
  });

  it('tries again what it could not note, since nobody knows of it', async () => {
    let isFull = true;
    const { put, store, ways, milliseconds, wake, attempts, leads, isLeading } = desk([], () => arrived);
    const faults: unknown[] = [];
    const courier = compileCourier({
      store,
      ways,
      milliseconds,
      wake,
      leads,
      isLeading,
      commit: async (plan) => {
        if (isFull) throw new Error('the disk is full');
        return (await store.commit([plan], () => 0))[0] ?? null;
      },
      fault: (fault) => {
        faults.push(fault);
        isFull = false;
      },
    });
    await put('a', '1');
    await courier.ring();
    while (attempts.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await courier.ring();
    expect([attempts, faults.length]).toEqual([['0 a 1', '0 a 1'], 1]);
    await courier.close();
  });
});
