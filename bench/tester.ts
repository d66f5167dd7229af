// Measures the tester: npm run bench:tester [-- --target own|fastify|python] [--document FILE] [--rounds N]
// How many requests it drives in a second of the thread that drives them, which is how many a second it drives where the
// target keeps up, that is, has each answer by the time that it is looked for: requests go one after another. How many in a
// second of all its CPU, of which compiling and collecting garbage take a part beside that thread; and how many in a second
// of this very target's. Beside it a client that sends the very same requests and looks at nothing; what a whole run is
// spent on; and the time from the start of `tacet test` to its first violation. The first run of a process, in which all is
// loaded and compiled, is told apart from the others. The targets: our own service, or the parcel desks of test/desks. It
// takes a few minutes on two cores that nothing else uses.
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
const document = values.document ?? join(root, 'test', 'desks', 'parcel-desk.md');
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
  /** Of these, those of the thread that drives. */
  readonly threadSeconds: number;
  /** For time to pass: timers, rates, events that are on their way. */
  readonly waitedSeconds: number;
  /** While at least one request was under way. */
  readonly askingSeconds: number;
}

async function timed(work: () => Promise<Pick<Run, 'requests'> & Partial<Run>>): Promise<Run> {
  const [before, cpuBefore, threadBefore] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  const done = await work();
  const seconds = (performance.now() - before) / 1000;
  const inAll = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;
  const cpuSeconds = inAll(process.cpuUsage(cpuBefore));
  const threadSeconds = inAll(process.threadCpuUsage(threadBefore));
  return { seconds, cpuSeconds, threadSeconds, waitedSeconds: 0, askingSeconds: seconds, ...done };
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
const [runs, alone, shownAfter]: [Run[], Run[], number[]] = [[], [], []];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const run = await tested();
  runs.push(run);
  alone.push(await sentAlone(run.requests));
  shownAfter.push(await firstViolationMs());
}

const shown = ({ median, low, high }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`;
const rate = ({ requests, seconds }: Run): number => requests.length / seconds;
const threadRate = ({ requests, threadSeconds }: Run): number => requests.length / threadSeconds;
const cpuRate = ({ requests, cpuSeconds }: Run): number => requests.length / cpuSeconds;
const askedRate = ({ requests, seconds, waitedSeconds }: Run): number =>
  requests.length / (seconds - waitedSeconds);
const cpuMs = ({ requests, cpuSeconds }: Run): number => (1000 * cpuSeconds) / requests.length;
const [first, ...others] = runs as [Run, ...Run[]];
const later = others.length > 0 ? others : runs;
console.log(`${desk ? `the desk in ${values.target}` : document}: ${first.requests.length} requests
  requests a second           of the first run, of those after it
    where the target keeps up ${threadRate(first).toFixed(0)}   ${shown(spread(later.map(threadRate)), 0)}
    of all its CPU            ${cpuRate(first).toFixed(0)}   ${shown(spread(later.map(cpuRate)), 0)}
    of this target's          ${askedRate(first).toFixed(0)}   ${shown(spread(later.map(askedRate)), 0)}
    the same alone            ${shown(spread(alone.map(rate)), 0)}
  CPU a request, ms         ${shown(spread(runs.map(cpuMs)))}
    the same alone          ${shown(spread(alone.map(cpuMs)))}   ratio ${shown(ratio(runs.map(cpuMs), alone.map(cpuMs)))}
  whole run, s              ${shown(spread(runs.map(({ seconds }) => seconds)))}
    until answers are there ${shown(spread(runs.map(({ askingSeconds }) => askingSeconds)))}
    for time to pass        ${shown(spread(runs.map(({ waitedSeconds }) => waitedSeconds)))}
  first violation, ms       ${shown(spread(shownAfter), 0)}   (tacet test examples/todo.md, an endpoint with a wrong status)`);
