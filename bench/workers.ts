// Measures what a read costs with several processes over SQLite: npm run bench:workers [-- --workers 2 --rounds 8]
// `tacet serve` runs once with one process and once with several, and both are read from in turn, by as many connections
// for each process. Told is the CPU time of all processes of each for a read, and the ratio. It takes about a minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
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
    only: { type: 'string' },
  },
});
const [rounds, seconds, connections] = [
  Number(values.rounds),
  Number(values.seconds),
  Number(values.connections),
];
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Reads over so many connections, each again as soon as it is answered, and prints how many answers there were. Workers
 * are given connections in turn: with `--only N`, those alone are used that the N-th has.
 */
async function load(url: URL, workers: number): Promise<void> {
  const request = `GET ${values.path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  let answers = 0;
  const sockets: Socket[] = [];
  for (let count = 0; count < connections * workers; count += 1) {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(text);
      answers += 1;
      socket.write(request);
    });
    sockets.push(socket);
  }
  for (const [index, socket] of sockets.entries())
    if (values.only === undefined || index % workers === Number(values.only)) socket.write(request);
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
async function slice(
  { url, path, workers, cpu }: Server,
  only?: number,
): Promise<{ each: number; shares: number[] }> {
  const before = cpu();
  const args = ['--load', url, '--path', path, '--seconds', String(seconds), '--workers', String(workers)];
  if (only !== undefined) args.push('--only', String(only));
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

/** A read by the process that writes, and by one that reads, each alone. */
async function bySeat(server: Server): Promise<{ writes: number; reads: number }> {
  const slices = [await slice(server, 0), await slice(server, 1)];
  const busiest = ({ shares }: (typeof slices)[number]): number => shares.indexOf(Math.max(...shares));
  const [first, second] = slices as [(typeof slices)[number], (typeof slices)[number]];
  // The process above goes before the workers, of which the first writes.
  const [writer, reader] = busiest(first) < busiest(second) ? [first, second] : [second, first];
  return { writes: writer.each, reads: reader.each };
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-workers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const count = Number(values.workers);
  const [one, several] = [await start(1, folder), await start(count, folder)];
  for (const server of [one, several]) await slice(server);
  const read: Record<'one' | 'several' | 'writes' | 'reads', number[]> = {
    one: [],
    several: [],
    writes: [],
    reads: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    read.one.push((await slice(one)).each);
    read.several.push((await slice(several)).each);
    const { writes, reads } = await bySeat(several);
    read.writes.push(writes);
    read.reads.push(reads);
  }
  const told = (title: string, { median, low, high }: ReturnType<typeof spread>): string =>
    `${title.padEnd(40)} ${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})\n`;
  process.stdout.write(told('1 process: µs of CPU a read', spread(read.one)));
  process.stdout.write(told(`${count} processes, all busy`, spread(read.several)));
  process.stdout.write(told('  over 1 process', ratio(read.several, read.one)));
  process.stdout.write(told('the one that writes, alone', spread(read.writes)));
  process.stdout.write(told('  over 1 process', ratio(read.writes, read.one)));
  process.stdout.write(told('one that reads, alone', spread(read.reads)));
  process.stdout.write(told('  over 1 process', ratio(read.reads, read.one)));
  process.stdout.write(told('  over the one that writes', ratio(read.reads, read.writes)));
  for (const server of [one, several]) server.end();
}

if (values.load === undefined) await measure();
else await load(new URL(values.load), Number(values.workers));
