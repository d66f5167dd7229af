import { describe, expect, it } from 'vitest';
import { passwordQueue } from '../../../src/service/access/password-queue.ts';
import { passwordsAtOnce } from '../../../src/service/message/host-limits.ts';
import { Unreceived } from '../../../src/service/message/incoming.ts';
import { HostBusy } from '../../../src/service/message/reply.ts';

/** A work that ends when it is told to. */
function gate(): { readonly work: () => Promise<string>; readonly open: () => void; begun: boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const made = {
    begun: false,
    work: () => {
      made.begun = true;
      return promise;
    },
    open: () => resolve('done'),
  };
  return made;
}

/** Until what is due at once has happened. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const wanted = (): boolean => true;

describe('the queue of passwords', () => {
  it('runs so many at once, then the next in turn, and refuses beyond its bound', async () => {
    const queue = passwordQueue(3, 1);
    const gates = [gate(), gate(), gate(), gate()] as const;
    const [first, second, third, fourth] = gates.map(({ work }) => queue.run(work, wanted));
    await expect(fourth).rejects.toEqual(new HostBusy('passwordChecks'));
    expect(gates.map(({ begun }) => begun)).toEqual([true, false, false, false]);
    gates[0].open();
    expect(await first).toBe('done');
    await turn();
    expect(gates.map(({ begun }) => begun)).toEqual([true, true, false, false]);
    for (const { open } of gates) open();
    expect(await Promise.all([second, third])).toEqual(['done', 'done']);
    expect(await queue.run(async () => 'room', wanted)).toBe('room');
  });

  it('lets go of what nobody waits for: at its turn, and where its place is needed', async () => {
    const queue = passwordQueue(2, 1);
    const [running, left, next] = [gate(), gate(), gate()];
    const first = queue.run(running.work, wanted);
    let isThere = true;
    const gone = queue.run(left.work, () => isThere).catch((error: unknown) => error);
    isThere = false;
    const third = queue.run(next.work, wanted);
    expect(await gone).toBeInstanceOf(Unreceived);
    running.open();
    next.open();
    expect(await Promise.all([first, third])).toEqual(['done', 'done']);
    expect(left.begun).toBe(false);
  });

  it('ends: what waits is let go, what runs is waited for and comes to nothing, and nothing begins', async () => {
    const queue = passwordQueue(2, 1);
    const running = gate();
    const all = [running.work, gate().work].map((work) =>
      queue.run(work, wanted).catch((error: unknown) => error),
    );
    const closed = queue.close();
    running.open();
    await closed;
    for (const found of await Promise.all(all)) expect(found).toBeInstanceOf(Unreceived);
    await expect(queue.run(gate().work, wanted)).rejects.toBeInstanceOf(Unreceived);
  });

  it('goes on after a work that fails', async () => {
    const queue = passwordQueue(2, 1);
    const failure = new Error('it fails');
    await expect(queue.run(() => Promise.reject(failure), wanted)).rejects.toBe(failure);
    expect(await queue.run(async () => 'next', wanted)).toBe('next');
  });

  it.each([
    [1, 4, 1],
    [2, 4, 2],
    [64, 4, 3],
    [64, 16, 15],
    [8, 1, 1],
  ])('of %i processors and %i threads uses %i', (processors, threads, expected) => {
    expect(passwordsAtOnce(processors, threads)).toBe(expected);
  });
});
