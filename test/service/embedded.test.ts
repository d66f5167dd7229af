import Database from 'better-sqlite3';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import type { Document } from './document.ts';
import { bench, type Running } from './running.ts';

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
  GET /names:
    does: { list: Article, order: [at] }
    response:
      status: 200
      body: "\${page.items.map(a, [a.author.name, string(Favourite.filter(f, f.article == a).size())])}"
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
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Database.Statement;
  probe.close();
  const spies = (['all', 'get', 'iterate'] as const).map((name) => vi.spyOn(prototype, name));
  try {
    const { body } = await call({ method: 'GET', target, fields: {}, body: null });
    const statements = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    return { body: body === '' ? null : JSON.parse(body), statements };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
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

  it('leaves out what cannot be worked out only where that is shown', () =>
    serving(document, async (running) => {
      await keep(running);
      expect(await asked(running, '/risky')).toMatchObject({ body: null });
      expect(await asked(running, '/safe')).toMatchObject({ body: [1, 0, 0] });
    }));
});
