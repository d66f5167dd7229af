// Measures what a read costs with several processes over SQLite: npm run bench:workers [-- --workers 2 --rounds 8]
// `tacet serve` runs once with one process and once with several, and both are read from in turn, by as many connections
// for each process. Told is the CPU time of all processes of each for a read, and the ratio. It takes about a minute.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './processes.ts';
import { ratio, spread } from './statistics.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    load: { type: 'string' },
    path: { type: 'string', default: '' },
  },
});
const [rounds, seconds, connections] = [
  Number(values.rounds),
  Number(values.seconds),
  Number(values.connections),
];
const root = fileURLToPath(new URL('..', import.meta.url));

/** Reads over so many connections, each again as soon as it is answered, and prints how many answers there were. */
function load(url: URL, at: number): void {
  const request = `GET ${values.path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  let answers = 0;
  const sockets = Array.from({ length: at }, () => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(request));
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(text);
      answers += 1;
      socket.write(request);
    });
    return socket;
  });
  setTimeout(() => {
    process.stdout.write(`${answers}\n`);
    for (const socket of sockets) socket.destroy();
  }, seconds * 1000);
}

interface Server {
  readonly url: string;
  readonly path: string;
  readonly workers: number;
  /** CPU seconds of all its processes. */
  readonly cpu: () => number[];
  readonly end: () => void;
}

async function start(workers: number, folder: string): Promise<Server> {
  const words = ['serve', 'examples/todo.md', '--port', '0', '--data', join(folder, `${workers}.sqlite`)];
  const child = spawn(
    process.execPath,
    [join(root, 'bin', 'tacet.js'), ...words, '--workers', String(workers)],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  process.once('exit', () => child.kill());
  const url = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      const [, found] = /address +(\S+)/.exec(said) ?? [];
      if (found) resolve(found);
    });
  });
  const made = await fetch(`${url}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"title":"to be read","order":1}',
  });
  const { url: item } = (await made.json()) as { url: string };
  const pids = [child.pid as number, ...(workers > 1 ? childrenOf(child.pid as number) : [])];
  return {
    url,
    path: new URL(item).pathname,
    workers,
    cpu: () => pids.map(cpuSeconds),
    end: () => child.kill(),
  };
}

function childrenOf(pid: number): number[] {
  const parentOf = (one: string): number =>
    Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  return readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one))
    .filter((one) => {
      try {
        return parentOf(one) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Microseconds of CPU time for a read, and how much each process worked. */
async function slice({ url, path, workers, cpu }: Server): Promise<{ each: number; shares: number[] }> {
  const before = cpu();
  const args = ['--load', url, '--path', path, '--seconds', String(seconds), '--workers', String(workers)];
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), ...args, '--connections', String(connections)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  for await (const text of child.stdout) said += String(text);
  const used = cpu().map((one, index) => one - (before[index] as number));
  const sum = used.reduce((all, one) => all + one, 0);
  return { each: (sum / Number(said)) * 1e6, shares: used.map((one) => one / sum) };
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-workers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const one = await start(1, folder);
  const several = await start(Number(values.workers), folder);
  for (const server of [one, several]) await slice(server);
  const read: { one: number[]; several: number[]; shares: number[][] } = { one: [], several: [], shares: [] };
  for (let round = 0; round < rounds; round += 1) {
    read.one.push((await slice(one)).each);
    const { each, shares } = await slice(several);
    read.several.push(each);
    read.shares.push(shares);
  }
  const told = (title: string, { median, low, high }: ReturnType<typeof spread>): string =>
    `${title.padEnd(28)} ${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})\n`;
  process.stdout.write(told('1 process: µs of CPU a read', spread(read.one)));
  process.stdout.write(told(`${several.workers} processes`, spread(read.several)));
  process.stdout.write(told('ratio', ratio(read.several, read.one)));
  const shares = (read.shares[0] ?? []).map(
    (_, index) => spread(read.shares.map((all) => all[index] as number)).median,
  );
  process.stdout.write(
    `shares of the work           ${shares.map((share) => share.toFixed(2)).join(', ')}\n`,
  );
  for (const server of [one, several]) server.end();
}

if (values.load === undefined) await measure();
else load(new URL(values.load), connections * Number(values.workers));
