import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/service/store/postgres/open.ts';
import { type Moment, Moments, NoMoment } from '../../../src/service/store/postgres/replica/moments.ts';

/** Both sides, which show what the test has them show, once it lets them answer. */
function sides() {
  const shows = { primary: '1', replica: '1' };
  const open = new Set<string>();
  let waits = Promise.withResolvers<void>();
  let asked = Promise.withResolvers<void>();
  const moments = new Moments({
    primary: async () => {
      const version = shows.primary;
      asked.resolve();
      await waits.promise;
      return version;
    },
    replica: async () => {
      const version = shows.replica;
      await waits.promise;
      open.add(version);
      return { version, connection: version as unknown as Connection, over: () => void open.delete(version) };
    },
  });
  return {
    moments,
    shows,
    open,
    /** Waits until both were asked, and lets them answer once `before` is done. */
    answer: async (before = (): void => {}): Promise<void> => {
      await asked.promise;
      before();
      const { resolve } = waits;
      waits = Promise.withResolvers();
      asked = Promise.withResolvers();
      resolve();
    },
  };
}

const versions = (found: readonly Moment[]): string[] => found.map(({ connection }) => String(connection));

describe('moments', () => {
  it('are one for all who wait, and over once they are for all', async () => {
    const { moments, open, answer } = sides();
    const waiting = [moments.next(), moments.next()];
    await answer();
    const found = await Promise.all(waiting);
    expect(versions(found)).toEqual(['1', '1']);
    found[0]?.over();
    found[0]?.over();
    expect([...open]).toEqual(['1']);
    found[1]?.over();
    expect([...open]).toEqual([]);
  });

  it('are what the primary showed after the asking, even if it shows more by now', async () => {
    const { moments, shows, answer } = sides();
    shows.replica = '0';
    const waiting = moments.next();
    await answer();
    // The replica is where the primary was.
    [shows.primary, shows.replica] = ['2', '1'];
    await answer();
    expect(versions([await waiting])).toEqual(['1']);
  });

  it('are nothing that the primary showed before the asking', async () => {
    const { moments, shows, answer } = sides();
    const first = moments.next();
    let second: Promise<Moment> | undefined;
    await answer(() => {
      second = moments.next();
    });
    expect(versions([await first])).toEqual(['1']);
    shows.primary = '2';
    const failed = expect(second).rejects.toThrow(NoMoment);
    await Promise.race([answer(), failed]);
    await failed;
    expect(moments.isPaused).toBe(false);
  });

  it('are not looked for on where none was found', async () => {
    const { moments } = sides();
    await expect(moments.next()).rejects.toThrow(NoMoment);
    expect(moments.isPaused).toBe(true);
  });

  it('are not looked for on where the replica fails', async () => {
    const moments = new Moments({
      primary: async () => '1',
      replica: () => Promise.reject(new Error('it is gone')),
    });
    await expect(moments.next()).rejects.toThrow(NoMoment);
    expect(moments.isPaused).toBe(true);
  });
});
