import { describe, expect, it } from 'vitest';
import { ask, start } from '../served.ts';
import { statementsOf } from '../statements.ts';

const entries = `
name: Entries
resources:
  Entry:
    identifier: id
    fields:
      id: { type: integer }
      title: { type: string }
      tags: { type: array, items: { type: string } }
      at: { type: string, format: date-time }
      amount: { type: integer }
endpoints:
  others: refuse
  POST /entries: { does: create Entry, request: { body: Entry }, response: 201 }
  GET /entries:
    does: { list: Entry, order: [id] }
    request:
      query:
        q: { type: string, filter: "\${matches(request.query.q, this.title, this.tags)}" }
    response: { status: 200, body: "\${page.items.map(e, e.id)}" }
  GET /days:
    does: (none)
    response:
      status: 200
      body: "\${Entry.filter(e, e.amount > 0).group(e, string(e.at).substring(0, 10)).map(g, {'day': g.key, 'sum': g.items.map(e, e.amount).sum()})}"
  GET /titles:
    does: (none)
    response: { status: 200, body: "\${Entry.group(e, e.title).map(g, {'title': g.key, 'ids': g.items.map(e, e.id).sort()})}" }
`;

const kept = [
  {
    id: 1,
    title: 'Straßenbahn fährt',
    tags: ['Öffis', 'bus-stop 12b'],
    at: '2026-01-02T10:00:00Z',
    amount: 5,
  },
  { id: 2, title: 'cafe\u0301 ΣΊΣΥΦΟΣ', at: '2026-01-01T10:00:00Z', amount: 2 },
  { id: 3, title: '東京 tower', tags: [], at: '2026-01-02T11:00:00Z', amount: 4 },
  { id: 4, tags: ["o'neil", 'snake_case'], at: '2026-01-03T10:00:00Z', amount: 0 },
];

async function service() {
  const running = await start(entries);
  for (const one of kept) expect((await ask(running, 'POST /entries', one)).status).toBe(201);
  return running;
}

describe('matches(q, text, …) (language §G.4)', () => {
  it('finds where each word of q begins a word of one of the texts', async () => {
    const running = await service();
    const found = async (q: string): Promise<unknown> =>
      (await ask(running, `GET /entries?q=${encodeURIComponent(q)}`)).body;
    expect(await found('stra')).toEqual([1]);
    expect(await found('STRAß öf')).toEqual([1]);
    expect(await found('bahn')).toEqual([]);
    expect(await found('stop bus')).toEqual([1]);
    expect(await found('12')).toEqual([1]);
    expect(await found('2b')).toEqual([]);
    expect(await found('cafe\u0301')).toEqual([2]);
    expect(await found('σίσυ')).toEqual([2]);
    expect(await found('東')).toEqual([3]);
    expect(await found('京')).toEqual([]);
    expect(await found('neil')).toEqual([4]);
    expect(await found('case-SNAKE!')).toEqual([4]);
    expect(await found('tower 12')).toEqual([]);
    expect(await found(' - ')).toEqual([1, 2, 3, 4]);
  });

  it('finds them by an index of their words', async () => {
    const running = await service();
    const { reads } = await statementsOf(() => ask(running, 'GET /entries?q=stra'));
    expect(reads.filter((sql) => /FROM "_entry words |tacet_words_.* @@ \$/.test(sql))).toHaveLength(1);
  });
});

describe('list.group(x, key) (language §G.4)', () => {
  it('gives the elements of each key, by ascending key', async () => {
    const running = await service();
    expect((await ask(running, 'GET /days')).body).toEqual([
      { day: '2026-01-01', sum: 2 },
      { day: '2026-01-02', sum: 9 },
    ]);
    expect((await ask(running, 'GET /titles')).body).toEqual([
      { title: null, ids: [4] },
      { title: 'Straßenbahn fährt', ids: [1] },
      { title: 'cafe\u0301 ΣΊΣΥΦΟΣ', ids: [2] },
      { title: '東京 tower', ids: [3] },
    ]);
  });
});
