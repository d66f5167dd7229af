import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connections, generator } from './load.ts';
import { pinned } from './processes.ts';
import { spread } from './statistics.ts';

/** What the figures were read on, and with. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
  readonly load: string;
  /** The median time of a 4 KiB write and its fdatasync where the data is kept: what a commit cannot undercut. */
  readonly syncMs: number;
  readonly versions: Readonly<Record<string, string>>;
}

const packages = ['better-sqlite3', 'fastify', 'json-server', '@stoplight/prism-cli'];
const syncs = 200;

export function machine(): Machine {
  const processors = cpus();
  const cores = pinned ? 'load on one core, the server on the other' : 'load and server on the same cores';
  // It takes more of its core for a request than the faster servers take of theirs.
  const weak =
    generator === 'autocannon' ? '; install wrk: autocannon is the slower side here, so trust CPU time' : '';
  return {
    cores: processors.length,
    processor: processors[0]?.model ?? 'unknown',
    node: process.versions.node,
    load: `${generator}, ${connections} connections, ${cores}${weak}`,
    syncMs: syncMs(),
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
}

function syncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-bench-sync-'));
  const file = openSync(join(folder, 'file'), 'w');
  const page = Buffer.alloc(4096, 1);
  const readings = Array.from({ length: syncs }, () => {
    const startedAt = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return spread(readings).median;
}

function versionOf(name: string): string {
  for (const place of ['node_modules', '../node_modules']) {
    try {
      const file = fileURLToPath(new URL(`${place}/${name}/package.json`, import.meta.url));
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    } catch {}
  }
  return 'unknown';
}
