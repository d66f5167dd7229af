import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { publishing } from '../publishing.ts';
import { ask, type Served, start } from '../served.ts';
import { plansOf, statementsOf } from '../statements.ts';
import { absence, isPooled, schema } from './postgres.ts';

const missing = await absence();

/** A site where one account follows others and is followed, with as many articles as there are of others. */
interface Site {
  readonly service: Served;
  readonly beside: pg.Client;
  /** What the requests of the one carry. */
  readonly as: readonly string[];
}

/**
 * So many accounts, articles, follows, favourites and comments. Each article has the tag that all have, one of a
 * hundred, and one of its own. The one wrote a hundredth of the articles, and follows a hundredth of the accounts.
 */
async function site(count: number): Promise<Site> {
  const { address, beside } = await schema();
  const service = await start(publishing(), { data: address });
  const account = { email: 'one@example.org', name: 'one', password: 'correct horse' };
  const { body } = await ask(service, 'POST /accounts', { account });
  const { token } = (body as { readonly account: { readonly token: string } }).account;
  const n = `generate_series(1, ${count}) AS n`;
  const hundredth = `generate_series(1, ${count}, 100) AS n`;
  const one = '(SELECT key0 FROM "Account" WHERE members LIKE \'%one@example.org%\')';
  const at = `'2026-01-01T00:00:00.000Z'::timestamp + n * interval '1 minute'`;
  const time = `to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;
  const by = `CASE WHEN n % 100 = 0 THEN ${one} ELSE 'id' || n END`;
  const keep = (
    resource: string,
    keys: readonly string[],
    members: Readonly<Record<string, string>> = {},
    from = n,
  ): Promise<unknown> => {
    const columns = keys.map((_, index) => `key${index}`);
    const texts = Object.entries(members).map(([name, value]) => `'"${name}":' || to_json(${value})`);
    return beside.query(
      `INSERT INTO "${resource}" (${[...columns, 'members'].join(', ')})
        SELECT ${keys.join(', ')}, '{' || ${texts.join(` || ',' || `) || "''"} || '}' FROM ${from}`,
    );
  };
  const text = (value: string): string => `(${value})::text`;
  await keep('Account', [`'id' || n`], { email: `n || '@example.org'`, name: `'p' || n` });
  await keep('Article', [`'a-' || n`], {
    title: `'A ' || n`,
    summary: text(`'s'`),
    body: text(`'b'`),
    tags: `ARRAY['all', 't' || n % 100, 'own' || n]`,
    author: by,
    createdAt: time,
    updatedAt: time,
  });
  await keep('Tag', [`'own' || n`]);
  await keep('Follow', [one, `'id' || n`], {}, hundredth);
  await keep('Follow', [`'id' || n`, one]);
  await keep('Favourite', [one, `'a-' || n`], {}, hundredth);
  await keep('Favourite', [`'id' || n`, `'a-1'`], {}, `generate_series(2, ${count}) AS n`);
  await keep('Comment', ['n + 1000000'], {
    article: `'a-' || n % 1000`,
    body: text(`'c'`),
    author: by,
    createdAt: time,
  });
  await beside.query('ANALYZE');
  return { service, beside, as: [`Authorization: Token ${token}`] };
}

/** Requests that change nothing, or leave what each later one is about. */
const requests: readonly (readonly [line: string, body?: unknown])[] = [
  ['GET /account'],
  ['GET /profiles/p1'],
  ['GET /articles'],
  ['GET /articles?offset=2'],
  ['GET /articles?tag=all'],
  ['GET /articles?tag=t1&limit=2'],
  ['GET /articles?tag=own1'],
  ['GET /articles?tag=nowhere'],
  ['GET /articles?author=one'],
  ['GET /articles?author=p1'],
  ['GET /articles?favourite=one'],
  ['GET /articles?favourite=p2'],
  ['GET /articles?tag=all&author=one'],
  ['GET /articles?tag=t1&author=p1&favourite=one'],
  ['GET /feed'],
  ['GET /articles/a-1'],
  ['GET /articles/a-3'],
  ['GET /articles/a-1/comments'],
  ['GET /articles/a-3/comments'],
  ['POST /accounts', { account: { email: 'n@example.org', name: 'n', password: 'correct horse' } }],
  ['POST /sessions', { account: { email: 'one@example.org', password: 'correct horse' } }],
  ['PUT /account', { account: { bio: 'weaves' } }],
  ['POST /profiles/p2/follow'],
  ['DELETE /profiles/p2/follow'],
  ['POST /articles/a-2/favourite'],
  ['DELETE /articles/a-2/favourite'],
  ['POST /articles', { article: { title: 'N', summary: 's', body: 'b', tags: ['all', 'x'] } }],
  ['PUT /articles/n', { article: { body: 'c', tags: ['all', 'y'] } }],
  ['POST /articles/n/comments', { comment: { body: 'd' } }],
  ['DELETE /articles/n'],
];

/** What each request asks of what is kept, where there are so many of everything. */
async function asked(count: number) {
  const { service, as } = await site(count);
  const found: (readonly [line: string, reads: readonly string[]])[] = [];
  for (const [line, body] of requests) {
    const { value, reads } = await statementsOf(() => ask(service, line, body, as));
    expect([line, value.status]).toEqual([line, expect.toSatisfy((status) => status < 300)]);
    found.push([line, reads]);
  }
  return found;
}

describe.skipIf(missing !== null)('the publishing site in PostgreSQL', () => {
  it.skipIf(isPooled)(
    'reads by the same statements however many items there are, and none of them in a loop',
    async () => {
      const [few, many] = [await asked(3), await asked(300)];
      expect(many).toEqual(few);
      // Who asks is known from before, and asked again by the same statement; whose comments they are is not.
      expect(Object.fromEntries(many.map(([line, reads]) => [line, reads.length]))).toMatchObject({
        'GET /articles': 1,
        'GET /articles?offset=2': 1,
        'GET /articles?tag=all': 1,
        'GET /articles?tag=t1&author=p1&favourite=one': 1,
        'GET /articles/a-1': 1,
        'GET /articles/a-3': 1,
        'GET /articles/a-3/comments': 5,
      });
    },
  );

  it.skipIf(isPooled)(
    'finds what a request is about by an index, among ten thousand of everything',
    async () => {
      const { service, beside, as } = await site(10_000);
      for (const [line, body] of requests) {
        const { value, sent } = await statementsOf(() => ask(service, line, body, as));
        expect([line, value.status]).toEqual([line, expect.toSatisfy((status) => status < 300)]);
        const reads = sent.filter(({ text }) => text.startsWith('SELECT'));
        const plans: (readonly string[])[] = [];
        for (const one of reads) plans.push(...(await plansOf(beside, one)));
        const scans = plans.flat().flatMap((step) => /Seq Scan on "[^"]*"/.exec(step)?.[0] ?? []);
        // How many there are in all is counted, where nothing narrows them.
        const counted =
          line.startsWith('GET /articles') &&
          !/[?&](tag|author|favourite)=/.test(line) &&
          !line.includes('/a-');
        expect([line, scans]).toEqual([
          line,
          counted ? ['Seq Scan on "Article"', 'Seq Scan on "Article"'] : [],
        ]);
        const ordered = plans
          .flat()
          .filter((step) => step.includes('Index Only Scan Backward using "tacet each'));
        if (line === 'GET /articles?tag=all') expect(ordered).toHaveLength(2);
      }
    },
  );
});
