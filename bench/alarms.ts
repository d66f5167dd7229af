// How often a service is blamed that does what is stated: npm run bench:alarms -- [--seeds N] [--search SECONDS] [--others N] [--clock MINUTES] [NAME]…
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Report, testService } from '../src/conformance/run.ts';
import { type Plan, plan } from '../src/conformance/search/plan.ts';
import { serve } from '../src/service/service.ts';
import type { Specification } from '../src/specification/model/specification.ts';
import { read } from '../src/specification/read.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '20' },
    /** How long is searched in memory for each document; 0: not at all */
    search: { type: 'string', default: '10' },
    /** How many other clients use the service meanwhile: each makes, changes and deletes items. */
    others: { type: 'string', default: '0' },
    /** How far the clock of the service is ahead, in minutes. */
    clock: { type: 'string', default: '0' },
  },
});

/** Those that state who may ask, and need no broker, no issuer of tokens and no functions. */
const examples = [
  'todo',
  'ledger',
  'files',
  'directory',
  'reminders',
  'publishing',
  'subscriptions',
  'parcel-desk',
];

/** What the operator of an example gives. */
const credentials = {
  'parcel-desk': { desk: { office: 'a password' } },
  subscriptions: { accounts: { office: 'a password' } },
} as Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** The clock of the service is real: what takes longer is not exercised. */
const patienceMs = 500;

const folder = mkdtempSync(join(tmpdir(), 'tacet-alarms-'));
const ahead = Number(values.clock) * 60_000;

/** Tests the service of a document, while others use it. */
async function run(
  name: string,
  specification: Specification,
  seed: number,
  found: Plan | null,
): Promise<Report> {
  const given = credentials[name] ?? {};
  const service = await serve(specification, {
    ...{ data: join(folder, `${name}-${seed}.sqlite`), credentials: given, allowPrivate: ['127.0.0.1'] },
    ...(ahead !== 0 && { milliseconds: () => Date.now() + ahead }),
  });
  const options = { url: service.url, credentials: given, patienceMs };
  const ended = new AbortController();
  const others = Array.from({ length: Number(values.others) }, (_, place) =>
    testService(specification, {
      ...{ ...options, seed: 1000 * (place + 1) + seed, walks: 100_000 },
      signal: ended.signal,
    }).catch(() => undefined),
  );
  const report = await testService(specification, {
    ...{ ...options, seed },
    ...(found && { plan: async () => found }),
  });
  ended.abort();
  await Promise.all(others);
  await service.close();
  return report;
}

for (const name of positionals.length > 0 ? positionals : examples) {
  const file = `examples/${name}.md`;
  const { specification } = read(file, readFileSync(file, 'utf8'));
  const budgetMs = 1000 * Number(values.search);
  const found = budgetMs > 0 ? plan(specification, { budgetMs, patienceMs }) : null;
  let [requests, alarms, decided, all] = [0, 0, 0, 0];
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const report = await run(name, specification, seed, found);
    const blamed = report.results.filter(({ verdict }) => verdict === 'violates');
    for (const { statement, says, expected, found: was } of blamed)
      console.log(`  ${name}, seed ${seed}: ${statement.address}: ${says}: ${expected}, not ${was}`);
    const { conforms, violates } = report.counts;
    requests += report.requests;
    alarms += blamed.length;
    decided += conforms.stated + violates.stated;
    all += conforms.stated + violates.stated + report.counts['not exercised'].stated;
  }
  const share = Math.floor((100 * decided) / all);
  console.log(`${name}: ${alarms} alarms, ${values.seeds} seeds, ${requests} requests, ${share} % decided`);
}
rmSync(folder, { recursive: true });
