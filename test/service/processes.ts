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
  const folder = mkdtempSync(join(tmpdir(), 'tacet-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'document.yaml');
  writeFileSync(file, document);
  const one = async (): Promise<Process> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'child.ts'), data, 'plain', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => end(child));
    for await (const address of createInterface({ input: child.stdout })) return { child, address };
    throw new Error('the service ended before it told its address');
  };
  return Promise.all(Array.from({ length: count }, one));
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
