// How many of the planted faults of a trade walks find: npm run bench:trades -- TRADE [--plan usual|SECONDS] [--requests N] [--seed N] [--fault ID]…
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listening } from '../../src/conformance/events/listening.ts';
import { client } from '../../src/conformance/http.ts';
import { walks } from '../../src/conformance/play/play.ts';
import { sent, type Target } from '../../src/conformance/play/target.ts';
import { seeded } from '../../src/conformance/random.ts';
import type { Result } from '../../src/conformance/result.ts';
import { usualWalks } from '../../src/conformance/run.ts';
import { plan, together } from '../../src/conformance/search/plan.ts';
import { seedsOf } from '../../src/load/searching.ts';
import { read } from '../../src/specification/read.ts';
import type { Trade } from './witness.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Those that are looked for, or `none`. Default: none, and then each */
    fault: { type: 'string', multiple: true },
    plan: { type: 'string', default: '0' },
    verbose: { type: 'boolean', default: false },
  },
});
const name = positionals[0] as string;
const module = (await import(`./${name}/faults.ts`)) as Record<string, Trade>;
const trade = Object.values(module).find((each) => each?.faults) as Trade;
const { specification } = read('trade.md', readFileSync(trade.document, 'utf8'));

/** As many as `tacet test` sends. */
const most = Number(values.requests ?? usualWalks(specification, values.plan !== '0'));

/** How long events are awaited in real time, in milliseconds. */
const mostMs = 200;

/** How long what a service does at its time takes in real time, in milliseconds: mostly, and at the most. */
const [attemptMs, mostBusyMs] = [25, 5000];

/** How long is waited at once for a service that keeps the time of the machine, in milliseconds. */
const patienceMs = 20;

// A faulty service may end.
let hasEnded = false;
let isTested = false;
process.on('uncaughtException', (error) => {
  if (!isTested) throw error;
  hasEnded = true;
});

const cpuBefore = process.cpuUsage();
const planned =
  values.plan === '0'
    ? null
    : together(
        seedsOf({ seed: Number(values.seed) }).map((seed) =>
          plan(specification, {
            seed,
            ...(trade.keepsTime && { patienceMs }),
            ...(values.plan !== 'usual' && { budgetMs: 1000 * Number(values.plan) }),
          }),
        ),
      );
if (planned) {
  const { walks, told, untold } = planned;
  const requests = walks.reduce((sum, walk) => sum + walk.requests.length, 0);
  const missed = untold.filter(({ reason }) => reason !== 'open' && reason !== 'equal').length;
  const spent = Math.round(process.cpuUsage(cpuBefore).user / 1000);
  console.log(
    `plan: ${walks.length} walks of ${requests} requests tell ${told.size}, not ${missed}; ${spent} ms of CPU`,
  );
}

async function violations(fault: string | null): Promise<Result[]> {
  let passedMs = 0;
  const now = (): number => Date.now() + passedMs;
  const running = await trade.start({ fault, now });
  const http = client();
  const ears = listening({}, now);
  let requests = 0;
  const target: Target = {
    specification,
    url: running.address,
    send: (message) => {
      requests += 1;
      return sent(http, running.address, message);
    },
    now,
    wait: async (ms, met) => {
      if (trade.keepsTime) return await pause(ms, undefined, met && { signal: met }).catch(() => undefined);
      const until = now() + Math.ceil(ms);
      // What is due on the way happens at its time, and takes real time: it says what is due next once it is over.
      const next = async (): Promise<number | null> => {
        for (let waitedMs = 0; waitedMs < mostBusyMs && running.isBusy?.() === true; waitedMs += 1)
          await pause(1);
        return running.due?.() ?? null;
      };
      for (let due = await next(); due !== null && due <= until; due = await next()) {
        passedMs += Math.max(1, due - now());
        await pause(attemptMs);
      }
      passedMs += Math.max(0, until - now());
      // Events come while real time passes.
      if (met && !met.aborted) await pause(mostMs, undefined, { signal: met }).catch(() => undefined);
    },
    patienceMs: trade.keepsTime ? patienceMs : Number.POSITIVE_INFINITY,
    isClockSet: trade.keepsTime !== true,
    credentials: {},
    listening: ears,
    graceMs: trade.keepsTime ? mostMs : 5000,
  };
  const results: Result[] = [];
  const reached = new Set<unknown>();
  const cpu = process.cpuUsage();
  for await (const walk of walks(target, {
    requests: most,
    random: seeded(Number(values.seed)),
    ...(planned && {
      planned: { plan: async () => planned, onTold: (deviation) => void reached.add(deviation) },
    }),
  })) {
    results.push(...(await walk()));
    if (hasEnded || (fault !== null && results.some(({ verdict }) => verdict === 'violates'))) break;
  }
  if (fault === null)
    console.log(
      'conforming',
      new Set(results.filter((r) => r.verdict === 'conforms').map((r) => r.says)).size,
    );
  if (fault === null || values.verbose)
    console.log(
      `${requests} requests reach ${reached.size} of what the plan tells; ${Math.round(process.cpuUsage(cpu).user / 1000)} ms of CPU`,
    );
  http.close();
  await ears.close();
  await running.close();
  return results.filter(({ verdict }) => verdict === 'violates');
}

const show = (result: Result): void =>
  console.log(
    `   ${result.says} | ${result.statement.address} | expected ${result.expected} found ${result.found?.slice(0, 200)}`,
  );
if (values.fault === undefined || values.fault.includes('none')) {
  const alarms = await violations(null);
  console.log(`${name}: ${alarms.length} alarms`);
  alarms.forEach(show);
}
let found = 0;
const faults = trade.faults.filter(({ id }) => values.fault === undefined || values.fault.includes(id));
for (const fault of faults) {
  hasEnded = false;
  isTested = true;
  const all = await violations(fault.id);
  const isFound = hasEnded || all.length > 0;
  if (isFound) found++;
  if (isFound && !values.verbose) console.log(`found ${fault.id}`);
  else console.log(`${isFound ? 'found' : 'MISSED'} ${fault.id}: ${fault.what} [${fault.statement}]`);
  if (values.verbose) all.slice(0, 3).forEach(show);
}
console.log(`${name}: ${found} of ${faults.length}`);
trade.end?.();
process.exit(0);
