import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/store/open.ts';
import type { Store, Table } from '../../../src/service/store/store.ts';
import { type Answer, ask, type Served, start } from '../served.ts';
import { statementsOf } from '../statements.ts';
import { absence, connected, isPooled, schema } from './postgres.ts';
import { proxy } from './proxy.ts';

const missing = await absence();

/** A list as it is common: of the newest, with who wrote each, and what that is to who asks. */
const document = `
resources:
  Account:
    identifier: id
    fields:
      id: { type: string }
      name: { type: string, unique: true }
      bio: { type: [string, "null"] }
      key: { type: string, unique: true, readable: false }
  Profile:
    of: Account
    shows: [name, bio]
    fields: { mine: { type: boolean, derived: "\${Account.exists(a, a == this && a == actor)}" } }
  Article:
    identifier: slug
    others: keep
    fields:
      slug: { type: string }
      title: { type: string }
      body: { type: string }
      tags: { type: array, items: { type: string } }
      author: { refers: Account, ifDeleted: delete, shown: "\${Profile(value)}" }
      rank: { type: number, default: 0 }
      createdAt: { type: string, format: date-time }
      likes: { type: integer, derived: "\${Like.filter(l, l.article == this).size()}" }
      liked: { type: boolean, derived: "\${Like.exists(l, l.article == this && l.account == actor)}" }
  Teaser: { of: Article, omits: [body] }
  Like:
    identifier: [account, article]
    fields: { account: { refers: Account, ifDeleted: delete }, article: { refers: Article, ifDeleted: delete } }
  Batch: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } } } }
endpoints:
  others: refuse
  POST /batches:
    does: create Batch
    also:
      - { create: Account, for: "\${request.body.accounts}", with: "\${value}" }
      - { create: Article, for: "\${request.body.articles}", with: "\${value}" }
      - { create: Like, for: "\${request.body.likes}", with: "\${value}" }
    request:
      body:
        fields:
          accounts: { type: array, items: { type: object } }
          articles: { type: array, items: { type: object } }
          likes: { type: array, items: { type: object } }
        required: [accounts, articles, likes]
    response: 204
  PATCH /accounts/{id}: { does: update Account, request: { body: Account }, response: 204 }
  DELETE /accounts/{id}: { does: delete Account, response: 204 }
  GET /articles/{slug}: { does: read Article, response: { status: 200, body: Article } }
  GET /articles:
    does: { list: Article, order: ["-createdAt"] }
    request:
      query:
        tag: { filter: "\${request.query.tag in this.tags}" }
        author: { filter: "\${this.author.name == request.query.author}" }
        limit: { page: size, type: integer, minimum: 1, maximum: 100, default: 20 }
        offset: { page: offset, type: integer, minimum: 0, default: 0 }
    response: { status: 200, body: { articles: "\${Teaser(page.items)}" } }
  GET /ranked:
    does: { list: Article, order: [rank, "-createdAt"] }
    request: { query: { offset: { page: offset, type: integer, minimum: 0, default: 0 }, limit: { page: size, type: integer, default: 7 } } }
    response: { status: 200, body: { articles: "\${Article(page.items)}", total: "\${page.total}" } }
authentication:
  schemes:
    key: { type: apiKey, in: query, name: key, credentials: { kept: Account.key }, actor: Account }
  otherwise: anyone
errors: { codes: { gone: { when: unknown, status: 404 } } }
`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, one) => one);
const accounts = numbers(50).map((one) => ({
  ...{ id: `a${one}`, name: `writer ${one}`, key: `key-${one}` },
  bio: one % 3 === 0 ? null : `about "${one}"`,
}));
const article = (one: number) => ({
  slug: `s${one}`,
  title: `The ${one}th`,
  body: 'It is a long story. '.repeat(10),
  tags: [`t${one % 7}`, 'all'],
  author: `a${one % 50}`,
  ...(one % 5 === 0 ? { rank: one / 4 } : {}),
  createdAt: new Date(Date.UTC(2026, 0, 1) + (one % 400) * 1000).toISOString(),
});

async function fill(served: Served, count: number): Promise<void> {
  const make = async (body: object): Promise<void> =>
    expect(
      (await ask(served, 'POST /batches', { accounts: [], articles: [], likes: [], ...body })).status,
    ).toBe(204);
  await make({ accounts });
  for (let first = 0; first < count; first += 1000) {
    const some = numbers(Math.min(1000, count - first)).map((one) => first + one);
    await make({ articles: some.map(article) });
    await make({ likes: some.map((one) => ({ account: `a${(one * 7) % 50}`, article: `s${one}` })) });
  }
}

const lists = [
  '/articles',
  '/articles?key=key-3',
  '/articles?key=key-3&offset=5&limit=3',
  '/articles?offset=395&limit=100&key=key-4',
  '/articles?offset=10000',
  '/articles?tag=t3&key=key-1',
  '/articles?tag=t3&offset=9&limit=2',
  '/articles?author=writer%207&key=key-7',
  '/articles?author=nobody',
  '/ranked',
  '/ranked?offset=3&key=key-9',
  '/ranked?offset=380&limit=50',
];

async function answers(served: Served): Promise<readonly Answer['body'][]> {
  const all: Answer['body'][] = [];
  for (const path of lists) {
    const { status, body } = await ask(served, `GET ${path}`);
    expect([path, status]).toEqual([path, 200]);
    all.push(body);
  }
  return all;
}

/** A store that puts no texts together. */
async function withoutTexts(data: string, tables: readonly Table[]): Promise<Store> {
  const store = await openStore(data, tables);
  const read: Store['read'] = (look, asker) =>
    store.read(({ find, rows, value }) => look({ find, rows, value }), asker);
  return { ...store, read };
}

interface Step {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly Step[];
}

function fetchesOf({ 'Heap Fetches': own = 0, Plans = [] }: Step): number {
  return Plans.reduce((sum, one) => sum + fetchesOf(one), own);
}

describe.skipIf(missing !== null)('lists on PostgreSQL', () => {
  it('are what they are in SQLite, item by item, and as one text', async () => {
    const { address } = await schema();
    const [own, other] = [await start(document), await start(document, { data: address })];
    await fill(own, 400);
    await fill(other, 400);
    const wanted = await answers(own);
    expect(await answers(other)).toEqual(wanted);
    expect(await answers(other)).toEqual(wanted);
    await other.close();
    expect(await answers(await start(document, { data: address, open: withoutTexts }))).toEqual(wanted);
  });

  it.skipIf(isPooled)(
    'take one message to the server and one back, though it has to be found who asks',
    async () => {
      const way = await proxy();
      const served = await start(document, { data: way.by((await schema()).address) });
      await fill(served, 60);
      const list = 'GET /articles?offset=2&key=key-3';
      await ask(served, list);
      await ask(served, list);
      const before = way.passed();
      const { value, sent } = await statementsOf(() => ask(served, list));
      const after = way.passed();
      expect(value.status).toBe(200);
      expect(sent).toHaveLength(1);
      expect([after.to - before.to, after.back - before.back]).toEqual([1, 1]);
    },
  );

  it.skipIf(isPooled)('pass over what is before a page by an index alone', async () => {
    const { address } = await schema();
    const served = await start(document, { data: address });
    await fill(served, 4000);
    const beside = await connected(address);
    await beside.query('VACUUM ANALYZE');
    const costs: { readonly calls: number; readonly buffers: number }[] = [];
    for (const offset of [0, 3000]) {
      const { sent } = await statementsOf(() => ask(served, `GET /articles?offset=${offset}`));
      const [{ text, values } = { text: '', values: [] }] = sent;
      await beside.query("BEGIN; SET LOCAL track_functions = 'all'");
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
      const { rows } = await beside.query({ text: explain, values: [...values], rowMode: 'array' });
      const [[[{ Plan }]]] = rows as unknown as [[[{ readonly Plan: Step }]]];
      const calls = await beside.query(
        'SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_xact_user_functions',
      );
      await beside.query('ROLLBACK');
      costs.push({
        calls: (calls.rows[0] as { calls: number }).calls,
        // A row is looked at for whether it is seen by now, as long as others write, until VACUUM has been there.
        buffers: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'] - fetchesOf(Plan),
      });
    }
    await beside.end();
    const [newest, deep] = costs as [(typeof costs)[0], (typeof costs)[0]];
    expect([newest.calls, deep.calls]).toEqual([0, 0]);
    expect(deep.buffers).toBeLessThanOrEqual(3 * newest.buffers);
  });

  it('see who asks as they are by now, whatever they were before', async () => {
    const served = await start(document, { data: (await schema()).address });
    await fill(served, 60);
    const seen = async (key: string): Promise<readonly (readonly [boolean, boolean])[]> => {
      const { body } = await ask(served, `GET /articles?key=${key}&limit=60`);
      const { articles } = body as { articles: { liked: boolean; author: { mine: boolean } }[] };
      return articles.map(({ liked, author }) => [liked, author.mine]);
    };
    const [third, fourth] = [await seen('key-3'), await seen('key-4')];
    expect(third).not.toEqual(fourth);
    expect(await seen('key-3')).toEqual(third);
    await ask(served, 'PATCH /accounts/a3', { key: 'other' });
    await ask(served, 'PATCH /accounts/a4', { key: 'key-3' });
    expect(await seen('key-3')).toEqual(fourth);
    expect(await seen('other')).toEqual(third);
    await ask(served, 'DELETE /accounts/a4');
    expect((await ask(served, 'GET /articles?key=key-3')).status).not.toBe(200);
    expect((await ask(served, 'GET /articles/s5?key=other')).status).toBe(200);
  });

  it('have the columns of another document made, and those that it does not need removed', async () => {
    const { address } = await schema();
    const plain = document.replaceAll(/order: \[[^\]]*\]/g, 'order: [slug]');
    const columns = async (): Promise<number> => {
      const beside = await connected(address);
      const { rowCount } = await beside.query(
        "SELECT 1 FROM pg_attribute WHERE attrelid = '\"Article\"'::regclass AND starts_with(attname, 'm_') AND NOT attisdropped",
      );
      await beside.end();
      return rowCount ?? 0;
    };
    const before = await start(plain, { data: address });
    await fill(before, 100);
    const few = await columns();
    await before.close();
    const own = await start(document);
    await fill(own, 100);
    const after = await start(document, { data: address });
    expect(await answers(after)).toEqual(await answers(own));
    expect(await columns()).toBeGreaterThan(few);
    await after.close();
    await (await start(plain, { data: address })).close();
    expect(await columns()).toBe(few);
  });
});
