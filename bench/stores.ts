// Measures tacet on PostgreSQL beside a service written by hand: npm run bench:stores [-- --quick]
// The server is that of TACET_POSTGRES, by default postgres://postgres@127.0.0.1:5432/test. It takes about a minute.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge } from './conformance.ts';
import { build, install, names, type Place } from './contestants.ts';
import { leaveServersTheirCore } from './processes.ts';
import { workResult } from './results.ts';
import { addressOf, makeSchema } from './schemas.ts';
import { table } from './table.ts';
import { measure, works } from './works.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const extent = values.quick
  ? { rounds: 3, sliceSeconds: 1, warmUpSeconds: 1 }
  : { rounds: 8, sliceSeconds: 1, warmUpSeconds: 2 };

const scratch = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

const place: Place = () => {
  const folder = mkdtempSync(join(scratch, 'data-'));
  makeSchema(folder);
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
