import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readService, type Service, serviceNames, start } from './service.ts';
import { peers, type TesterName, testers, type Verdict } from './testers.ts';

/**
 * Gives ten services, right and with each of their faults, to testers that read OpenAPI.
 *
 *   npm run bench:testers -- [SERVICE]… [--tester NAME]… [--fault NAME]… [--packages FOLDER] [--out FILE]
 *                           [--search DURATION] [--quick]
 *
 * A fault is found if a run with it fails in a way in which no run without it fails. The peers are installed into FOLDER,
 * by default a temporary one, if they are not there yet. FILE gets a line of JSON for each run. tacet searches for so long,
 * by default as long as it does. With `--quick` it sends few requests, and searches for none.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tester: { type: 'string', multiple: true, default: Object.keys(testers) },
    fault: { type: 'string', multiple: true },
    packages: { type: 'string', default: join(tmpdir(), 'tacet-testers') },
    out: { type: 'string' },
    search: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

/** What a tester made of one service. */
interface Row {
  readonly service: string;
  readonly tester: string;
  readonly found: number | null;
  readonly faults: number;
  readonly alarms: number;
  readonly seconds: number;
}

/** How often the right service is tested: some testers send other values each time. */
const rightRuns = options.quick ? 1 : 2;

const work = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
const packages = join(options.packages, 'node_modules');
const names = positionals.length > 0 ? positionals : serviceNames();
const rows: Row[] = [];
for (const tester of options.tester as TesterName[]) {
  if (!isThere(tester)) continue;
  for (const name of names) rows.push(...(await measured(tester, readService(name))));
}
console.log(table(rows));

/** Whether the tester is installed, or can be. */
function isThere(tester: TesterName): boolean {
  if (tester === 'tacet' || existsSync(join(packages, tester))) return true;
  mkdirSync(options.packages, { recursive: true });
  if (!existsSync(join(options.packages, 'package.json'))) {
    writeFileSync(join(options.packages, 'package.json'), '{"private":true}');
  }
  try {
    execFileSync('npm', ['install', '--ignore-scripts', peers[tester]], {
      cwd: options.packages,
      stdio: 'ignore',
    });
    if (tester === 'specmatic') execFileSync('java', ['-version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    console.error(`${tester} could not be had: ${(error as Error).message}`);
    return false;
  }
}

async function measured(tester: TesterName, service: Service): Promise<Row[]> {
  const folder = join(work, tester, service.name);
  mkdirSync(folder, { recursive: true });
  const began = performance.now();
  let runs = 0;
  const judged = async (fault: string | null): Promise<Verdict> => {
    const running = await start(service, fault);
    try {
      const { quick: isQuick, search } = options;
      return await testers[tester]({ service, url: running.url, folder, packages, isQuick, search });
    } finally {
      running.end();
      runs += 1;
    }
  };
  const right: Verdict[] = [];
  for (let run = 0; run < rightRuns; run += 1) right.push(await judged(null));
  const alarms = right.flatMap(({ failures }) => failures ?? []);
  const optionalAlarms = right.flatMap(({ optional }) => optional);
  const isCut = right.some(({ failures }) => failures === null);
  note({ tester, service: service.name, fault: null, isCut, alarms: [...new Set(alarms)], optionalAlarms });
  const found = { usual: 0, all: 0 };
  const faults = options.fault ?? Object.keys(service.faults);
  for (const fault of faults) {
    const { failures, optional } = await judged(fault);
    const fresh = (failures ?? []).filter((failure) => !alarms.includes(failure));
    const freshOptional = optional.filter((failure) => !optionalAlarms.includes(failure));
    if (fresh.length > 0) found.usual += 1;
    if (fresh.length + freshOptional.length > 0) found.all += 1;
    note({ tester, service: service.name, fault, isCut: failures === null, fresh, freshOptional });
  }
  const seconds = (performance.now() - began) / 1000 / runs;
  const row = (label: string, count: number, said: readonly string[]): Row => ({
    ...{ service: service.name, tester: label, seconds, faults: faults.length },
    ...{ found: isCut ? null : count, alarms: new Set(said).size },
  });
  const usual = row(tester, found.usual, alarms);
  if (tester !== 'tacet') return [usual];
  return [usual, row('tacet --assumed fails', found.all, [...alarms, ...optionalAlarms])];
}

function note(line: object): void {
  const text = JSON.stringify(line);
  console.error(text.slice(0, 300));
  if (options.out !== undefined) appendFileSync(options.out, `${text}\n`);
}

/** In each cell: faults found, false alarms, seconds of a run. */
function table(all: readonly Row[]): string {
  const labels = [...new Set(all.map(({ tester }) => tester))];
  const cell = ({ found, alarms, seconds }: Row): string =>
    `${found ?? 'no verdict'}, ${alarms} (${seconds.toFixed(0)} s)`;
  const lines = names.map((name) => {
    const own = all.filter(({ service }) => service === name);
    const cells = labels.map((label) => cell(own.find(({ tester }) => tester === label) as Row));
    return `| ${[name, own[0]?.faults, ...cells].join(' | ')} |`;
  });
  return [
    `| service | faults | ${labels.join(' | ')} |`,
    `|---${'|---'.repeat(labels.length + 1)}|`,
    ...lines,
  ].join('\n');
}
