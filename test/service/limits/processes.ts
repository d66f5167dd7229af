import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const tacet = fileURLToPath(new URL('../../../bin/tacet.js', import.meta.url));

/** Processes that serve a document, each on a file of its own, until the end of the test; their ports. */
export async function processes(
  document: string,
  count: number,
  options: readonly string[],
): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-processes-'));
  const file = join(folder, 'service.yaml');
  writeFileSync(file, document);
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const started = Array.from({ length: count }, (_, index) => {
    const data = join(folder, `${index}.sqlite`);
    const given = [tacet, 'serve', file, '--port', '0', '--data', data, ...options];
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return portOf(child);
  });
  return Promise.all(started);
}

/** The port that a process says it listens on. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
    child.on('exit', () => reject(new Error(`it ended: ${text}`)));
  });
}
