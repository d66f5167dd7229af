// The list of articles as it is written by hand with Fastify and node-postgres, as fast as it can be: one statement, of
// which the account is a part; the page first, by an index alone; and the JSON put together by PostgreSQL, of texts that
// are kept as they are shown.
import Fastify from 'fastify';
import pg from 'pg';
import type { Batch, Query } from './articles-database.ts';
import { listSchema } from './articles-database.ts';
import { commandLine } from './command-line.ts';

const { port, data } = commandLine();
const place = new URL(data);
const schema = place.searchParams.get('schema') as string;
place.searchParams.delete('schema');
const pool = new pg.Pool({
  connectionString: place.href,
  max: 16,
  options: `-c search_path=${schema} -c plan_cache_mode=force_generic_plan`,
});
const columns = (names: string): string => names.replaceAll(/\w+/g, (name) => `${name} text COLLATE "C"`);
await pool.query(`
  CREATE TABLE IF NOT EXISTS account (${columns('id, name, key, shown')}, PRIMARY KEY (id), UNIQUE (name), UNIQUE (key));
  CREATE TABLE IF NOT EXISTS article (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${columns('slug, author, created, body, shown')}, UNIQUE (slug)
  );
  CREATE INDEX IF NOT EXISTS article_created ON article (created, id);
  CREATE INDEX IF NOT EXISTS article_author ON article (author, created, id);
  CREATE TABLE IF NOT EXISTS article_tag (${columns('tag, created')}, article bigint, PRIMARY KEY (tag, created, article));
  CREATE TABLE IF NOT EXISTS favourite (article bigint, ${columns('account')}, PRIMARY KEY (article, account));
  CREATE TABLE IF NOT EXISTS follow (${columns('follower, followed')}, PRIMARY KEY (follower, followed));
`);

/** So many statements are prepared as there are limits and ways to ask. */
const ways = {
  all: 'SELECT id, created FROM article ORDER BY created DESC, id DESC',
  tag: 'SELECT article AS id, created FROM article_tag WHERE tag = $3 ORDER BY created DESC, article DESC',
  author: `SELECT id, created FROM article WHERE author = (SELECT id FROM account WHERE name = $3) ORDER BY created DESC, id DESC`,
};
const counts = {
  all: 'SELECT count(*) FROM article',
  tag: 'SELECT count(*) FROM article_tag WHERE tag = $3',
  author: 'SELECT count(*) FROM article WHERE author = (SELECT id FROM account WHERE name = $3)',
};
const statement = (way: keyof typeof ways, limit: number, isCounted: boolean): string => `
  SELECT coalesce(string_agg(x, ','), ''), ${isCounted ? `(${counts[way]})::int` : 'NULL'} FROM (
    SELECT '{' || a.shown || ',"author":{' || w.shown || ',"following":'
      || (CASE WHEN EXISTS (SELECT 1 FROM follow WHERE follower = (SELECT id FROM account WHERE key = $1) AND followed = a.author) THEN 'true' ELSE 'false' END)
      || '},"favourite":' || (CASE WHEN EXISTS (SELECT 1 FROM favourite WHERE article = a.id AND account = (SELECT id FROM account WHERE key = $1)) THEN 'true' ELSE 'false' END)
      || ',"favourites":' || (SELECT count(*) FROM favourite WHERE article = a.id) || '}' AS x
    FROM (${ways[way]} LIMIT ${limit} OFFSET $2) AS p
      CROSS JOIN LATERAL (SELECT * FROM article WHERE id = p.id LIMIT 1) AS a
      CROSS JOIN LATERAL (SELECT * FROM account WHERE id = a.author LIMIT 1) AS w
    ORDER BY p.created DESC, p.id DESC
  ) AS rows`;

const service = Fastify({ bodyLimit: 1 << 24 });

const unnested = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}::text[]`).join(', ');
const transposed = (rows: readonly (readonly unknown[])[], width: number): unknown[][] =>
  Array.from({ length: width }, (_, index) => rows.map((row) => row[index]));
const within = (members: object): string => JSON.stringify(members).slice(1, -1);

service.post<{ Body: Batch }>('/batches', async ({ body }, reply) => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO account SELECT * FROM unnest(${unnested(4)})`,
      transposed(
        body.accounts.map(({ id, name, bio, key }) => [id, name, key, within({ name, bio })]),
        4,
      ),
    );
    await client.query(
      `INSERT INTO article (slug, author, created, body, shown) SELECT * FROM unnest(${unnested(5)})`,
      transposed(
        body.articles.map(({ slug, title, summary, body: text, tags, author, createdAt }) => [
          ...[slug, author, createdAt, text, within({ slug, title, summary, tags, createdAt })],
        ]),
        5,
      ),
    );
    await client.query(
      `INSERT INTO article_tag SELECT g.tag, a.created, a.id FROM unnest(${unnested(2)}) AS g (tag, slug) JOIN article AS a ON a.slug = g.slug`,
      transposed(
        body.articles.flatMap(({ slug, tags }) => tags.map((tag) => [tag, slug])),
        2,
      ),
    );
    await client.query(
      `INSERT INTO favourite SELECT a.id, g.account FROM unnest(${unnested(2)}) AS g (account, slug) JOIN article AS a ON a.slug = g.slug`,
      transposed(
        body.favourites.map(({ account, article }) => [account, article]),
        2,
      ),
    );
    await client.query(
      `INSERT INTO follow SELECT * FROM unnest(${unnested(2)})`,
      transposed(
        body.follows.map(({ follower, followed }) => [follower, followed]),
        2,
      ),
    );
    await client.query('COMMIT');
    return reply.code(204).send();
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});

async function page(
  { tag, author, limit, offset, key }: Query,
  isCounted: boolean,
): Promise<readonly [text: string, total: number]> {
  const way = tag === undefined ? (author === undefined ? 'all' : 'author') : 'tag';
  const { rows } = await pool.query<[string, number]>({
    name: `${way} ${limit} ${isCounted}`,
    text: statement(way, limit, isCounted),
    values: [key ?? null, offset, ...(way === 'all' ? [] : [tag ?? author])],
    rowMode: 'array',
  } as unknown as pg.QueryConfig);
  return rows[0] as [string, number];
}

const { querystring } = listSchema;
service.get<{ Querystring: Query }>('/articles', { schema: { querystring } }, async (request, reply) => {
  const [text] = await page(request.query, false);
  return reply.type('application/json').send(`{"articles":[${text}]}`);
});

service.get<{ Querystring: Query }>('/counted', { schema: { querystring } }, async (request, reply) => {
  const [text, total] = await page(request.query, true);
  return reply.type('application/json').send(`{"articles":[${text}],"total":${total}}`);
});

await service.listen({ host: '127.0.0.1', port });
