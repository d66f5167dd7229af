// Measures a list whose items show others, beside the same written by hand: npm run bench:articles [-- --articles N]
// It takes about 5 minutes on two cores that nothing else uses. Needs what bench/package.json lists, as npm run bench
// installs it. With --postgres it measures tacet on PostgreSQL, beside the same written by hand with node-postgres and
// beside tacet on SQLite; --articles 20000 is then enough. The server is that of TACET_POSTGRES.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type Asked, ask as askFor } from './client.ts';
import type { Batch } from './contestants/articles-database.ts';
import { type Contestant, install } from './contestants.ts';
import { loadOf, type Slice } from './load.ts';
import { leaveServersTheirCore } from './processes.ts';
import { addressOf, ask, makeSchema } from './schemas.ts';
import { type Server, start } from './server.ts';
import { ratio, type Spread, spread } from './statistics.ts';

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
    postgres: { type: 'boolean', default: false },
  },
});
const articles = Number(values.articles);
const accounts = 1000;
const tags = 500;
const [rounds, sliceSeconds] = [Number(values.rounds), Number(values.seconds)];

const root = fileURLToPath(new URL('..', import.meta.url));
const contestants = join(root, 'bench', 'contestants');

const of = (name: string, args: Contestant['args']): Contestant => ({
  name,
  args,
  list: '/articles?limit=1',
  pathOf: () => '',
  serves: 'the whole',
});
const written = (name: string, file: string): Contestant =>
  of(name, (port, folder) => [
    join(contestants, file),
    ...['--port', String(port), '--data', join(folder, 'articles.sqlite')],
  ]);
const served = (name: string, data: (folder: string) => readonly string[]): Contestant =>
  of(name, (port, folder) => [
    ...[join(root, 'bin', 'tacet.js'), 'serve', join(contestants, 'articles.md')],
    ...['--port', String(port), ...data(folder)],
  ]);
const onSqlite = served('tacet', (folder) => ['--data', join(folder, 'articles.sqlite')]);
const all = values.postgres
  ? [
      served('tacet', (folder) => ['--store', addressOf(folder)]),
      of('Fastify and node-postgres, one tuned statement', (port, folder) => [
        join(contestants, 'articles-pg.ts'),
        ...['--port', String(port), '--data', addressOf(folder)],
      ]),
      { ...onSqlite, name: 'tacet on SQLite' },
    ]
  : [
      onSqlite,
      written('Fastify, one tuned statement', 'articles-fastify.ts'),
      written('Fastify, Drizzle', 'articles-drizzle.ts'),
    ];

/** Batches that make all that is listed, the same for everyone. */
function* batches(): Iterable<Batch> {
  const none: Batch = { accounts: [], articles: [], favourites: [], follows: [] };
  const numbers = (count: number, first = 0): number[] =>
    Array.from({ length: count }, (_, one) => first + one);
  const account = (one: number): string => `account-${one % accounts}`;
  yield {
    ...none,
    accounts: numbers(accounts).map((one) => ({
      ...{
        id: account(one),
        name: `writer ${one}`,
        bio: one % 3 === 0 ? null : `writes about ${one} things`,
      },
      key: `key-${one}`,
    })),
  };
  for (let further = 1; further <= 10; further += 1)
    yield {
      ...none,
      follows: numbers(accounts).map((one) => ({
        follower: account(one),
        followed: account(one + further * 7),
      })),
    };
  for (let first = 0; first < articles; first += 200) {
    const some = numbers(Math.min(200, articles - first), first);
    const slug = (one: number): string => `article-${one}`;
    yield {
      ...none,
      articles: some.map((one) => ({
        slug: slug(one),
        title: `The ${one}th article`,
        summary: `What is to be said about the ${one}th thing, in one sentence`,
        body: `It is a long story. `.repeat(40),
        tags: [`tag-${one % tags}`, `tag-${(one * 7 + 1) % tags}`, 'all'],
        author: account(one * 31),
        createdAt: new Date(Date.UTC(2026, 0, 1) + one * 1000).toISOString(),
      })),
      favourites: some.flatMap((one) =>
        numbers(3).map((further) => ({ account: account(one * 13 + further * 17), article: slug(one) })),
      ),
    };
  }
}

const get = (path: string): Asked => ({ method: 'GET', path });
const key = (one: number): string => `key=key-${(one * 37) % accounts}`;
const works: readonly { readonly title: string; readonly requests: readonly Asked[] }[] = [
  {
    title: 'the newest 20',
    requests: Array.from({ length: 100 }, (_, one) => get(`/articles?offset=${one}&${key(one)}`)),
  },
  {
    title: 'the 20 behind three quarters of them',
    requests: Array.from({ length: 100 }, (_, one) =>
      get(`/articles?offset=${Math.floor(articles * 0.75) + one}&${key(one)}`),
    ),
  },
  {
    title: 'the newest 20 of a tag',
    requests: Array.from({ length: 100 }, (_, one) => get(`/articles?tag=tag-${one}&${key(one)}`)),
  },
  {
    title: 'the newest 20 of an author',
    requests: Array.from({ length: 100 }, (_, one) => get(`/articles?author=writer%20${one}&${key(one)}`)),
  },
  {
    title: 'the newest 20, and how many there are',
    requests: Array.from({ length: 100 }, (_, one) => get(`/counted?offset=${one}&${key(one)}`)),
  },
  {
    title: 'the newest 20 of a tag, and how many there are',
    requests: Array.from({ length: 100 }, (_, one) => get(`/counted?tag=tag-${one}&${key(one)}`)),
  },
];

const scratch = mkdtempSync(join(tmpdir(), 'tacet-articles-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const says = (text: string): void => void process.stdout.write(`${text}\n`);
const told = ({ median, low, high }: Spread): string =>
  [median, low, high].map((one) => one.toFixed(2)).join('  ');

if (!values.postgres) install();
leaveServersTheirCore();
const servers: Server[] = [];
try {
  for (const contestant of all) {
    const folder = mkdtempSync(join(scratch, 'data-'));
    if (values.postgres) makeSchema(folder);
    const server = await start(contestant, folder);
    servers.push(server);
    const times: number[] = [];
    for (const batch of batches()) {
      const begun = performance.now();
      const { status } = await askFor(server.url, {
        method: 'POST',
        path: '/batches',
        content: JSON.stringify(batch),
      });
      if (status !== 204) throw new Error(`${contestant.name}: POST /batches: ${status}`);
      if (batch.articles.length > 0) times.push(performance.now() - begun);
    }
    says(
      `${contestant.name}: ${articles} articles, ${spread(times).median.toFixed(0)} ms for 200 and 600 favourites`,
    );
  }
  if (values.postgres) ask(`VACUUM ANALYZE`);
  for (const { title, requests } of works) {
    for (const asked of requests.slice(0, 5)) {
      const answers = await Promise.all(servers.map(({ url }) => askFor(url, asked)));
      const other = answers.findIndex(({ body }) => !isDeepStrictEqual(body, answers[0]?.body));
      if (other !== -1) throw new Error(`${asked.path}: ${all[other]?.name} answers otherwise`);
    }
    const loads = servers.map((server) => loadOf(server, scratch, requests));
    for (const load of loads) await load(sliceSeconds);
    says(
      `\n${title}: requests in a second (median, low, high), tacet's over theirs by the clock, and by CPU time`,
    );
    const [mine] = loads as [(seconds: number) => Promise<Slice>];
    for (const [index, theirs] of loads.entries()) {
      if (index === 0) continue;
      const pairs: { readonly own: Slice; readonly other: Slice }[] = [];
      for (let round = 0; round < rounds; round += 1)
        pairs.push({ own: await mine(sliceSeconds), other: await theirs(sliceSeconds) });
      const rate = ({ requests: count, seconds }: Slice): number => count / seconds;
      const byCpu = ({ requests: count, cpuSeconds }: Slice): number => count / cpuSeconds;
      const of = (by: (slice: Slice) => number): Spread =>
        ratio(
          pairs.map(({ own }) => by(own)),
          pairs.map(({ other }) => by(other)),
        );
      says(`  tacet ${told(spread(pairs.map(({ own }) => rate(own))))}`);
      says(`  ${all[index]?.name} ${told(spread(pairs.map(({ other }) => rate(other))))}`);
      says(`  ratio ${told(of(rate))}   by CPU time ${told(of(byCpu))}`);
    }
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
