// Measures the tester: npm run bench:tester [-- --document FILE] [--rounds N]
// How many requests a second it drives, and a second of its own CPU, beside a client that sends the very same requests one
// after another and looks at nothing; the time to its first violation; and the whole run. It takes about 3 minutes on two cores that nothing else
// uses, and needs nothing but this checkout.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { client, type Request } from '../src/conformance/http.ts';
import { testService } from '../src/conformance/run.ts';
import type { RunEvent } from '../src/conformance/stream.ts';
import { read } from '../src/specification/read.ts';
import { startTodo } from '../test/faulty/todo.ts';
import { leaveServersTheirCore, startProcess } from './processes.ts';
import { ratio, type Spread, spread } from './statistics.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    document: { type: 'string', default: join(root, 'examples', 'parcel-desk.md') },
    rounds: { type: 'string', default: '5' },
  },
});
const credentials = { desk: { office: 'a password' } };

/** The service of a document, in a process and on a core of its own, with nothing stored. */
async function started(file: string): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  process.env['TACET_CREDENTIALS'] = JSON.stringify(credentials);
  const words = [
    'serve',
    file,
    '--port',
    '0',
    '--data',
    join(folder, 'data.sqlite'),
    '--allow-private',
    '127.0.0.1',
  ];
  const { child, ended } = startProcess(
    'of servers',
    [process.execPath, join(root, 'bin', 'tacet.js'), ...words],
    root,
    [...(['ignore', 'pipe', 'ignore'] as const)],
  );
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk;
      const [, address] = /^ {2}address {2}(\S+)$/m.exec(told) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => reject(new Error(`it did not start: ${told}`)));
  });
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, end };
}

/** What a run took, and what it sent. */
interface Run {
  readonly requests: readonly Request[];
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function timed(work: () => Promise<readonly Request[]>): Promise<Run> {
  const [before, cpuBefore] = [performance.now(), process.cpuUsage()];
  const requests = await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { requests, seconds: (performance.now() - before) / 1000, cpuSeconds: (user + system) / 1e6 };
}

async function tested(file: string): Promise<Run> {
  const service = await started(file);
  try {
    const { specification } = read(file, readFileSync(file, 'utf8'));
    return await timed(async () => {
      const requests: Request[] = [];
      const onEvent = (event: RunEvent): void => {
        if (event.kind === 'exchange') requests.push(event.exchange.request);
      };
      const { inOrder } = await testService(specification, {
        url: service.url,
        seed: 1,
        credentials,
        onEvent,
      });
      if (!inOrder) throw new Error('our own service is blamed: nothing is measured');
      return requests.map((one) => ({ ...one, url: one.url.slice(service.url.length) }));
    });
  } finally {
    await service.end();
  }
}

async function sentAlone(file: string, requests: readonly Request[]): Promise<Run> {
  const service = await started(file);
  const connection = client();
  try {
    return await timed(async () => {
      for (const one of requests) await connection.send({ ...one, url: service.url + one.url });
      return requests;
    });
  } finally {
    connection.close();
    await service.end();
  }
}

/** From the start of a run to its first violation, in milliseconds. */
async function firstViolationMs(): Promise<number> {
  const file = join(root, 'examples', 'todo.md');
  const { specification } = read(file, readFileSync(file, 'utf8'));
  const faulty = await startTodo('create answers 200');
  const found = new Error('found');
  const before = performance.now();
  try {
    const onEvent = (event: RunEvent): void => {
      if (event.kind === 'result' && event.result.verdict === 'violates') throw found;
    };
    await testService(specification, { url: faulty.url, seed: 1, onEvent });
    throw new Error('the fault was not found');
  } catch (error) {
    if (error !== found) throw error;
    return performance.now() - before;
  } finally {
    await faulty.close();
  }
}

leaveServersTheirCore();
const [runs, alone, first]: [Run[], Run[], number[]] = [[], [], []];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const run = await tested(values.document);
  runs.push(run);
  alone.push(await sentAlone(values.document, run.requests));
  first.push(await firstViolationMs());
}

const shown = ({ median, low, high }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`;
const rate = ({ requests, seconds }: Run): number => requests.length / seconds;
const cpuRate = ({ requests, cpuSeconds }: Run): number => requests.length / cpuSeconds;
const cpuMs = ({ requests, cpuSeconds }: Run): number => (1000 * cpuSeconds) / requests.length;
console.log(`${values.document}: ${runs[0]?.requests.length} requests
  requests a second         ${shown(spread(runs.map(rate)), 0)}
  the same requests alone   ${shown(spread(alone.map(rate)), 0)}   ratio ${shown(ratio(runs.map(rate), alone.map(rate)))}
  requests a CPU second     ${shown(spread(runs.map(cpuRate)), 0)}
  CPU a request, ms         ${shown(spread(runs.map(cpuMs)))}
  the same requests alone   ${shown(spread(alone.map(cpuMs)))}   ratio ${shown(ratio(runs.map(cpuMs), alone.map(cpuMs)))}
  whole run, s              ${shown(spread(runs.map(({ seconds }) => seconds)))}
  first violation, ms       ${shown(spread(first), 0)}   (examples/todo.md, an endpoint with a wrong status)`);
