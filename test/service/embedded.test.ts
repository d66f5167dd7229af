import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Document } from './document.ts';
import { isPostgres } from './places.ts';
import { bench, type Running } from './running.ts';
import { statementsOf } from './statements.ts';

const { serving, end } = bench();
afterAll(end);

const document = parse(`
name: Articles
tacet: 1
complete: true
resources:
  Account:
    identifier: id
    fields: { id: { type: string }, name: { type: string, unique: true }, bio: { type: string } }
  Profile:
    of: Account
    shows: [name, bio]
    fields:
      following:
        type: boolean
        derived: "\${Follow.exists(f, f.follower == request.query.reader && f.followed == this)}"
  Article:
    identifier: slug
    fields:
      slug: { type: string }
      at: { type: integer }
      tags: { type: array, items: { type: string } }
      author: { refers: Account, ifDeleted: keep, shown: "\${Profile(value)}" }
      mine: { type: boolean, derived: "\${this.author == request.query.reader}" }
      favourite:
        type: boolean
        derived: "\${Favourite.exists(f, f.article == this && f.account == request.query.reader)}"
      favourites: { type: integer, derived: "\${Favourite.filter(f, f.article == this).size()}" }
      comments: { derived: "\${Comment(Comment.filter(c, c.article == this))}" }
      latest: { derived: "\${Comment.filter(c, c.article == this).map(c, c.id).max()}" }
  Comment:
    identifier: id
    fields:
      id: { type: integer }
      article: { refers: Article, ifDeleted: delete, readable: false }
      author: { refers: Account, ifDeleted: delete, shown: "\${Profile(value)}" }
  Favourite:
    identifier: [account, article]
    fields: { account: { refers: Account, ifDeleted: delete }, article: { refers: Article, ifDeleted: delete } }
  Follow:
    identifier: [follower, followed]
    fields: { follower: { refers: Account, ifDeleted: delete }, followed: { refers: Account, ifDeleted: delete } }
  Peered:
    of: Article
    shows: []
    fields: { peers: { derived: "\${Article.filter(a, a.at == this.at).size()}" } }
  Risky:
    of: Article
    shows: [slug]
    fields: { ratio: { derived: "\${Comment.filter(c, c.article == this).map(c, 1 / (c.id - 1)).sum()}" } }
endpoints:
  others: ignore
  POST /accounts: { does: create Account, request: { body: Account }, response: 201 }
  POST /articles: { does: create Article, request: { body: Article }, response: 201 }
  POST /comments:
    does: create Comment
    request: { body: { fields: { id: { type: integer }, article: { type: string }, author: { type: string } } } }
    response: 201
  POST /favourites: { does: create Favourite, request: { body: Favourite }, response: 201 }
  POST /follows: { does: create Follow, request: { body: Follow }, response: 201 }
  GET /articles:
    does: { list: Article, order: [-at] }
    request: { query: { reader: { type: string }, limit: { page: size } } }
    response: { status: 200, body: "\${Article(page.items)}" }
  GET /counted:
    does: { list: Article, order: [at] }
    request:
      query:
        limit: { page: size }
        offset: { page: offset, type: integer }
        from: { type: integer, filter: "\${this.at >= request.query.from}" }
    response: { status: 200, body: { slugs: "\${page.items.map(a, a.slug)}", total: "\${page.total}" } }
  GET /names:
    does: { list: Article, order: [at] }
    response:
      status: 200
      body: "\${page.items.map(a, [a.author.name, string(Favourite.filter(f, f.article == a).size())])}"
  GET /articles/{slug}:
    does: read Article
    request: { query: { reader: { type: string } } }
    response: { status: 200, body: Article }
  PUT /articles/{slug}:
    does: update Article
    request: { query: { reader: { type: string } }, body: { fields: { at: { type: integer } } } }
    response: { status: 200, body: { after: "\${Article(this)}", before: "\${Article(old)}", peers: ["\${Peered(this)}", "\${Peered(old)}"] } }
  DELETE /articles/{slug}:
    does: delete Article
    request: { query: { reader: { type: string } } }
    response: { status: 200, body: Article }
  GET /talk:
    does: list Account
    request: { query: { reader: { type: string } } }
    response:
      status: 200
      body:
        said: "\${Comment(Comment)}"
        about: "\${Comment.filter(c, c.id > 1).map(c, [c.article.slug, c.article.author.name])}"
  GET /articles/{slug}/risk: { does: read Article, response: { status: 200, body: { is: "\${Risky(this)}" } } }
  GET /risky:
    does: { list: Article, order: [at] }
    response: { status: 200, body: { all: "\${Risky(page.items)}" } }
  GET /safe:
    does: { list: Article, order: [at] }
    response: { status: 200, body: "\${page.items.map(a, a.slug == 'b' ? 0.0 : double(Comment.filter(c, c.article == a).map(c, 1 / (c.id - 1)).sum()))}" }
`) as Document;

async function keep({ call }: Running): Promise<void> {
  const put = async (target: string, body: unknown): Promise<void> => {
    const fields = { 'Content-Type': 'application/json' };
    const answer = await call({ method: 'POST', target, fields, body: JSON.stringify(body) });
    expect(answer).toMatchObject({ status: 201 });
  };
  await put('/accounts', { id: '1', name: 'Ada', bio: 'a "b"' });
  await put('/accounts', { id: '2', name: 'Bo' });
  await put('/articles', { slug: 'a', at: 1, tags: ['x'], author: '1' });
  await put('/articles', { slug: 'b', at: 2, tags: [], author: '2' });
  await put('/articles', { slug: 'c', at: 3 });
  await put('/comments', { id: 2, article: 'a', author: '2' });
  await put('/comments', { id: 3, article: 'a', author: '1' });
  await put('/comments', { id: 1, article: 'b', author: '1' });
  await put('/favourites', { account: '1', article: 'a' });
  await put('/favourites', { account: '2', article: 'a' });
  await put('/follows', { follower: '1', followed: '2' });
}

/** The body of an answer, and how many statements it took. */
async function asked({ call }: Running, target: string): Promise<{ body: unknown; statements: number }> {
  const { value, reads } = await statementsOf(() => call({ method: 'GET', target, fields: {}, body: null }));
  // PostgreSQL is asked the first again where an operation first takes more, so that all are of one moment.
  const isAgain = isPostgres && reads.indexOf(reads[0] as string, 1) !== -1;
  const statements = isAgain ? reads.length - 1 : reads.length;
  return { body: value.body === '' ? null : JSON.parse(value.body), statements };
}

async function statusOf({ call }: Running, target: string): Promise<number> {
  return (await call({ method: 'GET', target, fields: {}, body: null })).status;
}

const ada = { name: 'Ada', bio: 'a "b"', following: false };
const bo = { name: 'Bo', following: true };

describe('a list whose items show others (language §G.4)', () => {
  it('is told by one statement, however many items there are', () =>
    serving(document, async (running) => {
      await keep(running);
      const all = [
        {
          ...{ slug: 'c', at: 3, mine: false, favourite: false, favourites: 0, comments: [] },
          latest: null,
        },
        {
          ...{ slug: 'b', at: 2, tags: [], author: bo, mine: false, favourite: false, favourites: 0 },
          ...{ comments: [{ id: 1, author: ada }], latest: 1 },
        },
        {
          ...{ slug: 'a', at: 1, tags: ['x'], author: ada, mine: true, favourite: true, favourites: 2 },
          comments: [
            { id: 2, author: bo },
            { id: 3, author: ada },
          ],
          latest: 3,
        },
      ];
      expect(await asked(running, '/articles?reader=1')).toEqual({ body: all, statements: 1 });
      expect(await asked(running, '/articles?reader=1&limit=2')).toEqual({
        body: all.slice(0, 2),
        statements: 1,
      });
    }));

  it('is told by one where a template goes through them', () =>
    serving(document, async (running) => {
      await keep(running);
      expect(await asked(running, '/names')).toEqual({
        body: [
          ['Ada', '2'],
          ['Bo', '0'],
          [null, '0'],
        ],
        statements: 1,
      });
    }));

  it('tells how many there are in all with the page', () =>
    serving(document, async (running) => {
      await keep(running);
      const counted = async (query: string): Promise<unknown> => asked(running, `/counted?${query}`);
      const told = (slugs: string[], total: number, statements = 1) => ({
        body: { slugs, total },
        statements,
      });
      expect(await counted('limit=2')).toEqual(told(['a', 'b'], 3));
      expect(await counted('limit=1&offset=1')).toEqual(told(['b'], 3));
      expect(await counted('limit=1&from=2')).toEqual(told(['b'], 2));
      expect(await counted('limit=3')).toEqual(told(['a', 'b', 'c'], 3));
      expect(await counted('')).toEqual(told(['a', 'b', 'c'], 3));
      // A page that has no row has none to tell it.
      expect(await counted('limit=1&offset=5')).toEqual(told([], 3, 2));
    }));

  it('is a fault of the service where a member cannot be evaluated, and only where that is shown', () =>
    serving(document, async (running) => {
      await keep(running);
      expect(await statusOf(running, '/risky')).toBe(500);
      expect(await asked(running, '/safe')).toMatchObject({ body: [1, 0, 0] });
    }));
});

describe('an item that shows others', () => {
  const shown = {
    ...{ slug: 'a', at: 1, tags: ['x'], author: ada, mine: true, favourite: true, favourites: 2 },
    comments: [
      { id: 2, author: bo },
      { id: 3, author: ada },
    ],
    latest: 3,
  };

  it('is found and told by one statement, and told after a change too', () =>
    serving(document, async (running) => {
      await keep(running);
      expect(await asked(running, '/articles/a?reader=1')).toEqual({ body: shown, statements: 1 });
      const fields = { 'Content-Type': 'application/json' };
      const put = { method: 'PUT', target: '/articles/a?reader=1', fields, body: '{"at":5}' };
      const { body } = await running.call(put);
      expect(JSON.parse(body)).toEqual({
        ...{ after: { ...shown, at: 5 }, before: shown },
        // What is told is told of the item as it stands.
        peers: [{ peers: 1 }, { peers: 0 }],
      });
    }));

  it('is told of as it was where it is there no more', () =>
    serving(document, async (running) => {
      await keep(running);
      const gone = { method: 'DELETE', target: '/articles/a?reader=1', fields: {}, body: null };
      const { body } = await running.call(gone);
      expect(JSON.parse(body)).toEqual({
        ...{ ...shown, favourite: false, favourites: 0, comments: [], latest: null },
      });
    }));

  it('is asked for one by one where all of it cannot be worked out', () =>
    serving(document, async (running) => {
      await keep(running);
      expect(await asked(running, '/articles/a/risk')).toMatchObject({ body: { is: { ratio: 1 } } });
      expect(await statusOf(running, '/articles/b/risk')).toBe(500);
    }));
});

describe('a set that stands in an answer', () => {
  it('is told by one statement, with what is shown of its items', () =>
    serving(document, async (running) => {
      await keep(running);
      expect(await asked(running, '/talk?reader=1')).toEqual({
        body: {
          said: [
            { id: 2, author: bo },
            { id: 3, author: ada },
            { id: 1, author: ada },
          ],
          about: [
            ['a', 'Ada'],
            ['a', 'Ada'],
          ],
        },
        statements: 3,
      });
    }));
});

describe('items that show one another (language §G.4)', () => {
  const tree = parse(`
name: Tree
tacet: 1
resources:
  Node:
    identifier: id
    fields:
      id: { type: integer }
      parent: { refers: Node, ifDeleted: keep, shown: "\${Node(value)}" }
endpoints:
  others: refuse
  PUT /nodes/{id}: { does: { create: Node, present: replace }, request: { path: { id: Node.id }, body: Node }, response: { status: 204 } }
  GET /nodes/{id}: { does: read Node, response: { status: 200, body: Node } }
errors: { codes: { fault: { when: internal, status: 500 } } }
`) as Document;

  it('go as deep as the items do, and one that shows itself cannot be worked out', async () => {
    const faults: unknown[] = [];
    await serving(
      tree,
      async (running) => {
        const put = (id: number, parent?: number) =>
          running.call({
            method: 'PUT',
            target: `/nodes/${id}`,
            fields: { 'Content-Type': 'application/json' },
            body: JSON.stringify(parent === undefined ? {} : { parent }),
          });
        const get = (id: number) =>
          running.call({ method: 'GET', target: `/nodes/${id}`, fields: {}, body: null });
        for (const [id, parent] of [[1], [2, 1], [3, 2]] as const) await put(id as number, parent);
        expect((await get(3)).body).toBe('{"id":3,"parent":{"id":2,"parent":{"id":1}}}');
        await put(1, 3);
        const { status, body } = await get(3);
        expect({ isWhole: body !== '', isOk: status === 200 || status === 500 }).toEqual({
          isWhole: false,
          isOk: true,
        });
      },
      { onFault: (fault) => void faults.push(fault) },
    );
    for (const fault of faults) expect(String(fault)).toContain('items show one another without end');
  });
});
