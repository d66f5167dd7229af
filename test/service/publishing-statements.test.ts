import { afterAll, describe, expect, it } from 'vitest';
import { ask, password, publishing, register } from './publishing.ts';
import { bench, type Running } from './running.ts';
import { specificationOf } from './served.ts';
import { statementsOf } from './statements.ts';

const { serving, end } = bench();
afterAll(end);

/** So many of everything: writers who follow one another, an article each, and comments and favourites of the first. */
async function keep(running: Running, count: number): Promise<readonly string[]> {
  const people = await Promise.all(Array.from({ length: count }, (_, one) => register(running, `p${one}`)));
  const [first] = people;
  for (const [one, as] of people.entries()) {
    const article = { title: `A ${one}`, summary: 's', body: 'b', tags: ['x', `t${one}`] };
    await ask(running, 'POST /articles', { as, body: { article } });
    await ask(running, `POST /profiles/p${one}/follow`, { as: first as string });
    await ask(running, 'POST /articles/a-0/comments', { as, body: { comment: { body: 'c' } } });
    await ask(running, 'POST /articles/a-0/favourite', { as });
    await ask(running, `POST /articles/a-${one}/favourite`, { as: first as string });
  }
  return people;
}

const article = { title: 'N', summary: 's', body: 'b', tags: ['x', 'z'] };
const account = { email: 'z@example.org', name: 'z', password };

/** Every operation, by its name, and further requests of those that can be asked in several ways. */
const requests: readonly (readonly [operation: string, line: string, body?: unknown])[] = [
  ['register', 'POST /accounts', { account }],
  ['logIn', 'POST /sessions', { account: { email: 'p0@example.org', password: `${password} p0` } }],
  ['readSelf', 'GET /account'],
  ['changeSelf', 'PUT /account', { account: { bio: 'weaves' } }],
  ['readProfile', 'GET /profiles/p1'],
  ['unfollow', 'DELETE /profiles/p1/follow'],
  ['follow', 'POST /profiles/p1/follow'],
  ['listArticles', 'GET /articles?limit=30'],
  ['listArticles', 'GET /articles?limit=2'],
  ['listArticles', 'GET /articles?tag=x&limit=30'],
  ['listArticles', 'GET /articles?author=p0'],
  ['listArticles', 'GET /articles?favourite=p0&limit=2'],
  ['readFeed', 'GET /feed?limit=30'],
  ['readFeed', 'GET /feed?limit=2'],
  ['publish', 'POST /articles', { article }],
  ['readArticle', 'GET /articles/a-0'],
  ['reviseArticle', 'PUT /articles/a-0', { article: { body: 'c', tags: ['x', 'z'] } }],
  ['disfavour', 'DELETE /articles/a-0/favourite'],
  ['favour', 'POST /articles/a-0/favourite'],
  ['listComments', 'GET /articles/a-0/comments'],
  ['comment', 'POST /articles/a-0/comments', { comment: { body: 'd' } }],
  ['withdrawComment', 'DELETE /articles/a-0/comments/1'],
  ['listTags', 'GET /tags'],
  ['withdrawArticle', 'DELETE /articles/a-0'],
];

/** What each request asks of what is kept, where there are so many of everything. */
const asked = (count: number) =>
  serving(publishing(), async (running) => {
    const [as = ''] = await keep(running, count);
    const found: (readonly [line: string, reads: readonly string[], writes: number])[] = [];
    for (const [operation, line, body] of requests) {
      const who = ['register', 'logIn'].includes(operation) ? {} : { as };
      const { value, reads, writes } = await statementsOf(() => ask(running, line, { ...who, body }));
      expect([line, value.status]).toEqual([line, expect.toSatisfy((status) => status < 300)]);
      found.push([line, reads, writes.length]);
    }
    return found;
  });

describe('the publishing site', () => {
  it('is asked in every way', () => {
    const { operations } = specificationOf(publishing());
    const names = new Set(operations.map(({ name }) => name));
    expect(new Set(requests.map(([name]) => name))).toEqual(names);
  });

  it('reads by the same statements however many items there are, and none of them in a loop', async () => {
    const [few, many] = [await asked(3), await asked(30)];
    expect(many.map(([line, reads]) => [line, reads])).toEqual(few.map(([line, reads]) => [line, reads]));
    const counts = Object.fromEntries(many.map(([line, reads]) => [line, reads.length]));
    // Who asks takes two.
    expect(counts).toMatchObject({
      'GET /articles?limit=2': 3,
      'GET /articles?tag=x&limit=30': 3,
      'GET /feed?limit=30': 3,
      'GET /articles/a-0': 4,
      'GET /articles/a-0/comments': 4,
      'GET /tags': 3,
    });
    // One statement writes one item, and those that go with an article are many.
    const writes = (all: typeof few) =>
      all.filter(([line]) => line !== 'DELETE /articles/a-0').map(([line, , count]) => [line, count]);
    expect(writes(many)).toEqual(writes(few));
  });
});
