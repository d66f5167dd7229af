import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { addFunctions } from '../../src/service/store/sqlite/functions.ts';
import { ask, password, publishing, register } from './publishing.ts';
import { bench, type Running } from './running.ts';
import { specificationOf } from './served.ts';
import { indexesOf, planOf, scansOf, statementsOf } from './statements.ts';

const { serving, file, end } = bench();
afterAll(end);

/** So many of everything, all of it in touch with the one who asks from then on: gives what its requests carry. */
async function keep(running: Running, data: string, count: number): Promise<string> {
  const as = await register(running, 'p0');
  beside(data, (connection) => {
    const insert = connection.prepare('INSERT INTO _account (key0, members) VALUES (?, ?)');
    for (let one = 1; one < count; one += 1)
      insert.run(`id${one}`, JSON.stringify({ email: `${one}@example.org`, name: `p${one}`, bio: null }));
  });
  for (let one = 0; one < count; one += 1) {
    const article = { title: `A ${one}`, summary: 's', body: 'b', tags: ['x', `t${one}`] };
    await ask(running, 'POST /articles', { as, body: { article } });
    await ask(running, `POST /profiles/p${one}/follow`, { as });
    await ask(running, 'POST /articles/a-0/comments', { as, body: { comment: { body: 'c' } } });
    await ask(running, `POST /articles/a-${one}/favourite`, { as });
  }
  beside(data, (connection) => {
    const insert = connection.prepare("INSERT INTO _favourite (key0, key1, members) VALUES (?, 'a-0', '{}')");
    for (let one = 1; one < count; one += 1) insert.run(`id${one}`);
    const author = connection.prepare(
      "UPDATE _article SET members = json_set(members, '$.author', ?) WHERE key0 = ?",
    );
    for (let one = 2; one < count; one += 1) author.run(`id${one}`, `a-${one}`);
  });
  return as;
}

/** Writes into the file of a service, beside it. */
function beside(data: string, write: (connection: Database.Database) => void): void {
  const connection = new Database(data);
  addFunctions(connection);
  connection.transaction(() => write(connection))();
  connection.close();
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

const inFile = <T>(use: (running: Running, data: string) => Promise<T>, data = file()): Promise<T> =>
  serving(publishing(), (running) => use(running, data), { data });

/** What each request asks of what is kept, where there are so many of everything. */
const asked = (count: number) =>
  inFile(async (running, data) => {
    const as = await keep(running, data, count);
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
      'GET /articles/a-0': 3,
      'GET /articles/a-0/comments': 4,
      'GET /tags': 3,
    });
    // One statement writes one item, and those that go with an article are many.
    const writes = (all: typeof few) =>
      all.filter(([line]) => line !== 'DELETE /articles/a-0').map(([line, , count]) => [line, count]);
    expect(writes(many)).toEqual(writes(few));
  });
});

describe('a list that is narrowed', () => {
  it('goes through no table, and through no index from one end', () =>
    inFile(async (running, data) => {
      const as = await keep(running, data, 1);
      const scans = async (line: string, by: string | null = as): Promise<unknown> => {
        const { value, reads } = await statementsOf(() => ask(running, line, by === null ? {} : { as: by }));
        expect([line, value.status]).toEqual([line, 200]);
        const found = reads.flatMap((sql) => scansOf(planOf(data, sql)));
        return found.map((step) => step.replace(/ [0-9a-f]{16}$/, ''));
      };
      for (const query of ['tag=x', 'author=p0', 'favourite=p0', 'favourite=p0&author=p0&tag=x']) {
        expect([query, await scans(`GET /articles?${query}`)]).toEqual([query, []]);
        expect([query, await scans(`GET /articles?${query}`, null)]).toEqual([query, []]);
      }
      const { reads: page } = await statementsOf(() => ask(running, 'GET /articles?tag=x'));
      const sorts = page.flatMap((sql) => planOf(data, sql)).filter((step) => step.includes('TEMP B-TREE'));
      expect(sorts).toEqual([]);
      expect(await scans('GET /feed')).toEqual([]);
      expect(await scans('GET /articles/a-0')).toEqual([]);
      expect(await scans('GET /articles/a-0/comments')).toEqual([]);
      // One that is not is read in its order, and counted.
      expect(await scans('GET /articles')).toEqual([
        'SCAN t0 USING INDEX _article',
        'SCAN _article USING COVERING INDEX _article',
      ]);
    }));

  it('finds which elements of lists are in use, and how often', async () => {
    const data = file();
    const document = publishing()
      .replace(
        'name: { type: string, minLength: 1 }\n\n',
        'name: { type: string, minLength: 1 }\n    uses: { derived: "${Article.filter(a, this.name in a.tags).size()}" }\n\n',
      )
      .replace(
        '{ list: Tag, order: [name] }',
        '{ list: Tag, order: [name], where: "${Article.exists(a, this.name in a.tags)}" }',
      )
      .replace('"${page.items.map(t, t.name)}"', '"${Tag(page.items)}"');
    const site = async (running: Running) => {
      await keep(running, data, 2);
      beside(data, (connection) => connection.exec("INSERT INTO _tag (key0, members) VALUES ('none', '{}')"));
      const { value, reads } = await statementsOf(() => ask(running, 'GET /tags'));
      const used = [
        { name: 't0', uses: 1 },
        { name: 't1', uses: 1 },
        { name: 'x', uses: 2 },
      ];
      expect(value.body).toEqual({ tags: used });
      const scans = reads.flatMap((sql) => scansOf(planOf(data, sql)));
      expect(scans.filter((step) => !step.includes('_tag'))).toEqual([]);
    };
    await serving(document, site, { data });
  });

  it('has no index besides the key where that serves, in whatever order its fields are known', () =>
    inFile(async (_, data) => {
      expect(indexesOf(data, '_favourite')).toEqual(['key1']);
      expect(indexesOf(data, '_follow')).toEqual(['key1']);
      const [author, createdAt] = [`members ->> '$."author"'`, `tacet_instant(members ->> '$."createdAt"')`];
      expect(indexesOf(data, '_article')).toEqual([createdAt, `${author}, ${createdAt}`]);
    }));
});
