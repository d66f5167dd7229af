// Measures tacet on PostgreSQL beside a service written by hand: npm run bench:stores [-- --quick]
// The server is that of TACET_POSTGRES, by default postgres://postgres@127.0.0.1:5432/test. It takes about a minute.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judge } from './conformance.ts';
import { build, install, names, type Place } from './contestants.ts';
import { leaveServersTheirCore } from './processes.ts';
import { workResult } from './results.ts';
import { table } from './table.ts';
import { measure, works } from './works.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const extent = values.quick
  ? { rounds: 3, sliceSeconds: 1, warmUpSeconds: 1 }
  : { rounds: 8, sliceSeconds: 1, warmUpSeconds: 2 };
const server = process.env['TACET_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const root = fileURLToPath(new URL('..', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
const schemas: string[] = [];
process.once('exit', () => {
  if (schemas.length > 0) ask(`DROP SCHEMA ${schemas.join(', ')} CASCADE`);
  rmSync(scratch, { recursive: true, force: true });
});

/** Has the server carry a statement out, before this goes on. */
function ask(statement: string): void {
  const script = `import pg from 'pg';
    const client = new pg.Client(process.argv[1]);
    await client.connect();
    await client.query(process.argv[2]);
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, server, statement], { cwd: root });
}

/** The schema of whoever keeps its data in a folder. */
function schemaOf(folder: string): string {
  return `tacet_bench_${basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')}`;
}

function addressOf(folder: string): string {
  const address = new URL(server);
  address.searchParams.set('schema', schemaOf(folder));
  return address.href;
}

const place: Place = () => {
  const folder = mkdtempSync(join(scratch, 'data-'));
  ask(`CREATE SCHEMA ${schemaOf(folder)}`);
  schemas.push(schemaOf(folder));
  return folder;
};

install();
const built = join(scratch, 'built');
mkdirSync(built);
const { keeping, written } = build(built);
const tacet = keeping('tacet', (folder) => ['--store', addressOf(folder)]);
const other = written(names.postgres, 'fastify-pg.js', addressOf);
leaveServersTheirCore();
for (const contestant of [tacet, other]) {
  const { name, fault } = await judge(contestant, place);
  if (fault !== null) throw new Error(`${name}: ${fault}`);
}
for (const work of works) {
  const measured = await measure(work, tacet, [other], extent, place);
  process.stdout.write(`\n${table({ works: [workResult(measured, tacet.name)] })}\n`);
}
