import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { createClient } from '@redis/client';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Counter } from '../../../src/service/limits/counter.ts';
import { openCounter } from '../../../src/service/limits/open.ts';
import { postgresCounter } from '../../../src/service/limits/postgres.ts';
import { redisCounter } from '../../../src/service/limits/redis.ts';
import { type Rate, windowOf } from '../../../src/service/limits/window.ts';
import type { Taken } from '../../../src/service/message/tally.ts';
import { StoreRefused } from '../../../src/service/store/store.ts';
import { answer, ask, start } from '../served.ts';
import { absence, schema } from '../store/postgres.ts';
import { processes } from './processes.ts';

const redis = process.env['TACET_REDIS'] ?? 'redis://127.0.0.1:6379';

/** Whether Redis is there; where `CI` is set, it has to be. */
async function isThere(): Promise<boolean> {
  if (process.env['CI']) return true;
  const client = createClient({ url: redis, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  const found = await client.connect().then(
    () => true,
    () => false,
  );
  client.destroy();
  return found;
}

/** A place of this test's own where requests are counted: its address, and the name of what is counted together. */
interface Place {
  readonly address: string;
  readonly name: string;
}

const servers = {
  Redis: {
    isAbsent: !(await isThere()),
    place: async (): Promise<Place> => {
      const name = `test-${randomUUID()}`;
      onTestFinished(async () => {
        const client = await createClient({ url: redis }).connect();
        const keys = await client.keys(`{tacet:${name}}*`);
        if (keys.length > 0) await client.del(keys);
        await client.close();
      });
      return { address: redis, name };
    },
    open: redisCounter,
  },
  PostgreSQL: {
    isAbsent: (await absence()) !== null,
    place: async (): Promise<Place> => ({ address: (await schema()).address, name: 'counted' }),
    open: postgresCounter,
  },
};

describe.each(Object.entries(servers))('%s', (_server, { isAbsent, place, open }) => {
  async function counter({ address, name }: Place, microseconds?: () => number): Promise<Counter> {
    const made = await open(address, name, microseconds);
    onTestFinished(() => made.close());
    return made;
  }

  describe.skipIf(isAbsent)('counts rates', () => {
    const kinds = ['fixed', 'sliding', 'bucket'] as const;
    // In minutes, so that what is kept does not end by the server's own clock meanwhile.
    const minute = 60_000;
    const rates = fc.record({
      allow: fc.integer({ min: 1, max: 5 }),
      everyMs: fc.integer({ min: 1, max: 30 }).map((count) => count * minute),
    });
    const gaps = fc.array(fc.integer({ min: 0, max: 12 * minute }), { maxLength: 25 });

    it.each(kinds)('%s: are as in one process', async (window) => {
      const at = await place();
      let now = 0;
      const shared = await counter(at, () => now * 1000);
      let run = 0;
      const property = fc.asyncProperty(rates, gaps, async ({ allow, everyMs }, waits) => {
        run += 1;
        const rate: Rate = { name: `r${run}`, allow, everyMs, window };
        const own = windowOf(rate);
        now = 1_800_000_000_000;
        for (const wait of waits) {
          now += wait;
          const [told] = (await shared.take([{ rate, whose: 'a' }])) as [Taken];
          const expected = own.take(now);
          expect({ ...told, resetMs: 0 }).toEqual({ ...expected, resetMs: 0 });
          expect(told.resetMs).toBeCloseTo(expected.resetMs, 2);
        }
      });
      await fc.assert(property, { numRuns: 40 });
    });

    it('are counted one after the other up to the first that refuses, in one step', async () => {
      const shared = await counter(await place());
      const rate = (name: string, allow: number): Rate => ({
        name,
        allow,
        everyMs: minute,
        window: 'sliding',
      });
      const counted = (whose: string) => [
        { rate: rate('large', 2), whose },
        { rate: rate('small', 1), whose },
      ];
      const take = async (whose: string) =>
        (await shared.take(counted(whose))).map(({ isAllowed, remaining }) => [isAllowed, remaining]);
      expect(await take('a')).toEqual([
        [true, 1],
        [true, 0],
      ]);
      expect(await take('a')).toEqual([
        [true, 0],
        [false, 0],
      ]);
      expect(await take('a')).toEqual([[false, 0]]);
      expect(await take('b')).toHaveLength(2);
    });

    it('are allowed as often as stated, and no more, however many ask at once', async () => {
      const at = await place();
      const three = await Promise.all([counter(at), counter(at), counter(at)]);
      const rate: Rate = { name: 'r', allow: 100, everyMs: minute, window: 'bucket' };
      const asked = Array.from({ length: 300 }, (_, index) =>
        (three[index % 3] as Counter).take([{ rate, whose: 'a' }]),
      );
      const told = (await Promise.all(asked)).flat();
      expect(told.filter(({ isAllowed }) => isAllowed)).toHaveLength(100);
    });

    it('lets in as many as may run at once, whichever process they ask', async () => {
      const at = await place();
      const [one, two] = await Promise.all([counter(at), counter(at)]);
      const entering = { name: 'c', allow: 2, whose: 'a' };
      const first = await one.enter(entering);
      expect(first).not.toBeNull();
      const second = await two.enter(entering);
      expect(second).not.toBeNull();
      expect(await one.enter(entering)).toBeNull();
      first?.();
      let third = await two.enter(entering);
      while (third === null) third = await two.enter(entering);
      expect(await one.enter(entering)).toBeNull();
      for (const end of [second, third]) end?.();
    });
  });

  describe.skipIf(isAbsent)('counts for services', () => {
    const rates =
      'rates: { one: { allow: 3, every: PT1H, per: (none), headers: draft-10 }, two: { allow: 9, every: PT1H, per: address } }';

    it('count together, and tell the same', async () => {
      const { address, name } = await place();
      const [one, two] = await Promise.all(
        [0, 1].map(() => start(document(name, rates), { counter: address })),
      );
      const told = (left: number) => [
        'RateLimit-Policy: "one";q=3;w=3600',
        `RateLimit: "one";r=${left};t=3600`,
      ];
      expect(await ask(one as never, 'GET /one')).toEqual(answer(204, '', told(2)));
      expect(await ask(two as never, 'POST /notes', { id: 'a' })).toEqual(answer(201, '', told(1)));
      expect(await ask(one as never, 'POST /notes', { id: 'b' })).toEqual(answer(201, '', told(0)));
      const refused = await ask(two as never, 'POST /notes', { id: 'c' });
      expect(refused).toMatchObject({
        status: 429,
        fields: expect.arrayContaining([expect.stringMatching(/^Retry-After: 3(600|59\d)$/)]),
      });
      expect((await ask(one as never, 'GET /one')).status).toBe(429);
    });

    it('answer 503 to what they cannot count, say why, and go on when they can again', async () => {
      const { address, name } = await place();
      const between = await gate(address);
      const service = await start(document(name, rates), { counter: between.address });
      expect((await ask(service, 'GET /one')).status).toBe(204);
      between.shut();
      expect(await ask(service, 'GET /one')).toEqual(answer(503));
      expect(await ask(service, 'POST /notes', { id: 'a' })).toEqual(answer(503));
      expect(service.faults.map(String)).toEqual([
        'Error: requests cannot be counted',
        'Error: requests cannot be counted',
      ]);
      between.open();
      let status = 503;
      while (status === 503) ({ status } = await ask(service, 'GET /one'));
      expect(status).toBe(204);
    });
  });

  describe.skipIf(isAbsent)('counts for three processes', () => {
    it('allow together what is stated, in every window', async () => {
      const { address, name } = await place();
      const limits = 'rates: { one: { allow: 10, every: PT1S, per: (none), window: sliding } }';
      const services = await processes(document(name, limits), 3, ['--limits', address]);
      const allowed: { readonly sent: number; readonly got: number }[] = [];
      let refused = 0;
      const end = performance.now() + 3000;
      const asking = services
        .flatMap((port) => [port, port])
        .map(async (port) => {
          while (performance.now() < end) {
            const sent = performance.now();
            const { status } = await fetch(`http://127.0.0.1:${port}/one`);
            if (status === 204) allowed.push({ sent, got: performance.now() });
            else refused += 1;
          }
        });
      await Promise.all(asking);
      // Counted at some time between the two, so no window holds more of those that lie in it whole than is stated.
      for (const { sent } of allowed) {
        const within = allowed.filter((one) => one.sent >= sent && one.got < sent + 1000);
        expect(within.length).toBeLessThanOrEqual(10);
      }
      expect(refused).toBeGreaterThan(0);
      // Three windows begin and end meanwhile, and a slow machine misses the end of one.
      expect(allowed.length).toBeGreaterThanOrEqual(20);
      expect(allowed.length).toBeLessThanOrEqual(40);
    }, 30_000);
  });
});

describe('a place where requests cannot be counted', () => {
  it.each([
    'redis://:secret@127.0.0.1:1',
    'postgres://nobody:secret@127.0.0.1:1/none',
    'mysql://127.0.0.1',
    'nowhere',
  ])('%s is told of at the start, without its password', async (place) => {
    const opening = openCounter(place, 'x', () => 0);
    await expect(opening).rejects.toThrow(StoreRefused);
    await expect(opening).rejects.not.toThrow(/secret/);
  });
});

/** Counted requests of a service of this name. */
const document = (name: string, limits: string): string => `name: ${name}
resources:
  Note: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: refuse
  GET /one: { does: (none), response: 204 }
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
errors: { codes: { enough: { when: rate exceeded, status: 429, headers: { Retry-After: "\${rate.reset}" } } } }
limits:
  ${limits}
`;

/** A way to the server that can be shut. */
async function gate(address: string) {
  const { connect } = await import('node:net');
  const behind = new URL(address);
  const sockets = new Set<Socket>();
  let isShut = false;
  const way = createServer((from) => {
    if (isShut) {
      from.destroy();
      return;
    }
    const to = connect(Number(behind.port), behind.hostname);
    for (const one of [from, to]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const one of sockets) one.destroy();
    way.close();
  });
  const before = new URL(address);
  before.port = String((way.address() as { port: number }).port);
  return {
    address: before.href,
    shut: () => {
      isShut = true;
      for (const one of sockets) one.destroy();
    },
    open: () => {
      isShut = false;
    },
  };
}
