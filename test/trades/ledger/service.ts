import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Start } from '../witness.ts';

interface Process {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  readonly address: string;
}

let running: Promise<Process> | undefined;

/** One process of Python serves all witnesses, one after the other. */
async function begin(): Promise<Process> {
  const child = spawn('python3', ['-B', fileURLToPath(new URL('service.py', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: address } = await lines.next();
  return { child, lines, address };
}

/** The service begins anew with a fault, or with none. Its clock is the machine's. */
export const start: Start = async ({ fault }) => {
  running ??= begin();
  const { child, lines, address } = await running;
  child.stdin?.write(`fault ${fault ?? ''}\n`);
  await lines.next();
  return { address, close: async () => {} };
};

export async function end(): Promise<void> {
  (await running)?.child.kill();
  running = undefined;
}
