import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../served.ts';
import { document, keeping, page, type Thing } from './things.ts';

const fields =
  'n: { type: integer }, t: { type: string }, at: { type: string, format: date-time }, double: { type: integer, derived: "${this.n == null ? -1 : this.n * 2}" }';
const things: readonly Thing[] = [
  { id: 1, n: 3, t: 'b', at: '2026-01-01T00:00:00Z' },
  { id: 2, n: 1, t: 'a', at: '2026-01-01T01:00:00+02:00' },
  { id: 3, n: 2, t: 'b', at: '2026-01-01T00:30:00Z' },
  { id: 4, t: 'B' },
  { id: 5, n: 3, t: 'a', at: '2026-01-01T00:15:00Z' },
];

/** The identifiers that each address of a list lists, whose endpoint is stated so. */
async function listed(does: string, query: string, paths: readonly string[]) {
  const service = await keeping(
    things,
    document(fields, [
      `GET /l: { does: ${does}, request: { query: { ${query} } }, response: { status: 200, body: "\${page.items.map(t, t.id)}" } }`,
    ]),
  );
  const found: Record<string, unknown> = {};
  for (const path of paths) found[path] = await page(service, `/l${path}`);
  return found;
}

describe('a filter (language §4.2)', () => {
  it('holds where its parameter is given, and nowhere else', async () => {
    const query =
      't: { filter: t }, least: { type: integer, filter: "${this.n >= request.query.least}" }, not: { type: integer, filter: "${this.n != request.query.not}" }';
    expect(
      await listed('list Thing', query, [
        '',
        '?t=b',
        '?t=',
        '?least=2',
        '?t=a&least=2',
        '?not=3',
        '?not=3&least=0&t=b',
      ]),
    ).toEqual({
      '': [1, 2, 3, 4, 5],
      '?t=b': [1, 3],
      '?t=': [],
      '?least=2': [1, 3, 5],
      '?t=a&least=2': [5],
      '?not=3': [2, 3, 4],
      '?not=3&least=0&t=b': [3],
    });
  });

  it('holds by its default where its parameter is not given', async () => {
    expect(await listed('list Thing', 't: { filter: t, default: a }', ['', '?t=b'])).toEqual({
      '': [2, 5],
      '?t=b': [1, 3],
    });
  });

  it('narrows what `where` leaves, and may read what is derived', async () => {
    const does = '{ list: Thing, where: "${this.n < 3}" }';
    const query = 'd: { type: integer, filter: double }';
    expect(await listed(does, query, ['', '?d=4', '?d=6'])).toEqual({ '': [2, 3], '?d=4': [3], '?d=6': [] });
  });

  it('that cannot be worked out for a row that is looked at is a fault of the service', async () => {
    const service = await keeping(
      things,
      document(fields, [
        'GET /l: { does: list Thing, request: { query: { by: { type: integer, filter: "${6 / request.query.by > this.n}" } } }, response: { status: 200, body: "${page.total}" } }',
      ]),
    );
    expect(await ask(service, 'GET /l?by=3')).toEqual(answer(200, 1));
    expect(await ask(service, 'GET /l?by=0')).toEqual(answer(500));
  });
});

describe('the order of a list (language §H.2, §4.2)', () => {
  it('is that of its fields, then that of insertion; null comes first, and a time is its instant', async () => {
    const by = async (order: string) => (await listed(`{ list: Thing, order: [${order}] }`, '', ['']))[''];
    expect(await by('n')).toEqual([4, 2, 3, 1, 5]);
    expect(await by('"-n"')).toEqual([5, 1, 3, 2, 4]);
    expect(await by('t, "-n"')).toEqual([4, 5, 2, 1, 3]);
    expect(await by('at')).toEqual([4, 2, 1, 5, 3]);
    expect(await by('double, "-id"')).toEqual([4, 2, 3, 5, 1]);
  });

  it('is first what the client sorts by, of which it breaks the ties', async () => {
    const does = '{ list: Thing, order: ["-id"] }';
    expect(
      await listed(does, 'sort: { sort: [t, n, id] }', [
        '',
        '?sort=t',
        '?sort=-t,n',
        '?sort=id',
        '?sort=n,-n',
      ]),
    ).toEqual({
      '': [5, 4, 3, 2, 1],
      '?sort=t': [4, 5, 2, 3, 1],
      '?sort=-t,n': [3, 1, 2, 5, 4],
      '?sort=id': [1, 2, 3, 4, 5],
      '?sort=n,-n': [4, 2, 3, 5, 1],
    });
  });

  it('may come of an expression, whose text names fields', async () => {
    const does = '{ list: Thing, order: "${request.query.by}" }';
    expect(await listed(does, 'by: { default: "-id" }', ['', '?by=t,-id'])).toEqual({
      '': [5, 4, 3, 2, 1],
      '?by=t,-id': [4, 5, 2, 3, 1],
    });
  });

  it('breaks the ties of `sort`, by a field that is described nowhere, too', async () => {
    const does = '{ list: Thing, order: "${request.query.by}" }';
    const query = 'by: { default: "-id" }, sort: { sort: [t, elsewhere] }';
    expect(await listed(does, query, ['?sort=elsewhere', '?sort=t&by=id'])).toEqual({
      '?sort=elsewhere': [5, 4, 3, 2, 1],
      '?sort=t&by=id': [4, 2, 5, 1, 3],
    });
  });

  it('may come of what is kept', async () => {
    const by = async (n: number) =>
      (await listed(`{ list: Thing, order: "\${Thing.exists(t, t.n == ${n}) ? '-id' : 'id'}" }`, '', ['']))[
        ''
      ];
    expect([await by(3), await by(4)]).toEqual([
      [5, 4, 3, 2, 1],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('that names no field is the fault of the parameter that it was read of', async () => {
    const text = document(fields, [
      'GET /l: { does: { list: Thing, order: "${request.query.by}" }, request: { query: { by: {} } }, response: { status: 200, body: [] } }',
    ]).concat('errors: { codes: { bad: { when: invalid query.by.order, status: 422 } } }\n');
    const service = await keeping(things, text);
    expect((await ask(service, 'GET /l?by=nope')).status).toBe(422);
    expect((await ask(service, 'GET /l?by=t')).status).toBe(200);
  });

  it('is no other by a field that is the same of every item', async () => {
    const more = `${fields}, seven: { type: integer, derived: "\${7}" }, low: { type: integer, derived: "\${-3}" }, word: { type: string, derived: "\${'x'}" }`;
    const service = await keeping(
      things,
      document(more, [
        'GET /l: { does: { list: Thing, order: [seven, low, word, "-id"] }, request: { query: { sort: { sort: [seven] }, size: { page: size }, at: { page: cursor } } }, response: { status: 200, body: "${page.items.map(t, t.id)}" } }',
      ]),
    );
    for (const query of ['', '?sort=-seven', '?size=5'])
      expect(await ask(service, `GET /l${query}`)).toEqual(answer(200, [5, 4, 3, 2, 1]));
  });

  it('by a field that is worked out without the item bounds pages as well', async () => {
    const more = `${fields}, three: { type: integer, derived: "\${true ? 3 : 4}" }`;
    const service = await keeping(
      things,
      document(more, [
        'GET /l: { does: { list: Thing, order: [three, "-id"] }, request: { query: { after: { page: after }, before: { page: before } } }, response: { status: 200, body: "${page.items.map(t, t.id)}" } }',
      ]),
    );
    expect(await ask(service, 'GET /l?before=3')).toEqual(answer(200, [5, 4]));
    expect(await ask(service, 'GET /l?after=3')).toEqual(answer(200, [2, 1]));
    expect(await ask(service, 'GET /l?after=5&before=2')).toEqual(answer(200, [4, 3]));
  });

  it('that names a derived field which no store can work out names none', async () => {
    const text = document(`${fields}, more: { type: string, derived: "\${upper(this.t)}" }`, [
      'GET /l: { does: { list: Thing, order: "${request.query.by}" }, request: { query: { by: {} } }, response: { status: 200, body: [] } }',
    ]).concat('errors: { codes: { bad: { when: invalid query.by.order, status: 422 } } }\n');
    const service = await keeping(things, text);
    expect((await ask(service, 'GET /l?by=more')).status).toBe(422);
    expect((await ask(service, 'GET /l?by=-t')).status).toBe(200);
  });
});

const told =
  '{ ids: "${page.items.map(t, t.id)}", total: "${page.total}", size: "${page.size}", offset: "${page.offset}", number: "${page.number}" }';

describe('a page (language §4.2)', () => {
  const endpoints = (query: string, body = told): string =>
    document(fields, [
      `GET /l: { does: { list: Thing, order: [id] }, request: { query: { t: { filter: t }, ${query} } }, response: { status: 200, body: ${body} } }`,
    ]);

  it('is counted by size with offset, start or number', async () => {
    const service = await keeping(
      things,
      endpoints(
        'size: { page: size }, offset: { page: offset }, start: { page: start }, number: { page: number }',
      ),
    );
    const of = (ids: readonly number[], size: number, offset: number, number: number, total = 5) => ({
      ids,
      total,
      size,
      offset,
      number,
    });
    for (const [path, expected] of [
      ['', of([1, 2, 3, 4, 5], 5, 0, 1)],
      ['?size=2', of([1, 2], 2, 0, 1)],
      ['?size=2&offset=3', of([4, 5], 2, 3, 2)],
      ['?offset=3', of([4, 5], 2, 3, 1)],
      ['?size=2&start=2', of([2, 3], 2, 1, 1)],
      ['?size=2&number=3', of([5], 2, 4, 3)],
      ['?size=2&number=4', of([], 2, 6, 4)],
      ['?size=2&number=9007199254740991', of([], 2, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)],
      ['?size=2&number=3&offset=2', of([], 2, 6, 4)],
      ['?size=0', of([], 0, 0, 1)],
      ['?number=2', of([], 0, Number.MAX_SAFE_INTEGER, 1)],
      [
        '?size=9007199254740991&offset=9007199254740991',
        of([], Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 2),
      ],
      ['?t=b&size=1&offset=1', of([3], 1, 1, 2, 2)],
    ] as const)
      expect([path, await page(service, `/l${path}`)]).toEqual([path, expected]);
  });

  it('has the size that its parameter has by default', async () => {
    const service = await keeping(
      things,
      endpoints('size: { page: size, default: 2 }, at: { page: offset, default: 1 }'),
    );
    expect(await page(service, '/l')).toEqual({ ids: [2, 3], total: 5, size: 2, offset: 1, number: 1 });
  });

  it('begins after an item, or ends before one, or lies between two', async () => {
    const service = await keeping(
      things,
      endpoints(
        'size: { page: size }, after: { page: after }, before: { page: before }',
        '"${page.items.map(t, t.id)}"',
      ),
    );
    for (const [path, expected] of [
      ['?after=2', [3, 4, 5]],
      ['?after=2&size=1', [3]],
      ['?before=4', [1, 2, 3]],
      ['?before=4&size=2', [2, 3]],
      ['?after=1&before=5', [2, 3, 4]],
      ['?after=1&before=5&size=2', [2, 3]],
      ['?after=5', []],
      ['?before=1', []],
      ['?after=4&before=2', []],
      ['?after=2&t=b', [3]],
    ] as const)
      expect([path, await page(service, `/l${path}`)]).toEqual([path, expected]);
  });

  it('after an item that the list has not is refused as a reference to nothing', async () => {
    const text = document(fields, [
      'GET /l: { does: { list: Thing, where: "${this.n == 3}" }, request: { query: { after: { page: after } } }, response: { status: 200, body: "${page.total}" } }',
    ]).concat('errors: { codes: { bad: { when: invalid query.after.refers, status: 422 } } }\n');
    const service = await keeping(things, text);
    for (const [id, status] of [
      ['1', 200],
      ['2', 422],
      ['9', 422],
      ['x', 422],
      ['1.0', 200],
    ] as const)
      expect([id, (await ask(service, `GET /l?after=${id}`)).status]).toEqual([id, status]);
  });

  it('after an item that a rule leaves out of the list is refused as after one that there is not', async () => {
    const text = `
name: Notes
resources:
  Account: { identifier: name, fields: { name: { type: string } }, items: [{ name: ann }, { name: bob }] }
  Note:
    identifier: id
    fields: { id: { type: integer }, owner: { refers: Account }, shared: { type: boolean, default: false } }
    required: [owner]
    items: [{ id: 1, owner: ann }, { id: 2, owner: bob }, { id: 3, owner: bob, shared: true }]
endpoints:
  others: refuse
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    request: { query: { after: { page: after, type: integer } } }
    response: { status: 200, body: "\${page.items.map(n, n.id)}" }
authentication:
  schemes: { key: { type: http, scheme: bearer, credentials: operator, actor: Account.name } }
  authorization: { list: { rule: known, items: ["\${actor.name == 'root'}", "\${this.shared || this.owner == actor}"] } }
errors: { codes: { bad: { when: invalid query.after.refers, status: 422 } } }
`;
    const service = await start(text, { credentials: { key: { ann: 'a', bob: 'b' } } });
    const asked = async (after: number, by: string): Promise<unknown> => {
      const { status, body } = await ask(service, `GET /notes?after=${after}`, undefined, [
        `Authorization: Bearer ${by}`,
      ]);
      return status === 200 ? body : status;
    };
    expect([await asked(1, 'a'), await asked(3, 'a'), await asked(2, 'b')]).toEqual([[3], [], [3]]);
    expect([await asked(2, 'a'), await asked(9, 'a'), await asked(1, 'b')]).toEqual([422, 422, 422]);
  });

  it('tells the addresses of the others, and keeps what else was asked', async () => {
    const service = await keeping(
      things,
      endpoints(
        'size: { page: size }, offset: { page: offset }',
        '{ self: "${page.url.self}", first: "${page.url.first}", previous: "${page.url.previous}", next: "${page.url.next}", last: "${page.url.last}" }',
      ).replace('status: 200, body: { self', 'status: 200, headers: { Link: "${page.links}" }, body: { self'),
    );
    const found = await ask(service, 'GET /l?t=b&size=1');
    expect(found.body).toEqual({
      self: '/l?t=b&size=1',
      first: '/l?t=b&size=1&offset=0',
      previous: null,
      next: '/l?t=b&size=1&offset=1',
      last: '/l?t=b&size=1&offset=1',
    });
    expect(found.fields).toContain(
      'Link: </l?t=b&size=1&offset=0>; rel="first", </l?t=b&size=1&offset=1>; rel="next", </l?t=b&size=1&offset=1>; rel="last"',
    );
    expect((await ask(service, 'GET /l?t=b&size=1&offset=1')).body).toEqual({
      self: '/l?t=b&size=1&offset=1',
      first: '/l?t=b&size=1&offset=0',
      previous: '/l?t=b&size=1&offset=0',
      next: null,
      last: '/l?t=b&size=1&offset=1',
    });
  });

  it('of a list with no paging stated tells its own address alone, and no link', async () => {
    const service = await keeping(
      things,
      document(fields, [
        'GET /l: { does: list Thing, response: { status: 200, headers: { Link: "${page.links}" }, body: { url: "${page.url}", next: "${page.next}" } } }',
      ]),
    );
    const found = await ask(service, 'GET /l');
    expect(found).toEqual(
      answer(200, {
        url: { self: '/l', first: null, previous: null, next: null, last: null },
        next: null,
      }),
    );
  });
});

describe('a long list shown by a view', () => {
  it('shows of each item what the view shows, and no more', async () => {
    const many = Array.from({ length: 1001 }, (_, id) => ({ id, n: id, t: 'hidden' }));
    const text = document(fields, [
      'GET /l: { does: list Thing, response: { status: 200, body: { a: 1, things: "${Brief(page.items)}" } } }',
    ]).replace('endpoints:', '  Brief: { of: Thing, shows: [id, n] }\nendpoints:');
    const service = await keeping(many, text);
    expect(await page(service, '/l')).toEqual({ a: 1, things: many.map(({ id, n }) => ({ id, n })) });
  });
});
