import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { openStore } from '../../src/service/store/open.ts';
import { NotKept, type Store } from '../../src/service/store/store.ts';
import { type Answer, ask, place, type Served, start } from './served.ts';

/** A counter shop: each order is one more effect. */
const shop = (idempotency: string, order = ''): string => `
name: Orders
resources:
  Order:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      what: { type: string }
      notes: {}
    required: [what]
    others: refuse
  Name: { identifier: name, fields: { name: { type: string }, what: { type: string } } }
endpoints:
  others: refuse
  every POST: { idempotency: ${idempotency} }
  every PATCH: { idempotency: ${idempotency} }
  every DELETE: { idempotency: ${idempotency} }
  POST /orders:
    operation: order
    does: create Order
    request: { body: Order, query: { gift: { type: boolean } } }
    response: { status: 201, headers: { Location: "/orders/\${this.id}" }, body: Order }
  POST /names: { does: create Name, request: { body: Name }, response: { status: 201, body: Name } }
  PATCH /orders/{id}:
    does: update Order
    request: { media: application/merge-patch+json, body: Order }
    response: { status: 200, body: Order }
  DELETE /orders/{id}: { does: delete Order, response: 204 }
  GET /orders: { does: { list: Order }, response: { status: 200, body: "\${Order(page.items)}" } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    no_order: { when: unknown Order, status: 404 }
    wrong: { when: invalid, status: 422 }
    key_needed: { when: key missing, status: 400 }
    key_used: { when: key reused, status: 422 }
    key_in_use: { when: key busy, status: 409 }
    name_taken: { when: not unique, status: 409 }
    sold_out: { when: "\${request.body.what == 'moon'}", operations: [order], status: 410 }
${order}`;

const usual =
  '{ header: Idempotency-Key, required: false, life: PT24H, per: key, remembers: successes, replay: { headers: { Replayed: "true" } } }';
const all = usual.replace('successes', 'all');
const key = (name: string): string => `Idempotency-Key: ${name}`;
const order = (to: Served, what: unknown, ...fields: string[]): Promise<Answer> =>
  ask(to, 'POST /orders', what, fields);
const orders = async (of: Served): Promise<unknown[]> => (await ask(of, 'GET /orders')).body as unknown[];
const plain = ({ fields, ...answer }: Answer): Answer => ({
  ...answer,
  fields: fields.filter((one) => one !== 'Replayed: true'),
});

describe('a request that comes again with its key', () => {
  it('and with a parameter that nobody states is invalid, not a repeat (language §H.4)', async () => {
    for (const remembers of [usual, all]) {
      const service = await start(shop(remembers));
      const first = await order(service, { what: 'tea' }, key('a'));
      const more = await ask(service, 'POST /orders?nobody=1', { what: 'tea' }, [key('a')]);
      expect([first.status, more.status]).toEqual([201, 422]);
      const again = await order(service, { what: 'tea' }, key('a'));
      expect(plain(again)).toEqual(first);
    }
  });

  it('gets the first answer again, marked as such, and has no second effect', async () => {
    const service = await start(shop(usual));
    const first = await order(service, { what: 'tea' }, key('a'));
    expect([first.status, first.fields.includes('Replayed: true')]).toEqual([201, false]);
    const again = await order(service, { what: 'tea' }, key('a'));
    expect(again.fields).toContain('Replayed: true');
    expect(plain(again)).toEqual(first);
    expect(await orders(service)).toEqual([first.body]);
  });

  it('is the same where it is equal as a JSON value, however it is written', async () => {
    const service = await start(shop(usual));
    const first = await order(service, '{"what":"tea","notes":{"a":1,"b":[1.0,2]}}', key('a'));
    const again = await order(service, ' { "notes" : {"b":[1,2e0],"a":1}, "what":"t\\u0065a" } ', key('a'));
    expect(plain(again)).toEqual(first);
  });

  it('is another with another body, parameter, path or operation, and is refused', async () => {
    const service = await start(shop(usual));
    const first = await order(service, { what: 'tea' }, key('a'));
    const { id } = first.body as { id: string };
    const others = [
      await order(service, { what: 'coffee' }, key('a')),
      await order(service, { what: 'tea', notes: null }, key('a')),
      await ask(service, 'POST /orders?gift=true', { what: 'tea' }, [key('a')]),
      await ask(service, 'POST /names', { name: 'n', what: 'tea' }, [key('a')]),
      await ask(service, `DELETE /orders/${id}`, undefined, [key('a')]),
    ];
    expect(others.map(({ status, body }) => [status, body])).toEqual(
      others.map(() => [422, { code: 'key_used' }]),
    );
    expect(await orders(service)).toEqual([first.body]);
  });

  it('gets it although what it was about has changed or gone since', async () => {
    const service = await start(shop(usual));
    const made = await order(service, { what: 'tea' });
    const path = `/orders/${(made.body as { id: string }).id}`;
    const merge = 'Content-Type: application/merge-patch+json';
    const changed = await ask(service, `PATCH ${path}`, { what: 'coffee' }, [merge, key('p')]);
    await ask(service, `PATCH ${path}`, { what: 'milk' }, [merge, key('q')]);
    const again = await ask(service, `PATCH ${path}`, { what: 'coffee' }, [merge, key('p')]);
    expect(plain(again)).toEqual(changed);
    expect(((await orders(service)) as { what: string }[])[0]?.what).toBe('milk');
    expect((await ask(service, `DELETE ${path}`, undefined, [key('d')])).status).toBe(204);
    expect((await ask(service, `DELETE ${path}`, undefined, [key('d')])).status).toBe(204);
    expect((await ask(service, `DELETE ${path}`, undefined, [key('e')])).status).toBe(404);
    const named = await ask(service, 'POST /names', { name: 'n' }, [key('n')]);
    expect(plain(await ask(service, 'POST /names', { name: 'n' }, [key('n')]))).toEqual(named);
    expect((await ask(service, 'POST /names', { name: 'n' }, [key('m')])).body).toEqual({
      code: 'name_taken',
    });
  });

  it('gets the refusal that stands before `replay` in the order', async () => {
    const listed = shop(usual, '  order: [no_order, replay]\n');
    const service = await start(listed);
    const path = `/orders/${((await order(service, { what: 'tea' })).body as { id: string }).id}`;
    const remove = () => ask(service, `DELETE ${path}`, undefined, [key('d')]);
    expect((await remove()).status).toBe(204);
    expect((await remove()).body).toEqual({ code: 'no_order' });
  });

  it('gets it though nothing more could be kept once its effect was', async () => {
    const data = await place();
    let commits = 0;
    const before = await start(shop(usual), {
      data,
      open: async (at, tables) => {
        const store = await openStore(at, tables);
        const commit: Store['commit'] = (...plans) => {
          commits += 1;
          if (commits > 1) throw new NotKept('the disk is full');
          return store.commit(...plans);
        };
        return { ...store, commit };
      },
    });
    await order(before, { what: 'tea' }, key('a'));
    await before.close();
    const after = await start(shop(usual), { data });
    expect((await order(after, { what: 'tea' }, key('a'))).fields).toContain('Replayed: true');
    expect((await orders(after)).length).toBe(1);
  });

  it('gets it from a service that was started anew', async () => {
    const data = await place();
    const before = await start(shop(usual), { data });
    const first = await order(before, { what: 'tea' }, key('a'));
    await before.close();
    const after = await start(shop(usual), { data });
    expect(plain(await order(after, { what: 'tea' }, key('a')))).toEqual(first);
    expect((await orders(after)).length).toBe(1);
  });
});

describe('a key', () => {
  it('is needed where it is required, and not otherwise; an empty one is none', async () => {
    const service = await start(shop(usual.replace('false', 'true')));
    for (const fields of [[], [key('')]])
      expect((await order(service, { what: 'tea' }, ...fields)).body).toEqual({ code: 'key_needed' });
    const free = await start(shop(usual));
    await order(free, { what: 'tea' });
    await order(free, { what: 'tea' }, key(''));
    expect((await orders(free)).length).toBe(2);
  });

  it('is missed after what is wrong with the request', async () => {
    const service = await start(shop(usual.replace('false', 'true')));
    expect((await order(service, {})).body).toEqual({ code: 'wrong' });
  });

  it('is not taken by a request that is refused before it is looked at', async () => {
    const service = await start(shop(all));
    expect((await order(service, {}, key('a'))).body).toEqual({ code: 'wrong' });
    expect((await order(service, { what: 'tea' }, key('a'))).status).toBe(201);
  });

  it('is told apart from every other, letter by letter', async () => {
    const service = await start(shop(usual));
    for (const one of ['a', 'A', 'a b', '"a"', 'é']) await order(service, { what: 'tea' }, key(one));
    expect((await orders(service)).length).toBe(5);
  });

  it('is forgotten when its life has passed, and not a moment before', async () => {
    let now = Date.UTC(2026, 0, 1);
    const service = await start(shop(usual), { milliseconds: () => now });
    const first = await order(service, { what: 'tea' }, key('a'));
    now += 24 * 3600_000 - 1;
    expect(plain(await order(service, { what: 'tea' }, key('a')))).toEqual(first);
    now += 2;
    const second = await order(service, { what: 'coffee' }, key('a'));
    expect(second.status).toBe(201);
    expect(plain(await order(service, { what: 'coffee' }, key('a')))).toEqual(second);
    expect((await orders(service)).length).toBe(2);
  });

  it('leaves nothing behind for long when it is forgotten', async () => {
    let now = Date.UTC(2026, 0, 1);
    const service = await start(shop(usual), { milliseconds: () => now });
    const remembered = async (): Promise<number> => {
      const tables = await service.rows();
      return tables.find(([name]) => name.endsWith('answered'))?.[1].length ?? Number.NaN;
    };
    for (let i = 0; i < 12; i += 1) await order(service, { what: 'tea' }, key(`old ${i}`));
    expect(await remembered()).toBe(12);
    now += 25 * 3600_000;
    for (let i = 0; i < 4; i += 1) await order(service, { what: 'tea' }, key(`new ${i}`));
    expect(await remembered()).toBe(4);
  });

  it('holds up a request that brings one while it is open how long it lives, or whose it is', async () => {
    for (const point of ['life', 'per']) {
      const service = await start(shop(usual.replace(new RegExp(`${point}: \\w+`), `${point}: (open)`)));
      expect((await order(service, { what: 'tea' })).status).toBe(201);
      expect((await order(service, { what: 'tea' }, key('a'))).status).toBe(501);
      expect(service.heldUp).toEqual([[`endpoints["POST /orders"].idempotency.${point}`]]);
      expect((await orders(service)).length).toBe(1);
    }
  });
});

describe('a refusal', () => {
  it('is remembered where all answers are, of whatever was judged after the key', async () => {
    const service = await start(shop(all));
    const taken = () => ask(service, 'POST /names', { name: 'n' }, [key('b')]);
    await ask(service, 'POST /names', { name: 'n' }, [key('a')]);
    const refused = await taken();
    expect(refused.body).toEqual({ code: 'name_taken' });
    const again = await taken();
    expect([plain(again), again.fields.includes('Replayed: true')]).toEqual([refused, true]);
    const moon = await order(service, { what: 'moon' }, key('c'));
    expect(moon.status).toBe(410);
    expect(plain(await order(service, { what: 'moon' }, key('c')))).toEqual(moon);
    expect((await order(service, { what: 'tea' }, key('c'))).body).toEqual({ code: 'key_used' });
  });

  it('is forgotten where successes are remembered, or it is open what is', async () => {
    for (const idempotency of [usual, usual.replace(', remembers: successes', '')]) {
      const service = await start(shop(idempotency));
      expect((await order(service, { what: 'moon' }, key('c'))).status).toBe(410);
      expect((await order(service, { what: 'tea' }, key('c'))).status).toBe(201);
    }
  });
});

describe('many at once', () => {
  it('have one effect a key, and one answer', async () => {
    const keys = 100;
    const repeats = 20;
    const service = await start(shop(usual));
    const answers = await Promise.all(
      Array.from({ length: keys }, async (_, index) => {
        const send = () => order(service, { what: `tea ${index}` }, key(`k${index}`));
        const first = await Promise.all(Array.from({ length: repeats }, send));
        // Those who were told that the first was running ask again when it has ended.
        return Promise.all(first.map((one) => (one.status === 409 ? send() : one)));
      }),
    );
    for (const [index, some] of answers.entries()) {
      expect(new Set(some.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect((some[0] as Answer).status).toBe(201);
      expect((some[0] as { body: { what: string } }).body.what).toBe(`tea ${index}`);
    }
    expect((await orders(service)).length).toBe(keys);
  });

  it('are told that the first is running, and of another request that the key is used', async () => {
    let begun = (): void => {};
    let end = (): void => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const service = await start(shop(usual), {
      open: async (at, tables) => {
        const store = await openStore(at, tables);
        const commit: Store['commit'] = async (...plans) => {
          begun();
          await ended;
          return store.commit(...plans);
        };
        return { ...store, commit };
      },
    });
    const first = order(service, { what: 'tea' }, key('a'));
    await running;
    const later = ['tea', 'coffee'].map((what) => order(service, { what }, key('a')));
    // Both are there before the first ends: on a connection of its own, each was read to its end by then.
    await ask(service, 'GET /orders');
    end();
    const codes = (await Promise.all(later)).map(({ body }) => body);
    expect(codes).toEqual([{ code: 'key_in_use' }, { code: 'key_used' }]);
    const told = await first;
    expect(plain(await order(service, { what: 'tea' }, key('a')))).toEqual(told);
    expect((await orders(service)).length).toBe(1);
  });
});

it('gives every sequence of requests what a record by hand would give', async () => {
  const request = fc.record({
    key: fc.constantFrom('', 'a', 'b'),
    what: fc.constantFrom('tea', 'coffee', 'moon'),
    wait: fc.constantFrom(0, 0, 13),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 12 }),
      fc.constantFrom(usual, all),
      async (sent, stated) => {
        let now = Date.UTC(2026, 0, 1);
        const options: Partial<ServiceOptions> = { milliseconds: () => now };
        const service = await start(shop(stated), options);
        const record = new Map<string, { what: string; until: number; answer: Answer }>();
        let effects = 0;
        for (const { key: name, what, wait } of sent) {
          now += wait * 3600_000;
          const found = await order(service, { what }, ...(name === '' ? [] : [key(name)]));
          const before = record.get(name);
          if (before && now < before.until) {
            if (before.what === what) expect(plain(found)).toEqual(before.answer);
            else expect(found.body).toEqual({ code: 'key_used' });
            continue;
          }
          expect(found.status).toBe(what === 'moon' ? 410 : 201);
          if (found.status === 201) effects += 1;
          if (name !== '' && (found.status === 201 || stated === all))
            record.set(name, { what, until: now + 24 * 3600_000, answer: found });
        }
        expect((await orders(service)).length).toBe(effects);
        await service.close();
      },
    ),
    { numRuns: 30 },
  );
});
