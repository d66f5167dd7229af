import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A service in a process of its own. */
export interface Process {
  readonly child: ChildProcess;
  readonly address: string;
}

/** Starts several processes of one document at once, which end with the test. */
export async function begin(count: number, data: string, document: string): Promise<readonly Process[]> {
  return beginAs(
    Array.from({ length: count }, () => 'plain'),
    data,
    document,
  );
}

/** The same, each in a mode of `child.ts`. */
export async function beginAs(
  modes: readonly string[],
  data: string,
  document: string,
): Promise<readonly Process[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'document.yaml');
  writeFileSync(file, document);
  return Promise.all(modes.map((mode) => beginOne(data, mode, file)));
}

/** Starts one: the to-do list, or another document, in a mode of `child.ts`. It ends with the test. */
export async function beginOne(...given: readonly string[]): Promise<Process> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'child.ts'), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => end(child));
  for await (const address of createInterface({ input: child.stdout })) return { child, address };
  throw new Error('the service ended before it told its address');
}

export async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
