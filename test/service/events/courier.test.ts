import { describe, expect, it, onTestFinished } from 'vitest';
import { compileCourier } from '../../../src/service/events/courier/courier.ts';
import { isIdle, lineOf } from '../../../src/service/events/courier/line.ts';
import { hostBounds } from '../../../src/service/events/courier/turns.ts';
import { gone, type Outcome, type Way } from '../../../src/service/events/courier/way.ts';
import { deliveryTable, enqueue } from '../../../src/service/events/deliveries.ts';
import type { Reply } from '../../../src/service/message/reply.ts';
import type { Plan } from '../../../src/service/store/plan.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { absence, opened as openedThere, schema } from '../store/postgres.ts';
import { done, opened } from '../store/stores.ts';

const absent = await absence();

/** A courier over a store and a clock of the test's own; `answer` is what each attempt comes to. */
function desk(
  pauses: readonly number[],
  answer: (target: string, event: string, tries: number) => Promise<Outcome> | Outcome,
  store: Store = opened([deliveryTable]),
) {
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
  onTestFinished(() => courier.close(AbortSignal.abort()));
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
      tries < 2 ? failed : event === 'gone' ? gone : arrived,
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

  it('forgets no target while the store is asked what is due there: it would not know what is under way', () => {
    const delivery = {
      way: 'hooks',
      target: 'a',
      event: '1',
      turn: '',
      lane: '1',
      place: 1,
      tries: 1,
      due: 1,
    };
    const line = lineOf(delivery);
    expect(isIdle(line)).toBe(true);
    line.isAsked = true;
    expect(isIdle(line)).toBe(false);
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
    await first.courier.close(AbortSignal.abort());
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
    await second.close(AbortSignal.abort());
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
    await courier.close(AbortSignal.abort());
  });
});

/** Targets, each of an owner of its own or of one that is named, that hang until they are let go. */
function hanging(count: number) {
  const held = Promise.withResolvers<Outcome>();
  const calls: string[] = [];
  const made = desk([], (target) => {
    if (!target.startsWith('dead')) return arrived;
    calls.push(target);
    return held.promise;
  });
  const put = async (each: number, owner?: string): Promise<void> => {
    await done(made.store, (tx) => {
      for (let target = 0; target < count; target += 1)
        for (let event = 0; event < each; event += 1)
          enqueue(tx, ['hooks', `dead${target}`, `${target}-${event}`, ''], `${event}`, owner);
    });
  };
  const turns = async (isSo: () => boolean): Promise<void> => {
    made.courier.wake();
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...made, put, plain: made.put, calls, letGo: () => held.resolve(arrived), turns };
}

describe('targets that hang', () => {
  it('take their own share alone: of a thousand so many are tried, and one that answers is tried at once', async () => {
    const { plain, put, attempts, calls, courier, turns, letGo } = hanging(1000);
    await plain('good', 'before');
    await courier.ring();
    await put(3);
    await turns(() => calls.length === hostBounds.ofStanding.new);
    for (let event = 0; event < 5; event += 1) {
      await plain('good', `e${event}`);
      await turns(() => attempts.includes(`0 good e${event}`));
    }
    expect(calls).toHaveLength(hostBounds.ofStanding.new);
    letGo();
    await courier.ring();
    expect(new Set(attempts).size).toBe(3006);
  });

  it('of one owner take that owner’s share alone, and each target is tried', async () => {
    const { plain, put, calls, attempts, turns, letGo, courier } = hanging(30);
    const share = hostBounds.ofStanding.new * hostBounds.partOfOwner;
    await put(2, 'one');
    await turns(() => calls.length === share);
    await plain('new', 'e');
    await turns(() => attempts.includes('0 new e'));
    expect([calls.length, new Set(calls).size]).toEqual([share, share]);
    letGo();
    await courier.ring();
    expect(new Set(attempts).size).toBe(61);
  });

  it('wait in the store: no more is read than can be sent', async () => {
    const { store, put, calls, turns, letGo } = hanging(10);
    await put(1000);
    let rows = 0;
    const read = store.read.bind(store);
    (store as { read: typeof read }).read = ((look: Parameters<typeof read>[0]) =>
      read((reads) =>
        look({
          ...reads,
          rows: (...asked) => {
            const found = reads.rows(...asked);
            rows += found.length;
            return found;
          },
        }),
      )) as typeof store.read;
    await turns(() => calls.length === hostBounds.ofStanding.new);
    // Two are read for the first attempt of a target, and each target is found by a row.
    expect(rows).toBeLessThan(10 * 6);
    letGo();
  });
});

describe.each(['sqlite', 'postgres'] as const)('a courier on %s', (kind) => {
  const missing = kind === 'postgres' && absent !== null;

  it.skipIf(missing)(
    'finds all that waits, for however many targets, and what is due again at one time',
    async () => {
      const open = async (): Promise<Store> =>
        kind === 'sqlite' ? opened([deliveryTable]) : openedThere((await schema()).address, [deliveryTable]);
      const made = desk([1000], (_, __, tries) => (tries < 2 ? failed : arrived), await open());
      const events = Array.from({ length: 230 }, (_, index) => `e${index}`);
      await done(made.store, (tx) => {
        for (const [index, event] of events.entries())
          enqueue(tx, ['hooks', index === 0 ? '' : `t${index % 115}`, event, ''], event);
      });
      await made.at(0);
      expect(new Set(made.attempts).size).toBe(230);
      await made.at(999);
      expect(made.attempts).toHaveLength(230);
      await made.at(1000);
      expect(made.attempts).toHaveLength(460);
      await made.at(9_999);
      expect([made.attempts.length, made.faults]).toEqual([460, []]);
    },
  );
});

describe('an attempt', () => {
  it('that cannot lead to anything is the last, whatever is stated', async () => {
    const { put, at, attempts } = desk([1000], () => ({ arrived: false, last: 'no address', isLast: true }));
    await put('a', '1');
    await at(0);
    await at(1000);
    expect(attempts).toEqual(['0 a 1']);
  });

  it('that is stopped is not noted, and made again by the next courier', async () => {
    const first = desk([1000], () => new Promise<Outcome>(() => {}));
    const stop = new AbortController();
    const stopped = compileCourier({
      ...first,
      ways: new Map([
        [
          'hooks',
          {
            attempt: (_: string, __: string, signal: AbortSignal) =>
              new Promise<Outcome>((_resolve, reject) =>
                signal.addEventListener('abort', () => reject(new Error('stopped'))),
              ),
            pause: () => 1000,
          },
        ],
      ]),
    });
    await first.put('a', '1');
    stopped.wake();
    while (stopped.underway() !== 1) await new Promise((resolve) => setImmediate(resolve));
    const closed = stopped.close(stop.signal);
    stop.abort();
    await closed;
    const second = desk([], () => arrived, first.store);
    await second.at(0);
    expect([second.attempts, first.faults]).toEqual([['0 a 1'], []]);
  });
});
