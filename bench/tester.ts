// Measures the tester: npm run bench:tester [-- --target own|fastify|python] [--document FILE] [--rounds N]
// How many requests it drives in a second of its own CPU, which is how many a second it drives where the target keeps up,
// that is, has each answer by the time that it is looked for: requests go one after another. Beside it a client that sends
// the very same requests and looks at nothing; what a whole run is spent on; and the time from the start of `tacet test` to
// its first violation. The first run of a process, in which all is loaded and compiled, is told apart from the others. The
// targets: our own service, or the parcel desks of test/desks. It takes a few minutes on two cores that nothing else uses.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { selfSigned } from '../src/conformance/events/certificate.ts';
import { client, type Request } from '../src/conformance/http.ts';
import { pause, testService } from '../src/conformance/run.ts';
import { read } from '../src/specification/read.ts';
import { completeDesk } from '../test/desks/faults/list.ts';
import { startTodo } from '../test/faulty/todo.ts';
import { freePort } from '../test/listening.ts';
import { leaveServersTheirCore, startProcess } from './processes.ts';
import { ratio, type Spread, spread } from './statistics.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    document: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    target: { type: 'string', default: 'own' },
  },
});
const document = values.document ?? join(root, 'examples', 'parcel-desk.md');
// Those that nobody can come by are the parcel desk's.
const credentials = values.document === undefined ? { desk: { office: 'a password' } } : {};
const desks: Readonly<Record<string, readonly string[]>> = {
  fastify: [process.execPath, join(root, 'test', 'desks', 'fastify', 'desk.ts')],
  python: ['python3', join(root, 'test', 'desks', 'python', 'desk.py')],
};
const desk = desks[values.target];
const specification = desk ? completeDesk() : read(document, readFileSync(document, 'utf8')).specification;
const certified = selfSigned(['127.0.0.1'], Date.now());

/** The target, in a process and on a core of its own, with nothing stored; it trusts the tester's receiver. */
async function started(): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  const trusted = join(folder, 'trusted.pem');
  writeFileSync(trusted, certified.certificate);
  process.env['TACET_CREDENTIALS'] = JSON.stringify(credentials);
  process.env['DESK_SECRETS'] = JSON.stringify(credentials.desk ?? {});
  process.env['NODE_EXTRA_CA_CERTS'] = trusted;
  const serve = [process.execPath, join(root, 'bin', 'tacet.js'), 'serve', document];
  const data = ['--data', join(folder, 'data.sqlite'), '--allow-private', '127.0.0.1'];
  const words = desk ? [...desk, '--trust', trusted] : [...serve, ...data];
  const { child, ended } = startProcess('of servers', [...words, '--port', '0'], root, [
    ...(['ignore', 'pipe', 'ignore'] as const),
  ]);
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk;
      const [, address] = /^(?: {2}address {2})?(http:\S+)$/m.exec(told) ?? [];
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
  /** For time to pass: timers, rates, events that are on their way. */
  readonly waitedSeconds: number;
  /** While at least one request was under way. */
  readonly askingSeconds: number;
}

async function timed(work: () => Promise<Pick<Run, 'requests'> & Partial<Run>>): Promise<Run> {
  const [before, cpuBefore] = [performance.now(), process.cpuUsage()];
  const done = await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - before) / 1000;
  return { seconds, cpuSeconds: (user + system) / 1e6, waitedSeconds: 0, askingSeconds: seconds, ...done };
}

async function tested(): Promise<Run> {
  const target = await started();
  const port = await freePort();
  try {
    return await timed(async () => {
      const requests: Request[] = [];
      let [askedUntilMs, askingMs, waitedMs] = [0, 0, 0];
      const { inOrder } = await testService(specification, {
        url: target.url,
        seed: 1,
        credentials,
        receiver: { certified, port, url: `https://127.0.0.1:${port}` },
        wait: async (ms, met) => {
          const from = performance.now();
          await pause(ms, met);
          waitedMs += performance.now() - from;
        },
        onEvent: (event) => {
          if (event.kind !== 'exchange') return;
          requests.push(event.exchange.request);
          const untilMs = event.sentMs + event.tookMs;
          askingMs += Math.max(0, untilMs - Math.max(askedUntilMs, event.sentMs));
          askedUntilMs = Math.max(askedUntilMs, untilMs);
        },
      });
      if (!inOrder) throw new Error('the target is blamed: nothing is measured');
      return {
        requests: requests.map((one) => ({ ...one, url: one.url.slice(target.url.length) })),
        waitedSeconds: waitedMs / 1000,
        askingSeconds: askingMs / 1000,
      };
    });
  } finally {
    await target.end();
  }
}

async function sentAlone(requests: readonly Request[]): Promise<Run> {
  const target = await started();
  const connection = client();
  try {
    return await timed(async () => {
      for (const one of requests) await connection.send({ ...one, url: target.url + one.url });
      return { requests };
    });
  } finally {
    connection.close();
    await target.end();
  }
}

/** From the start of `tacet test` to the first violation that it tells of, in milliseconds. */
async function firstViolationMs(): Promise<number> {
  const faulty = await startTodo('create answers 200');
  const before = performance.now();
  const words = ['test', join(root, 'examples', 'todo.md'), '--url', faulty.url, '--report', 'ndjson'];
  const { child, ended } = startProcess(
    'of load',
    [process.execPath, join(root, 'bin', 'tacet.js'), ...words],
    root,
    ['ignore', 'pipe', 'ignore'],
  );
  try {
    return await new Promise<number>((resolve, reject) => {
      let told = '';
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        told += chunk;
        if (told.includes('"verdict":"violates"')) resolve(performance.now() - before);
      });
      void ended.then(() => reject(new Error('the fault was not found')));
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
    await faulty.close();
  }
}

leaveServersTheirCore();
const [runs, alone, first]: [Run[], Run[], number[]] = [[], [], []];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const run = await tested();
  runs.push(run);
  alone.push(await sentAlone(run.requests));
  first.push(await firstViolationMs());
}

const shown = ({ median, low, high }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`;
const rate = ({ requests, seconds }: Run): number => requests.length / seconds;
const cpuRate = ({ requests, cpuSeconds }: Run): number => requests.length / cpuSeconds;
const cpuMs = ({ requests, cpuSeconds }: Run): number => (1000 * cpuSeconds) / requests.length;
const later = runs.length > 1 ? runs.slice(1) : runs;
console.log(`${desk ? `the desk in ${values.target}` : document}: ${runs[0]?.requests.length} requests
  requests a second of CPU, so many a second where the target keeps up
    of the first run        ${cpuRate(runs[0] as Run).toFixed(0)}
    of those after it       ${shown(spread(later.map(cpuRate)), 0)}
  CPU a request, ms         ${shown(spread(runs.map(cpuMs)))}
    the same alone          ${shown(spread(alone.map(cpuMs)))}   ratio ${shown(ratio(runs.map(cpuMs), alone.map(cpuMs)))}
  requests a second of this target's
    as it is tested         ${shown(spread(runs.map((run) => run.requests.length / (run.seconds - run.waitedSeconds))), 0)}
    the same alone          ${shown(spread(alone.map(rate)), 0)}
  whole run, s              ${shown(spread(runs.map(({ seconds }) => seconds)))}
    until answers are there ${shown(spread(runs.map(({ askingSeconds }) => askingSeconds)))}
    for time to pass        ${shown(spread(runs.map(({ waitedSeconds }) => waitedSeconds)))}
  first violation, ms       ${shown(spread(first), 0)}   (tacet test examples/todo.md, an endpoint with a wrong status)`);
