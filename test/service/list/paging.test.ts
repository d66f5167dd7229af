import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
