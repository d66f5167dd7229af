import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './client.ts';
import type { Contestant } from './contestants.ts';
import { cpuSeconds, startProcess } from './processes.ts';

/** A contestant that runs, in a process of its own. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  /** From the start of its process to its first 200. */
  readonly startMs: number;
  /** Asks it to end, and insists after a while. */
  readonly stop: () => Promise<void>;
  /** `kill -9`: it gets no chance to write anything more. */
  readonly kill: () => Promise<void>;
}

const longestStartMs = 30_000;
const longestStopMs = 3_000;
const longestRestMs = 3_000;

/** Starts a contestant over a folder, and waits until it gives its list. */
export async function start(contestant: Contestant, folder: string, samePort?: number): Promise<Server> {
  const port = samePort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const outputFile = join(folder, 'output.txt');
  const output = openSync(outputFile, 'a');
  const startedAt = performance.now();
  const command = [process.execPath, ...contestant.args(port, folder)];
  const { child, ended } = startProcess('of servers', command, folder, ['ignore', output, output]);
  closeSync(output);
  let over = false;
  void ended.then(() => {
    over = true;
  });

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    const insist = setTimeout(() => child.kill('SIGKILL'), longestStopMs);
    await ended;
    clearTimeout(insist);
  };
  while (!(await answers(url, contestant.list))) {
    if (over || performance.now() - startedAt > longestStartMs) {
      await end('SIGKILL');
      throw new Error(`it did not start: ${readFileSync(outputFile, 'utf8').trim().slice(-500)}`);
    }
    await pause(1);
  }
  return {
    pid: child.pid as number,
    port,
    url,
    startMs: performance.now() - startedAt,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Waits until a server has done what the requests before have left to it, so that the next one has its core. */
export async function rest({ pid }: Server): Promise<void> {
  const until = performance.now() + longestRestMs;
  for (let before = -1, now = cpuSeconds(pid); now > before && performance.now() < until; ) {
    await pause(30);
    before = now;
    now = cpuSeconds(pid);
  }
}

async function answers(url: string, path: string): Promise<boolean> {
  try {
    return (await ask(url, { method: 'GET', path })).status === 200;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
