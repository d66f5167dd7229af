// Measures tacet beside its peers: npm run bench [-- --quick | --long] [-- --date YYYY-MM-DD]
// It takes about 6 minutes on two cores that nothing else uses; --quick about 2, with wide spreads; --long, with a
// million rows stored, about 20. What is measured is shown, and written to results.json, as soon as it is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Conformance, judge } from './conformance.ts';
import { build, type Contestant, install, type Place } from './contestants.ts';
import { growthOfEndpoints, growthOfRows } from './growth.ts';
import { machine } from './machine.ts';
import { memory } from './memory.ts';
import { costOfParts } from './parts.ts';
import { leaveServersTheirCore } from './processes.ts';
import { jsonOf, type Results, startResult, workResult } from './results.ts';
import { startAll } from './starts.ts';
import { table } from './table.ts';
import { type Extent, measure, works } from './works.ts';

interface Whole extends Extent {
  readonly name: string;
  readonly starts: number;
  readonly manyRows: number;
  readonly longestMinutes: number;
}

const full: Whole = {
  name: 'about 6 minutes',
  rounds: 6,
  sliceSeconds: 1,
  warmUpSeconds: 2,
  starts: 5,
  manyRows: 100_000,
  longestMinutes: 20,
};
const quick: Whole = {
  name: 'quick: about 2 minutes, and the spreads are wide',
  rounds: 2,
  sliceSeconds: 1,
  warmUpSeconds: 1,
  starts: 2,
  manyRows: 10_000,
  longestMinutes: 5,
};

const long: Whole = { ...full, name: 'long: about 20 minutes', manyRows: 1_000_000, longestMinutes: 60 };

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    date: { type: 'string' },
  },
});
const extent = values.quick ? quick : values.long ? long : full;
const resultsFile = fileURLToPath(new URL('results.json', import.meta.url));

if (process.platform !== 'linux') {
  process.stderr.write('The bench reads CPU time and memory from /proc: run it on Linux.\n');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
setTimeout(() => {
  process.stderr.write(`Not done after ${extent.longestMinutes} minutes: given up.\n`);
  process.exit(1);
}, extent.longestMinutes * 60_000).unref();

const place: Place = (contestant) => {
  const folder = mkdtempSync(join(scratch, 'data-'));
  contestant.layOut?.(folder);
  return folder;
};

const startedAt = performance.now();
const says = (text: string): void => {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
};

/** All that was measured so far. */
let results: Partial<Results> = {};

/** Keeps what was measured, and shows it: a run that is cut off loses no more than what it was at. */
function keep(measured: Partial<Results>): void {
  const { works = [], growth = [] } = results;
  results = {
    ...results,
    ...measured,
    ...(measured.works && { works: [...works, ...measured.works] }),
    ...(measured.growth && { growth: [...growth, ...measured.growth] }),
  };
  writeFileSync(resultsFile, jsonOf(results));
  process.stdout.write(`\n${table(measured)}\n`);
}

/** Whether all that takes part answers as it must. */
async function run(): Promise<boolean> {
  says('installing and building');
  install();
  const built = join(scratch, 'built');
  mkdirSync(built);
  const contest = build(built);
  const { tacet } = contest;
  leaveServersTheirCore();

  const conformance: Conformance[] = [];
  const others: Contestant[] = [];
  for (const contestant of [tacet, ...contest.others]) {
    says(`conformance: ${contestant.name}`);
    const judged = await judge(contestant, place);
    conformance.push(judged);
    if (judged.fault !== null) says(`LEFT OUT: ${judged.fault}`);
    else if (contestant !== tacet) others.push(contestant);
  }
  if (conformance[0]?.fault !== null) throw new Error(`tacet: ${conformance[0]?.fault}`);
  keep({
    date: values.date ?? new Date().toISOString().slice(0, 10),
    extent: extent.name,
    machine: machine(),
    conformance,
  });

  for (const work of works) {
    says(work.title);
    keep({ works: [workResult(await measure(work, tacet, others, extent, place), tacet.name)] });
  }
  says('parts 5, 6 and 8');
  keep({ works: [workResult(await costOfParts(contest, extent, place), tacet.name)] });
  says('starts');
  const starts = await startAll([tacet, contest.fromSources, ...others], extent.starts, place);
  keep({ starts: startResult(starts, tacet.name) });
  says('growth, of endpoints');
  keep({ growth: [await growthOfEndpoints(contest, extent, place)] });
  says('growth, of rows');
  keep({ growth: [await growthOfRows(contest, extent.manyRows, extent, place)] });
  says('memory');
  keep({ memory: await memory(tacet, extent.manyRows, place) });
  says('done');
  return conformance.every(({ fault }) => fault === null);
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`The bench failed: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
