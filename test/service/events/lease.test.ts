import { describe, expect, it } from 'vitest';
import { type Lease, leaseOn, leaseTable } from '../../../src/service/events/lease.ts';
import { absence, opened, schema } from '../store/postgres.ts';
import { done } from '../store/stores.ts';

const missing = await absence();

/** Two processes on one store, each with a clock of its own. */
async function two() {
  const { address } = await schema();
  const faults: unknown[] = [];
  const taken: string[] = [];
  const process = async (name: string) => {
    const store = await opened(address, [leaseTable]);
    const clock = { now: name === 'first' ? 1_000_000 : 5 };
    const lease = leaseOn(
      store,
      name,
      () => clock.now,
      () => void taken.push(name),
      (fault) => void faults.push(fault),
    );
    const isHeld = async (): Promise<boolean> => {
      let held = false;
      await done(store, (tx) => {
        held = lease.isHeld(tx);
      });
      return held;
    };
    return { lease, clock, isHeld, store };
  };
  return { first: await process('first'), second: await process('second'), faults, taken };
}

const holders = (...leases: readonly Lease[]): boolean[] => leases.map(({ holds }) => holds());

describe.skipIf(missing !== null)('of several processes on one store', () => {
  it('one delivers, for as long as it says so', async () => {
    const { first, second, taken, faults } = await two();
    await first.lease.beat();
    for (let beats = 0; beats < 10; beats += 1) {
      await second.lease.beat();
      second.clock.now += 3_000;
      await first.lease.beat();
    }
    expect(holders(first.lease, second.lease)).toEqual([true, false]);
    expect([await first.isHeld(), await second.isHeld()]).toEqual([true, false]);
    expect([taken, faults]).toEqual([['first'], []]);
  });

  it('another delivers once that one was silent for six seconds by its own clock, and no sooner', async () => {
    const { first, second, taken } = await two();
    await first.lease.beat();
    await second.lease.beat();
    second.clock.now += 5_999;
    await second.lease.beat();
    expect(holders(first.lease, second.lease)).toEqual([true, false]);
    second.clock.now += 1;
    await second.lease.beat();
    // The first one does not know yet, and can note nothing all the same.
    expect(holders(first.lease, second.lease)).toEqual([true, true]);
    expect([await first.isHeld(), await second.isHeld()]).toEqual([false, true]);
    await first.lease.beat();
    expect(holders(first.lease, second.lease)).toEqual([false, true]);
    expect(taken).toEqual(['first', 'second']);
  });

  it('another delivers at once, where that one has ended', async () => {
    const { first, second } = await two();
    await first.lease.beat();
    await second.lease.beat();
    await first.lease.release();
    await second.lease.beat();
    expect(holders(first.lease, second.lease)).toEqual([false, true]);
  });

  it('none delivers that cannot reach the store', async () => {
    const { first, second, faults } = await two();
    await first.lease.beat();
    await first.store.close();
    await first.lease.beat();
    expect(first.lease.holds()).toBe(false);
    expect(faults).toHaveLength(1);
    await second.lease.beat();
    second.clock.now += 6_000;
    await second.lease.beat();
    expect(second.lease.holds()).toBe(true);
  });
});
