// The same with Drizzle, as its documentation has it: relations that are read with the articles.
import { and, desc, eq, inArray, relations, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import Fastify from 'fastify';
import { type Batch, keeping, layOut, listSchema, type Query } from './articles-database.ts';
import { commandLine } from './command-line.ts';
import { open } from './database.ts';

const account = sqliteTable('account', {
  id: text().primaryKey(),
  name: text().notNull().unique(),
  bio: text(),
  key: text().notNull().unique(),
});
const article = sqliteTable('article', {
  id: integer().primaryKey(),
  slug: text().notNull().unique(),
  title: text().notNull(),
  summary: text().notNull(),
  body: text().notNull(),
  tags: text({ mode: 'json' }).$type<string[]>().notNull(),
  author: text().notNull(),
  createdAt: text().notNull(),
});
const articleTag = sqliteTable(
  'article_tag',
  {
    tag: text().notNull(),
    createdAt: text().notNull(),
    article: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tag, table.createdAt, table.article] })],
);
const favourite = sqliteTable(
  'favourite',
  { account: text().notNull(), article: integer().notNull() },
  (table) => [primaryKey({ columns: [table.article, table.account] })],
);
const follow = sqliteTable('follow', { follower: text().notNull(), followed: text().notNull() }, (table) => [
  primaryKey({ columns: [table.follower, table.followed] }),
]);
const schema = {
  account,
  article,
  articleTag,
  favourite,
  follow,
  accountRelations: relations(account, ({ many }) => ({ followers: many(follow) })),
  articleRelations: relations(article, ({ one, many }) => ({
    writer: one(account, { fields: [article.author], references: [account.id] }),
    favourites: many(favourite),
  })),
  favouriteRelations: relations(favourite, ({ one }) => ({
    of: one(article, { fields: [favourite.article], references: [article.id] }),
  })),
  followRelations: relations(follow, ({ one }) => ({
    to: one(account, { fields: [follow.followed], references: [account.id] }),
  })),
};

const options = commandLine();
const database = open(options.data);
layOut(database);
const keep = keeping(database);
const db = drizzle(database, { schema });

const service = Fastify({ bodyLimit: 1 << 24 });

service.post<{ Body: Batch }>('/batches', (request, reply) => {
  keep(request.body);
  return reply.code(204).send();
});

async function page({ tag, author, limit, offset, key }: Query) {
  const who =
    key === undefined
      ? undefined
      : await db.query.account.findFirst({ where: eq(account.key, key), columns: { id: true } });
  const actor = who?.id ?? null;
  const rows = await db.query.article.findMany({
    columns: { body: false },
    where: asked({ tag, author }),
    orderBy: [desc(article.createdAt), desc(article.id)],
    limit,
    offset,
    with: {
      writer: {
        columns: { name: true, bio: true },
        with: { followers: { where: eq(follow.follower, sql`${actor}`), columns: { follower: true } } },
      },
      favourites: { columns: { account: true } },
    },
  });
  return rows.map(({ writer, favourites, ...row }) => ({
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    tags: row.tags,
    author: { name: writer?.name, bio: writer?.bio, following: (writer?.followers.length ?? 0) > 0 },
    createdAt: row.createdAt,
    favourite: favourites.some((one) => one.account === actor),
    favourites: favourites.length,
  }));
}

service.get<{ Querystring: Query }>('/articles', { schema: listSchema }, async (request, reply) =>
  reply.send({ articles: await page(request.query) }),
);

service.get<{ Querystring: Query }>('/counted', { schema: listSchema }, async (request, reply) => {
  const articles = await page(request.query);
  return reply.send({ articles, total: await db.$count(article, asked(request.query)) });
});

function asked({ tag, author }: Pick<Query, 'tag' | 'author'>) {
  return and(
    tag === undefined ? undefined : taggedBy(tag),
    author === undefined ? undefined : writtenBy(author),
  );
}

function taggedBy(tag: string) {
  const ids = db.select({ id: articleTag.article }).from(articleTag).where(eq(articleTag.tag, tag));
  return inArray(article.id, ids);
}

function writtenBy(name: string) {
  const ids = db.select({ id: account.id }).from(account).where(eq(account.name, name));
  return inArray(article.author, ids);
}

await service.listen({ host: '127.0.0.1', port: options.port });
