import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Start } from '../witness.ts';

/** The service is one process of Python. A line on its standard input lets it begin anew, with another fault. */
interface Process {
  readonly child: ChildProcessWithoutNullStreams;
  readonly clock: Server;
  readonly address: string;
  readonly lines: AsyncIterator<string>;
}

let now: () => number = Date.now;
let running: Promise<Process> | undefined;

async function run(): Promise<Process> {
  const clock = createServer((socket) => {
    socket.on('data', () => socket.write(`${now()}\n`));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => clock.listen(0, '127.0.0.1', resolve));
  const { port } = clock.address() as AddressInfo;
  const program = fileURLToPath(new URL('service.py', import.meta.url));
  const child = spawn('python3', ['-B', program, '--clock', String(port)]);
  child.stderr.pipe(process.stderr);
  const reader: Interface = createInterface(child.stdout);
  const lines = reader[Symbol.asyncIterator]();
  return { child, clock, lines, address: String((await lines.next()).value) };
}

export const start: Start = async (options) => {
  running ??= run();
  const { child, lines, address } = await running;
  now = options.now;
  child.stdin.write(`${options.fault ?? ''}\n`);
  await lines.next();
  return { address, close: async () => {} };
};

export async function end(): Promise<void> {
  if (running === undefined) return;
  const { child, clock } = await running;
  running = undefined;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await ended;
  clock.close();
}
