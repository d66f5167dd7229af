import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Report, type TestOptions, testService } from '../../src/conformance/run.ts';
import { plan } from '../../src/conformance/search/plan.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { blamed, specificationOf } from '../../test/conformance/documents.ts';
import { exampleOf, testOwnService } from '../../test/conformance/examples.ts';
import { completeDesk } from '../../test/desks/faults/list.ts';
import { credentials, type Kind, started } from '../../test/desks/running.ts';
import { startCounter } from '../../test/faulty/counter.ts';
import { startDepot } from '../../test/faulty/depot.ts';
import { startDiary } from '../../test/faulty/diary.ts';
import { startFeed } from '../../test/faulty/feed.ts';
import { startLibrary } from '../../test/faulty/library.ts';
import { startShed } from '../../test/faulty/shed.ts';
import { startTickets } from '../../test/faulty/tickets.ts';
import type { Running } from '../../test/listening.ts';
import { made } from '../../test/service/store/postgres.ts';

/**
 * Tests what is known to keep to its document with one seed after another: our own service of every example and of the
 * documents of the tests, the two desks that are written by hand, and the services of `test/faulty` without a fault. A
 * line of JSON for each run, in which whatever is blamed is a false alarm. Lines that are there already are not run
 * again; at the end, a table of all of them.
 *
 *   node bench/testers/seeds.ts --out FILE [--seeds N] [--only TEXT] [--walks N] [--search SECONDS]
 */

// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'seeds.ndjson' },
    seeds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    walks: { type: 'string', default: '960' },
    search: { type: 'string', default: '20' },
  },
});

/** The walks of a run, and those of a search by the same document. */
function walking(of: Specification, seed: number): Pick<TestOptions, 'walks' | 'plan'> {
  const budgetMs = 1000 * Number(values.search);
  const found = budgetMs > 0 ? plan(of, { seed, budgetMs }) : null;
  return { walks: Number(values.walks), ...(found && { plan: async () => found }) };
}

/** How a run fared. */
interface Fared {
  readonly of: string;
  readonly seed: number;
  readonly requests: number;
  readonly conforms: number;
  readonly notStated: number;
  readonly notExercised: number;
  readonly blamed: readonly string[];
  readonly inventions: number;
  readonly cpuMs: number;
  readonly tookMs: number;
}

type Run = (seed: number) => Promise<Report>;

const folder = mkdtempSync(join(tmpdir(), 'tacet-seeds-'));
const root = fileURLToPath(new URL('../..', import.meta.url));
let files = 0;

const inFile = async (name: string, document: string, seed: number, kind: 'md' | 'yaml'): Promise<Report> =>
  await testOwnService(name, document, seed, join(folder, `${files++}.sqlite`), kind, {
    options: walking(specificationOf(document, `${name}.${kind}`), seed),
  });

async function inPostgres(name: string, seed: number): Promise<Report> {
  const { address, drop } = await made();
  try {
    const options = walking(specificationOf(exampleOf(name), `${name}.md`), seed);
    return await testOwnService(name, exampleOf(name), seed, address, 'md', { options });
  } finally {
    await drop();
  }
}

/** The document without the questions that are still open there. */
const answered = (document: string): string => document.replace(/^open:\n( {2}.*\n)+/m, '');

/** These need functions or a broker of the operator. */
const apart = ['translations', 'weather-alerts'];

const examples = readdirSync(join(root, 'examples'))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => !apart.includes(name));
const documents = [
  ...[
    'asking/club',
    'asking/diary',
    'asking/lending',
    'changing/shed',
    'changing/tickets',
    'events/feed',
    'events/office',
    'events/orders',
  ],
  ...['events/tenants', 'listing/depot', 'listing/library', 'racing/counter'],
];

async function desk(kind: Kind, seed: number): Promise<Report> {
  const { desk: running, ...how } = await started(kind);
  try {
    const of = completeDesk();
    return await testService(of, { url: running.url, seed, credentials, ...how, ...walking(of, seed) });
  } finally {
    await running.close();
  }
}

/** A service of `test/faulty`, and its document. */
function byHand(path: string, start: () => Promise<Running>): readonly [string, Run] {
  const document = readFileSync(join(root, 'test/documents', `${path}.yaml`), 'utf8');
  const of = specificationOf(document, `${path}.yaml`);
  return [
    `${path}, by hand`,
    async (seed) => {
      const running = await start();
      try {
        return await testService(of, { url: running.url, seed, ...walking(of, seed) });
      } finally {
        await running.close();
      }
    },
  ];
}

const runs: readonly (readonly [string, Run])[] = [
  ...examples.flatMap((name): (readonly [string, Run])[] => {
    const document = exampleOf(name);
    const whole = answered(document);
    return [
      [`${name}, SQLite`, (seed) => inFile(name, document, seed, 'md')],
      ...(whole === document || !document.includes('complete: true')
        ? []
        : [[`${name} answered, SQLite`, (seed: number) => inFile(name, whole, seed, 'md')] as const]),
    ];
  }),
  ['desk, fastify', (seed) => desk('fastify', seed)],
  ['desk, python', (seed) => desk('python', seed)],
  byHand('listing/depot', startDepot),
  byHand('listing/library', startLibrary),
  byHand('asking/diary', startDiary),
  byHand('changing/shed', startShed),
  byHand('changing/tickets', startTickets),
  byHand('racing/counter', () => startCounter(null)),
  byHand('events/feed', startFeed),
  ...documents.map((path): readonly [string, Run] => {
    const document = readFileSync(join(root, 'test/documents', `${path}.yaml`), 'utf8');
    return [`${path}, SQLite`, (seed) => inFile(path.replace(/.*\//, ''), document, seed, 'yaml')];
  }),
  ...['publishing', 'subscriptions', 'parcel-desk', 'broker'].map((name): readonly [string, Run] => [
    `${name}, PostgreSQL`,
    (seed) => inPostgres(name, seed),
  ]),
];

/** How each fared over all its seeds, as a table. */
function table(lines: readonly Fared[]): string {
  const rows = [...Map.groupBy(lines, ({ of }) => of)].map(([of, all]) => {
    const least = Math.min(...all.map(shareJudged));
    const alarms = all.reduce((sum, one) => sum + one.blamed.length, 0);
    const invented = all.reduce((sum, one) => sum + one.inventions, 0);
    const requests = Math.round(all.reduce((sum, one) => sum + one.requests, 0) / all.length);
    const cells = [of, all.length, alarms, invented, `${(100 * least).toFixed(1)} %`, requests];
    return `| ${cells.join(' | ')} |`;
  });
  const head = ['| of | seeds | false alarms | inventions | judged, at the least | requests a run |'];
  return [...head, '|---|---|---|---|---|---|', ...rows, ''].join('\n');
}

/** The share of checks that end in *conforms* or *violates* (language §F.2). */
function shareJudged({ conforms, notStated, notExercised, blamed: found }: Fared): number {
  const judged = conforms + found.length;
  return judged / (judged + notStated + notExercised);
}

const lines: Fared[] = existsSync(values.out)
  ? readFileSync(values.out, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Fared)
  : [];
try {
  for (let seed = 1; seed <= Number(values.seeds); seed++)
    for (const [name, run] of runs) {
      if (!name.includes(values.only) || lines.some((one) => one.of === name && one.seed === seed)) continue;
      const before = process.cpuUsage();
      const report = await run(seed);
      const { user, system } = process.cpuUsage(before);
      const { counts } = report;
      const line: Fared = {
        of: name,
        seed,
        requests: report.requests,
        conforms: counts.conforms.stated,
        notStated: counts['not stated'].stated,
        notExercised: counts['not exercised'].stated,
        blamed: blamed(report),
        inventions: report.inventions.length,
        cpuMs: Math.round((user + system) / 1000),
        tookMs: report.tookMs,
      };
      lines.push(line);
      appendFileSync(values.out, `${JSON.stringify(line)}\n`);
      process.stdout.write(`${name}, seed ${seed}: ${line.cpuMs} ms of CPU\n`);
      for (const one of line.blamed) process.stdout.write(`  BLAMED ${one}\n`);
    }
  process.stdout.write(`\n${table(lines.filter(({ of }) => of.includes(values.only)))}`);
} finally {
  rmSync(folder, { recursive: true });
}
