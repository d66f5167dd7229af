import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask } from '../served.ts';
import { document, keeping, type Page, page, type Thing, walk } from './things.ts';

const fields =
  'n: { type: [integer, "null"] }, t: { type: [string, "null"] }, at: { type: [string, "null"], format: date-time }, done: { type: [boolean, "null"] }, any: {}';
const shown = '{ ids: "${page.items.map(t, t.id)}", next: "${page.next}", previous: "${page.previous}" }';

/** A list put in order by these fields, paged by size and cursor. */
const listed = (order: string): string =>
  document(fields, [
    `GET /things: { does: { list: Thing, order: [${order}] }, request: { query: { size: { page: size }, at: { page: cursor } } }, response: { status: 200, body: ${shown} } }`,
  ]);

const value: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  n: fc.integer({ min: -2, max: 2 }),
  t: fc.constantFrom('', 'a', 'B', 'é', '\u{1F600}', '\uFF5E'),
  at: fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '2026-01-01T01:00:00+01:00',
    '2026-01-01T00:00:00.5Z',
    '2025-12-31T23:00:00-02:00',
  ),
  done: fc.boolean(),
  any: fc.oneof(
    fc.integer({ min: -1, max: 1 }),
    fc.double({ noNaN: true }),
    fc.constantFrom('', 'x', '1'),
    fc.boolean(),
    fc.constantFrom([], {}, [1], { a: 1 }),
  ),
};
const maybe = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
const members = fc.record(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maybe(one)])));
const things: fc.Arbitrary<readonly Thing[]> = fc
  .array(members, { maxLength: 14 })
  .map((all) => all.map((one, index) => ({ ...one, id: (index * 7) % 15 })));
const orders = fc
  .uniqueArray(fc.constantFrom(...Object.keys(value), 'id'), { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))))
  .map((signed) => signed.map((one) => JSON.stringify(one)).join(', '));
const runs = { numRuns: process.env['TACET_LONG'] ? 500 : 25, seed: 20261121 };

describe('a list that is paged by cursor', () => {
  it('is the whole list, each item once, forwards and backwards, whatever it is put in order by', async () => {
    await fc.assert(
      fc.asyncProperty(things, orders, fc.integer({ min: 1, max: 5 }), async (kept, order, size) => {
        const service = await keeping(kept, listed(order));
        const whole = (await page(service, '/things')).ids;
        expect([...whole].sort()).toEqual(kept.map(({ id }) => id).sort());
        const forwards = await walk(service, `/things?size=${size}`, 'next');
        expect(forwards.flat()).toEqual(whole);
        const last = await lastPage(service, `/things?size=${size}`);
        const backwards = await walk(service, `/things?size=${size}`, 'previous', last.previous);
        if (last.previous) expect([...backwards.toReversed().flat(), ...last.ids]).toEqual(whole);
        await service.close();
      }),
      runs,
    );
  });
});

/** The page that the cursors lead to in the end. */
async function lastPage(service: Parameters<typeof page>[0], path: string): Promise<Page> {
  let found = await page(service, path);
  while (found.next !== null) found = await page(service, `${path}&at=${found.next}`);
  return found;
}

describe('paging by cursor while others write', () => {
  const order = ['"-n"', 't'].join(', ');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
    fc.record({ kind: fc.constant('create' as const), n: value['n'] as fc.Arbitrary<unknown> }),
  );

  it('neither loses nor doubles an item that stayed', async () => {
    await fc.assert(
      fc.asyncProperty(
        things,
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('next' as const, 'previous' as const),
        async (kept, steps, size, side) => {
          const service = await keeping(kept, listed(order));
          const stayed = new Set(kept.map(({ id }) => id));
          const path = `/things?size=${size}`;
          let at: string | null = side === 'next' ? null : (await lastPage(service, path)).previous;
          const beyond = side === 'next' ? [] : (await lastPage(service, path)).ids;
          const seen: number[] = [...beyond];
          const left = [...steps];
          for (let pages = 0; pages < 50 && (at !== null || (side === 'next' && pages === 0)); pages++) {
            const found: Page = await page(service, at === null ? path : `${path}&at=${at}`);
            seen.push(...found.ids);
            at = found[side];
            const one = left.shift();
            if (one?.kind === 'create') await ask(service, `PUT /things/${1000 + pages}`, { n: one.n });
            else if (one && kept.length > 0) {
              const { id } = kept[one.which % kept.length] as Thing;
              await ask(service, `DELETE /things/${id}`);
              stayed.delete(id);
            }
          }
          expect(seen).toEqual([...new Set(seen)]);
          expect([...stayed].filter((id) => !seen.includes(id))).toEqual([]);
          await service.close();
        },
      ),
      runs,
    );
  });
});

describe('a cursor of another list', () => {
  const text = document(fields, [
    `GET /a: { does: { list: Thing, where: "\${this.n != request.query.not}", order: [n] }, request: { query: { not: { type: integer }, t: { filter: t }, size: { page: size }, at: { page: cursor }, sort: { sort: [t] } } }, response: { status: 200, body: ${shown} } }`,
    `GET /b: { does: { list: Thing, order: [n] }, request: { query: { size: { page: size }, at: { page: cursor } } }, response: { status: 200, body: ${shown} } }`,
    `GET /later: { does: { list: Thing, where: "\${this.at < now}" }, request: { query: { size: { page: size }, at: { page: cursor } } }, response: { status: 200, body: ${shown} } }`,
    `GET /things/{id}/like: { does: { list: Thing, where: "\${this.n == near.n}" }, request: { path: { id: Thing.id as near }, query: { size: { page: size }, at: { page: cursor } } }, response: { status: 200, body: ${shown} } }`,
  ]).concat('errors: { codes: { foreign: { when: invalid query.at.cursor, status: 422 } } }\n');
  const kept = [1, 2, 3, 4].map((id) => ({ id, n: 1, t: 'a', at: '2026-01-01T00:00:00Z' }));

  it('is refused: of another operation, filter, order or condition', async () => {
    const service = await keeping(kept, text);
    const { next } = await page(service, '/a?size=1');
    const status = async (path: string): Promise<number> => (await ask(service, `GET ${path}`)).status;
    expect(await status(`/a?size=1&at=${next}`)).toBe(200);
    expect(await status(`/a?size=3&at=${next}`)).toBe(200);
    for (const path of [
      `/b?at=${next}`,
      `/a?t=a&at=${next}`,
      `/a?sort=t&at=${next}`,
      `/a?sort=-t&at=${next}`,
      `/a?not=2&at=${next}`,
      `/a?at=${next}x`,
      `/a?at=${next?.slice(1)}`,
      '/a?at=',
      '/a?at=x',
      '/b?at=1',
    ])
      expect([path, await status(path)]).toEqual([path, 422]);
  });

  it('is none where another item is compared with that has the same', async () => {
    const service = await keeping(kept, text);
    expect((await walk(service, '/things/2/like?size=1', 'next')).flat()).toEqual([1, 2, 3, 4]);
    const { next } = await page(service, '/things/2/like?size=2');
    expect((await page(service, `/things/3/like?at=${next}`)).ids).toEqual([3, 4]);
  });

  it('is none where only the time has gone on', async () => {
    const service = await keeping(kept, text);
    expect((await walk(service, '/later?size=1', 'next')).flat()).toEqual([1, 2, 3, 4]);
  });
});
