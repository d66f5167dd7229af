import { copyFileSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { openStore } from '../../src/service/store/open.ts';
import { NotKept, type Store } from '../../src/service/store/store.ts';
import { isPostgres } from './places.ts';
import { answer, ask, dataFile, place, type Served, start } from './served.ts';

const text = (
  work = 'work: { ordered: { handled: bake, may: [finish Cake, spoil Cake, read Cake, create Note] } }',
) => `
name: A bakery
resources:
  Cake:
    identifier: id
    fields:
      id: { type: string }
      size: { type: integer, default: 1 }
      code: { type: string, secret: hashed, set: { create: "\${random(8)}" } }
      by: { type: string }
      status: { type: string }
    required: [id]
    invariants: { it is not too large: "\${this.size < 100}" }
  Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string } } }
states:
  Cake.status:
    states: [planned, ordered, ready, spoilt]
    initial: "\${this.size > 1 ? 'planned' : 'ordered'}"
    transitions:
      want: { from: [planned, ordered], to: ordered }
      finish: { from: ordered, to: ready, when: "\${this.size < 10}", set: { by: "\${actor == null ? 'nobody' : 'somebody'}" } }
      spoil: { from: [ordered, ready], to: spoilt }
    ${work}
endpoints:
  others: refuse
  POST /cakes: { does: create Cake, request: { body: Cake }, response: { status: 201, body: Cake } }
  GET /cakes/{id}: { does: read Cake, response: { status: 200, body: Cake } }
  PATCH /cakes/{id}: { does: update Cake, request: { body: Cake }, response: 204 }
  DELETE /cakes/{id}: { does: delete Cake, response: 204 }
  POST /cakes/{id}/want: { does: want Cake, response: 204 }
  POST /cakes/{id}/spoil: { does: spoil Cake, response: 204 }
  GET /notes: { does: { list: Note }, response: { status: 200, body: "\${page.total}" } }
errors: { codes: { unknown: { when: unknown, status: 404 }, broken: { when: invariant broken, status: 409 } } }
`;

interface Call {
  readonly item: { readonly id: string; readonly status: string };
  readonly tx: {
    readonly finish: { readonly Cake: (key: string, members?: object) => void };
    readonly spoil: { readonly Cake: (key: string) => void };
    readonly read: { readonly Cake: (key: string) => Promise<{ readonly size: number } | null> };
    readonly create: { readonly Note: (members: object) => void };
  };
}

/** A bakery over a clock that only its test moves, in which each cake is worked on by `bake`. */
async function bakery(bake: (call: Call, nth: number) => unknown, options: Partial<ServiceOptions> = {}) {
  const clock = { now: Date.parse('2026-01-31T12:00:00Z') };
  const calls: string[] = [];
  let told = (): void => {};
  const handlers = {
    bake: (call: Call) => {
      calls.push(`${call.item.id} ${call.item.status}`);
      told();
      return bake(call, calls.length);
    },
  } as never;
  const service = await start(text(), { handlers, milliseconds: () => clock.now, ...options });
  /** All calls, once there are so many. */
  const called = async (count: number): Promise<readonly string[]> => {
    while (calls.length < count)
      await new Promise<void>((resolve) => {
        told = resolve;
      });
    return calls;
  };
  return { service, clock, calls, called };
}

const make = (service: Served, id: string, more: object = {}) => ask(service, 'POST /cakes', { id, ...more });
const shown = async (service: Served, id: string): Promise<unknown> =>
  (await ask(service, `GET /cakes/${id}`)).body;
/** What an item comes to once it has left a state. */
const become = async (service: Served, id: string, state = 'ordered'): Promise<unknown> => {
  for (;;) {
    const cake = (await shown(service, id)) as { status: string };
    if (cake.status !== state) return cake;
  }
};
/** Lets time pass until something is so. */
const passing = async (clock: { now: number }, isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    clock.now += 50;
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const finishing = ({ item, tx }: Call): void => tx.finish.Cake(item.id);
const size = async (service: Served): Promise<unknown> => (await ask(service, 'GET /notes')).body;

describe('the work of a state (language §I)', () => {
  it('is called on entry with the item and without its secrets, and moves it as it asks, with nobody asking', async () => {
    let seen: unknown;
    const { service, called } = await bakery((call) => {
      seen = call;
      finishing(call);
    });
    const made = await make(service, 'a');
    expect(made.body).toMatchObject({ status: 'ordered' });
    expect(await become(service, 'a')).toEqual({ id: 'a', size: 1, by: 'nobody', status: 'ready' });
    expect(await called(1)).toEqual(['a ordered']);
    expect(seen).toEqual({
      item: { id: 'a', size: 1, status: 'ordered' },
      now: expect.stringMatching(/^2026-01-31T12:00:00\.\d{6}Z$/),
      tx: expect.anything(),
    });
  });

  it('is called for each entry, into the same state too, and for no state that has none', async () => {
    const { service, called } = await bakery(() => {});
    await make(service, 'a', { size: 2 });
    await ask(service, 'PATCH /cakes/a', { size: 3 });
    await ask(service, 'POST /cakes/a/want');
    await called(1);
    await ask(service, 'POST /cakes/a/want');
    expect(await called(2)).toEqual(['a ordered', 'a ordered']);
    await ask(service, 'PATCH /cakes/a', { size: 4 });
    await make(service, 'b');
    expect(await called(3)).toEqual(['a ordered', 'a ordered', 'b ordered']);
  });

  it('is not called for a change that is refused', async () => {
    const { service, called } = await bakery(() => {});
    expect(await make(service, 'a', { size: 100 })).toEqual(answer(409));
    await make(service, 'b');
    expect(await called(1)).toEqual(['b ordered']);
  });

  it('is not called for an item that is gone, and is for one that has left the state', async () => {
    let release = (): void => {};
    const { service, called } = await bakery(async ({ item }) => {
      if (item.id === 'first') await new Promise<void>((resolve) => (release = resolve));
    });
    // What is begun in one look is begun in order: nothing else is looked for before the first is taken up.
    await make(service, 'first');
    await called(1);
    const [gone, left] = await Promise.all([
      make(service, 'gone').then(() => ask(service, 'DELETE /cakes/gone')),
      make(service, 'left').then(() => ask(service, 'POST /cakes/left/spoil')),
    ]);
    expect([gone.status, left.status]).toEqual([204, 204]);
    release();
    await make(service, 'last');
    const all = await called(3);
    expect(all.filter((one) => one.startsWith('left')).length).toBe(1);
  });

  it('has nothing done of what it asks for where any of it is refused, and is over', async () => {
    const { service, clock, called } = await bakery(({ item, tx }) => {
      tx.create.Note({ text: item.id });
      finishing({ item, tx });
    });
    await make(service, 'large', { size: 20 });
    await ask(service, 'POST /cakes/large/want');
    await called(1);
    await make(service, 'b');
    await become(service, 'b');
    clock.now += 86_400_000;
    await make(service, 'c');
    await become(service, 'c');
    expect(await called(3)).toEqual(['large ordered', 'b ordered', 'c ordered']);
    expect(await shown(service, 'large')).toMatchObject({ status: 'ordered' });
    expect(await size(service)).toBe(2);
    expect(service.faults).toEqual([]);
  });

  it('is called again, later and later, where it fails, and its failure is told', async () => {
    const { service, clock, calls, called } = await bakery((call, nth) => {
      finishing(call);
      if (nth < 4) throw new Error(`the oven is out ${nth}`);
    });
    /** In how many milliseconds it is called again, once that is kept. */
    const pause = async (): Promise<number> => {
      for (;;) {
        const [, rows] = (await service.rows()).find(([name]) => name === 'work') ?? [];
        const { due, tries } = JSON.parse(String(rows?.[0]?.find((one) => String(one).includes('due')))) as {
          due: string;
          tries: number;
        };
        const left = Date.parse(due) - clock.now;
        if (tries === calls.length && left < 30_000) return left;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await make(service, 'a');
    for (const [nth, expected] of [1000, 2000, 4000].entries()) {
      await called(nth + 1);
      expect(await pause()).toBe(expected);
      clock.now += expected + 1;
    }
    expect(await become(service, 'a')).toMatchObject({ status: 'ready' });
    expect(service.faults.map(String)).toEqual([1, 2, 3].map((nth) => `Error: the oven is out ${nth}`));
  });

  it('is given up where it takes too long, can ask for nothing more, and holds up no other', async () => {
    let ask_ = (): void => {};
    const { service, clock, calls, called } = await bakery(
      (call, nth) => {
        if (nth > 1) return finishing(call);
        ask_ = () => finishing(call);
        return new Promise(() => {});
      },
      { limits: { handlerTimeoutMs: 30 } },
    );
    await make(service, 'slow');
    await called(1);
    await make(service, 'b');
    await become(service, 'b');
    while (service.faults.length === 0) await shown(service, 'slow');
    expect(ask_).toThrow('the operation is over');
    expect(await shown(service, 'slow')).toMatchObject({ status: 'ordered' });
    await passing(clock, () => calls.length === 3);
    await become(service, 'slow');
    expect(service.faults.map(String)).toEqual(['Error: a function took longer than 30 ms']);
  });

  it('is called again where what it saw has moved by then', async () => {
    const sizes: unknown[] = [];
    const { service, clock, calls } = await bakery(async ({ item, tx }, nth) => {
      sizes.push((await tx.read.Cake(item.id))?.size);
      if (nth === 1) await ask(service, 'PATCH /cakes/a', { size: 2 });
      tx.finish.Cake(item.id);
    });
    await make(service, 'a');
    await passing(clock, () => calls.length === 2);
    await become(service, 'a');
    expect(sizes).toEqual([1, 2]);
  });

  it.skipIf(isPostgres)(
    'is called again by a service that was started anew after one that was killed amid it',
    async () => {
      const [data, copy] = [dataFile(), dataFile()];
      let release = (): void => {};
      const { called, service } = await bakery(
        () => {
          // What a kill leaves: the files as they are while the function runs.
          for (const suffix of ['', '-wal'])
            if (existsSync(data + suffix)) copyFileSync(data + suffix, copy + suffix);
          return new Promise<void>((resolve) => (release = resolve));
        },
        { data, limits: { handlerTimeoutMs: 60_000 } },
      );
      await make(service, 'a');
      await called(1);
      const again = await bakery(finishing, { data: copy, limits: { handlerTimeoutMs: 60_000 } });
      again.clock.now += 61_000;
      expect(await become(again.service, 'a')).toMatchObject({ status: 'ready' });
      expect(again.calls).toEqual(['a ordered']);
      release();
    },
  );

  it('is not called before its entry, and that it was taken up, are kept', async () => {
    /** How many more transactions are kept, until the disk is full. */
    let left = 0;
    const { service, calls, called } = await bakery(finishing, {
      open: async (at, tables) => {
        const store = await openStore(at, tables);
        const commit: Store['commit'] = async (...plans) => {
          if (left-- > 0) return store.commit(...plans);
          await store.commit(
            plans[0].map((plan) => ({ ...plan, decide: (tx) => ({ ...plan.decide(tx), keep: false }) })),
            plans[1],
          );
          throw new NotKept('the disk is full');
        };
        return { ...store, commit };
      },
    });
    expect(await make(service, 'a')).toEqual(answer(503));
    left = 1;
    await make(service, 'b');
    while (service.faults.length < 2) await shown(service, 'b');
    expect(calls).toEqual([]);
    left = Number.POSITIVE_INFINITY;
    expect(await called(1)).toEqual(['b ordered']);
  });

  it('is waited for where the service is closed', async () => {
    const data = await place();
    let release = (): void => {};
    const one = await bakery(
      async (call) => {
        await new Promise<void>((resolve) => (release = resolve));
        finishing(call);
      },
      { data },
    );
    await make(one.service, 'a');
    await one.called(1);
    const closed = one.service.close();
    release();
    await closed;
    const other = await bakery(finishing, { data });
    expect(await shown(other.service, 'a')).toMatchObject({ status: 'ready' });
  });

  it('is not called for items that were in the state before it was stated', async () => {
    const data = await place();
    const before = await start(text(''), { data });
    await make(before, 'a');
    await before.close();
    const { service, called } = await bakery(finishing, { data });
    await make(service, 'b');
    await become(service, 'b');
    expect(await called(1)).toEqual(['b ordered']);
    expect(await shown(service, 'a')).toMatchObject({ status: 'ordered' });
  });
});

describe('the work of a state that is still open', () => {
  it.each([
    ['the function is not given', undefined, 'Cake.status"].work.ordered'],
    ['no function is named', 'work: { ordered: { may: [finish Cake] } }', 'Cake.status"].work.ordered'],
    ['it is asked', 'work: { ordered: (open) who bakes? }', 'Cake.status"].work.ordered'],
  ])('holds up what would bring an item there, and nothing else, where %s', async (_, work, address) => {
    const service = await start(text(work));
    expect(await make(service, 'a')).toEqual(answer(501));
    expect((await make(service, 'b', { size: 2 })).status).toBe(201);
    expect(await ask(service, 'POST /cakes/b/want')).toEqual(answer(501));
    expect(await ask(service, 'PATCH /cakes/b', { size: 3 })).toEqual(answer(204));
    expect(await shown(service, 'b')).toMatchObject({ status: 'planned', size: 3 });
    expect(service.heldUp).toEqual([[`states["${address}`], [`states["${address}`]]);
  });

  it.each(['work: (none)', 'work: { ordered: (none) }'])('is none where that is stated: %s', async (work) => {
    const service = await start(text(work));
    expect((await make(service, 'a')).status).toBe(201);
  });
});
