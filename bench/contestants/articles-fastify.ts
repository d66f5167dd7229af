// The list of articles as it is written by hand with Fastify: one statement, tuned to the indexes that it takes.
import Fastify from 'fastify';
import { type Batch, keeping, layOut, listSchema, type Query } from './articles-database.ts';
import { commandLine } from './command-line.ts';
import { open } from './database.ts';

interface Row {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: string;
  readonly name: string;
  readonly bio: string | null;
  readonly following: number;
  readonly createdAt: string;
  readonly favourite: number;
  readonly favourites: number;
}

const options = commandLine();
const database = open(options.data);
layOut(database);
const keep = keeping(database);

/** CROSS JOIN, so that SQLite goes through the articles first, in their order, and no further than the page. */
const listed = (from: string, order: string) =>
  database.prepare<Record<string, unknown>, Row>(`
    SELECT a.slug, a.title, a.summary, a.tags, a.createdAt, w.name, w.bio,
      EXISTS (SELECT 1 FROM follow f WHERE f.follower = @actor AND f.followed = w.id) AS following,
      EXISTS (SELECT 1 FROM favourite f WHERE f.article = a.id AND f.account = @actor) AS favourite,
      (SELECT count(*) FROM favourite f WHERE f.article = a.id) AS favourites
    FROM ${from} ORDER BY ${order} LIMIT @limit + 0 OFFSET @offset + 0`);
const withWriter = 'article a CROSS JOIN account w ON w.id = a.author';
const newest = 'a.createdAt DESC, a.id DESC';
const all = listed(withWriter, newest);
const byTag = listed(
  `article_tag t CROSS JOIN article a ON a.id = t.article CROSS JOIN account w ON w.id = a.author WHERE t.tag = @tag`,
  't.createdAt DESC, t.article DESC',
);
const byAuthor = listed(
  `${withWriter} WHERE a.author = (SELECT id FROM account WHERE name = @author)`,
  newest,
);
const counted = (from: string) =>
  database.prepare<Record<string, unknown>, number>(`SELECT count(*) FROM ${from}`).pluck();
const countAll = counted('article');
const countByTag = counted('article_tag WHERE tag = @tag');
const countByAuthor = counted('article WHERE author = (SELECT id FROM account WHERE name = @author)');
const actor = database.prepare<[string], string>('SELECT id FROM account WHERE "key" = ?').pluck();

const service = Fastify({ bodyLimit: 1 << 24 });

service.post<{ Body: Batch }>('/batches', (request, reply) => {
  keep(request.body);
  return reply.code(204).send();
});

function page({ tag, author, limit, offset, key }: Query) {
  const who = (key !== undefined && actor.get(key)) || null;
  const statement = tag === undefined ? (author === undefined ? all : byAuthor) : byTag;
  const rows = statement.all({ tag, author, limit, offset, actor: who });
  return rows.map((row) => ({
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    tags: JSON.parse(row.tags) as string[],
    author: { name: row.name, bio: row.bio, following: row.following === 1 },
    createdAt: row.createdAt,
    favourite: row.favourite === 1,
    favourites: row.favourites,
  }));
}

service.get<{ Querystring: Query }>('/articles', { schema: listSchema }, (request, reply) =>
  reply.send({ articles: page(request.query) }),
);

service.get<{ Querystring: Query }>('/counted', { schema: listSchema }, (request, reply) => {
  const { tag, author } = request.query;
  const count = tag === undefined ? (author === undefined ? countAll : countByAuthor) : countByTag;
  return reply.send({ articles: page(request.query), total: count.get({ tag, author }) });
});

await service.listen({ host: '127.0.0.1', port: options.port });
