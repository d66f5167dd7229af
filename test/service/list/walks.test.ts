import { describe, expect, it } from 'vitest';
import { isPostgres } from '../places.ts';
import { ask, type Served } from '../served.ts';
import { document, keeping, type Thing } from './things.ts';

/** What every list of this file shows. */
interface Shown {
  readonly ids: readonly number[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly to: Readonly<Record<'first' | 'previous' | 'next' | 'last', string | null>>;
  readonly total: number;
}

const shown =
  'body: { ids: "${page.items.map(t, t.id)}", next: "${page.next}", previous: "${page.previous}", to: { first: "${page.url.first}", previous: "${page.url.previous}", next: "${page.url.next}", last: "${page.url.last}" }, total: "${page.total}" }';
/** As many documents show a page: whole items and one cursor, and nothing else of it. */
const plainly = 'body: { data: "${Thing(page.items)}", next: "${page.next}" }';
const addressAlone = 'body: { data: "${Thing(page.items)}", next: "${page.url.next}" }';
const linked = 'headers: { Link: "${page.links}" }, body: "${Thing(page.items)}"';
const wrapped =
  'body: { data: "${Thing(page.items)}", more: "${page.next != null}", cursor: "${page.next}" }';

/** The ways to page that part 4 may state, by the parameters besides `size`. */
const styles: Readonly<Record<string, string>> = {
  cursor: 'cursor: { page: cursor }',
  offset: 'offset: { page: offset }',
  start: 'start: { page: start }',
  number: 'number: { page: number }',
  after: 'after: { page: after, type: integer }',
  before: 'before: { page: before, type: integer }',
  both: 'after: { page: after, type: integer }, before: { page: before, type: integer }',
};
const orders: Readonly<Record<string, string>> = {
  unordered: '',
  up: ', order: [id]',
  down: ', order: ["-id"]',
  tied: ', order: [n]',
  nulls: ', order: ["-m", n]',
};
const filtered = 'where: "${this.n >= 0}"';

const fields = 'n: { type: integer }, m: { type: [integer, "null"] }';
const text = document(
  fields,
  Object.entries(styles).flatMap(([style, parameters]) =>
    Object.entries(orders).flatMap(([order, stated]) =>
      [
        ['', `does: { list: Thing${stated} }`, shown],
        ['-some', `does: { list: Thing, ${filtered}${stated} }`, shown],
        ['-plain', `does: { list: Thing${stated} }`, plainly],
        ['-wrapped', `does: { list: Thing, ${filtered}${stated} }`, wrapped],
        ['-address', `does: { list: Thing${stated} }`, addressAlone],
        ['-linked', `does: { list: Thing${stated} }`, linked],
      ].map(
        ([more, does, answer]) =>
          `GET /${style}-${order}${more}: { ${does}, request: { query: { size: { page: size }, least: { type: integer, filter: "\${this.n >= request.query.least}" }, ${parameters} } }, response: { status: 200, ${answer} } }`,
      ),
    ),
  ),
);

/** So many things; those with a negative `n` are left out of some lists. */
const things = (count: number, leftOut: number): readonly Thing[] =>
  Array.from({ length: count + leftOut }, (_, at) => ({
    id: (at * 7) % 101,
    n: at < count ? at % 3 : -1,
    m: at % 4 === 0 ? null : at % 4,
  }));

/** In the long run, every order in pages of every size. */
const walked: readonly (readonly [order: string, size: number])[] = process.env['TACET_LONG']
  ? Object.keys(orders).flatMap((order) => [1, 2, 3].map((size) => [order, size] as const))
  : isPostgres
    ? [['nulls', 2]]
    : [
        ['unordered', 1],
        ['nulls', 2],
        ['down', 3],
      ];
/** As many items as 0 to 3 pages hold, and one item over. */
const counts = (size: number): readonly number[] => [
  ...new Set([0, 1, 2, 3].flatMap((pages) => [pages * size, pages * size + 1])),
];
const most = 100;

describe('a list', () => {
  it.each(walked)(
    'in order %s, in pages of %i, is walked whole, each item once, in every style',
    async (order, size) => {
      for (const count of counts(size)) {
        const service = await keeping(things(count, 2), text);
        const all = await ids(service, `/cursor-${order}`);
        const some = await ids(service, `/cursor-${order}-some`);
        expect([all.length, some.length]).toEqual([count + 2, count]);
        for (const style of Object.keys(styles)) {
          const path = `/${style}-${order}`;
          for (const [list, whole] of [
            [`${path}?size=${size}`, all],
            [`${path}-some?size=${size}`, some],
            [`${path}?size=${size}&least=0`, some],
          ] as const) {
            await walksOn(service, style, list, whole, size);
            await walksBack(service, style, list, whole, size);
          }
          for (const [list, whole] of [
            [`${path}-plain?size=${size}`, all],
            [`${path}-wrapped?size=${size}`, some],
            [`${path}-address?size=${size}`, all],
            [`${path}-linked?size=${size}`, all],
          ] as const)
            if (style !== 'before') await walksPlainly(service, style, list, whole, size);
        }
        await service.close();
      }
    },
  );
});

/** Forward: by the address of the next page, and by the cursor where the style is one. */
async function walksOn(
  service: Served,
  style: string,
  list: string,
  whole: readonly number[],
  size: number,
): Promise<void> {
  if (style === 'before') return;
  const ways = style === 'cursor' ? ['address', 'cursor'] : ['address'];
  for (const way of ways) {
    const pages: (readonly number[])[] = [];
    let at: string | null = list;
    let before: readonly number[] = [];
    while (at !== null && pages.length < most) {
      const page = await shownAt(service, at);
      expect([list, at, page.ids.length, page.total]).toEqual([
        list,
        at,
        Math.min(size, whole.length - before.length),
        whole.length,
      ]);
      pages.push(page.ids);
      before = [...before, ...page.ids];
      const isEnd = before.length === whole.length;
      expect([list, at, page.next === null, page.to.next === null]).toEqual([list, at, isEnd, isEnd]);
      const isFirst = pages.length === 1;
      expect([list, at, page.previous === null]).toEqual([list, at, isFirst]);
      at = way === 'cursor' ? page.next && `${list}&cursor=${encodeURIComponent(page.next)}` : page.to.next;
    }
    expect([list, way, pages.flat()]).toEqual([list, way, whole]);
    expect(pages.length).toBe(Math.max(1, Math.ceil(whole.length / size)));
  }
}

/** Back: from the last page on, or from what stands before the last item. */
async function walksBack(
  service: Served,
  style: string,
  list: string,
  whole: readonly number[],
  size: number,
): Promise<void> {
  if (style === 'after' || whole.length === 0) return;
  const end = whole.at(-1) as number;
  const from = style === 'before' || style === 'both' ? `${list}&before=${end}` : await lastOf(service, list);
  const expected = style === 'before' || style === 'both' ? whole.slice(0, -1) : whole;
  const seen: (readonly number[])[] = [];
  let at: string | null = from;
  while (at !== null && seen.length < most) {
    const page = await shownAt(service, at);
    seen.unshift(page.ids);
    const isBegin = seen.flat().length === expected.length;
    expect([list, at, page.previous === null, page.to.previous === null]).toEqual([
      list,
      at,
      isBegin,
      isBegin,
    ]);
    at = page.to.previous;
  }
  expect([list, 'back', seen.flat()]).toEqual([list, 'back', expected]);
  for (const ids of seen) expect(ids.length).toBeLessThanOrEqual(size);
}

/** As a client of a usual document does: whole items, and one thing that says how to go on. */
async function walksPlainly(
  service: Served,
  style: string,
  list: string,
  whole: readonly number[],
  size: number,
): Promise<void> {
  const found: number[] = [];
  let at: string | null = list;
  for (let pages = 0; at !== null && pages < most; pages++) {
    const answer = await ask(service, `GET ${at}`);
    expect([at, answer.status, service.faults]).toEqual([at, 200, []]);
    const link = answer.fields.find((one) => one.startsWith('Link: ')) ?? '';
    const body = answer.body as { data?: readonly { id: number }[]; next?: string | null; cursor?: string };
    const items = (list.includes('-linked') ? answer.body : body.data) as readonly { id: number }[];
    found.push(...items.map(({ id }) => id));
    expect([list, at, items.length]).toEqual([
      list,
      at,
      Math.min(size, whole.length - found.length + items.length),
    ]);
    const isEnd = found.length === whole.length;
    const next = list.includes('-linked')
      ? (/<([^>]*)>; rel="next"/.exec(link)?.[1] ?? null)
      : ((list.includes('-wrapped') ? body.cursor : body.next) ?? null);
    expect([list, at, next === null]).toEqual([list, at, isEnd]);
    if (list.includes('-address') || list.includes('-linked')) at = next;
    else if (style === 'cursor') at = next && `${list}&cursor=${encodeURIComponent(next)}`;
    else at = isEnd ? null : `${list}&${onwards(style, found, size)}`;
  }
  expect([list, found]).toEqual([list, whole]);
}

/** How a client that counts asks for the page after those that it has. */
function onwards(style: string, found: readonly number[], size: number): string {
  if (style === 'offset') return `offset=${found.length}`;
  if (style === 'start') return `start=${found.length + 1}`;
  if (style === 'number') return `number=${found.length / size + 1}`;
  return `after=${found.at(-1)}`;
}

async function lastOf(service: Served, list: string): Promise<string> {
  let at = list;
  for (let pages = 0; pages < most; pages++) {
    const { to } = await shownAt(service, at);
    if (to.next === null) break;
    at = to.next;
  }
  return at;
}

async function ids(service: Served, path: string): Promise<readonly number[]> {
  return (await shownAt(service, path)).ids;
}

async function shownAt(service: Served, path: string): Promise<Shown> {
  const answer = await ask(service, `GET ${path}`);
  expect([path, answer.status, service.faults]).toEqual([path, 200, []]);
  return answer.body as Shown;
}
