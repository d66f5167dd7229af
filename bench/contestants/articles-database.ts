// The tables of the articles as they are laid out by hand, with the indexes that their list takes.
import type { Database } from 'better-sqlite3';

/** So many items of everything, as `POST /batches` brings them. */
export interface Batch {
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly bio: string | null;
    readonly key: string;
  }[];
  readonly articles: readonly {
    readonly slug: string;
    readonly title: string;
    readonly summary: string;
    readonly body: string;
    readonly tags: readonly string[];
    readonly author: string;
    readonly createdAt: string;
  }[];
  readonly favourites: readonly { readonly account: string; readonly article: string }[];
  readonly follows: readonly { readonly follower: string; readonly followed: string }[];
}

/** What a page of articles is asked by. */
export interface Query {
  readonly tag?: string;
  readonly author?: string;
  readonly limit: number;
  readonly offset: number;
  readonly key?: string;
}

export function layOut(database: Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS account (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, bio TEXT, "key" TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE IF NOT EXISTS article (
      id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, title TEXT NOT NULL, summary TEXT NOT NULL, body TEXT NOT NULL,
      tags TEXT NOT NULL, author TEXT NOT NULL REFERENCES account (id), createdAt TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS article_created ON article (createdAt);
    CREATE INDEX IF NOT EXISTS article_author ON article (author, createdAt);
    CREATE TABLE IF NOT EXISTS article_tag (
      tag TEXT NOT NULL, createdAt TEXT NOT NULL, article INTEGER NOT NULL REFERENCES article (id),
      PRIMARY KEY (tag, createdAt, article)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS favourite (
      account TEXT NOT NULL REFERENCES account (id), article INTEGER NOT NULL REFERENCES article (id),
      PRIMARY KEY (article, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS follow (
      follower TEXT NOT NULL REFERENCES account (id), followed TEXT NOT NULL REFERENCES account (id),
      PRIMARY KEY (follower, followed)
    ) STRICT, WITHOUT ROWID;
  `);
}

/** Keeps all of a batch, in one transaction. */
export function keeping(database: Database): (batch: Batch) => void {
  const account = database.prepare('INSERT INTO account VALUES (?, ?, ?, ?)');
  const article = database.prepare(
    'INSERT INTO article (slug, title, summary, body, tags, author, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const tagged = database.prepare('INSERT INTO article_tag VALUES (?, ?, ?)');
  const favourite = database.prepare('INSERT INTO favourite SELECT ?, id FROM article WHERE slug = ?');
  const follow = database.prepare('INSERT INTO follow VALUES (?, ?)');
  return database.transaction(({ accounts, articles, favourites, follows }: Batch) => {
    for (const { id, name, bio, key } of accounts) account.run(id, name, bio, key);
    for (const { slug, title, summary, body, tags, author, createdAt } of articles) {
      const { lastInsertRowid } = article.run(
        ...[slug, title, summary, body, JSON.stringify(tags), author, createdAt],
      );
      for (const tag of tags) tagged.run(tag, createdAt, lastInsertRowid);
    }
    for (const one of favourites) favourite.run(one.account, one.article);
    for (const one of follows) follow.run(one.follower, one.followed);
  });
}

/** What Fastify is told of the list, as its documentation advises. */
export const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      tag: { type: 'string' },
      author: { type: 'string' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      offset: { type: 'integer', minimum: 0, default: 0 },
      key: { type: 'string' },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        articles: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              slug: { type: 'string' },
              title: { type: 'string' },
              summary: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' } },
              author: {
                type: 'object',
                properties: {
                  name: { type: 'string' },
                  bio: { type: ['string', 'null'] },
                  following: { type: 'boolean' },
                },
              },
              createdAt: { type: 'string' },
              favourite: { type: 'boolean' },
              favourites: { type: 'integer' },
            },
          },
        },
        total: { type: 'integer' },
      },
    },
  },
} as const;
