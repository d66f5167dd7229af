// Measures how several processes write to one database of PostgreSQL: npm run bench:writers [-- --commit-ms 0]
// Each work is put on the first process alone, on the first two, and so on, in turn. Told are the rates in a second, and
// how many times that of one process they are. With `--commit-ms N` (5 if not stated) each COMMIT takes N ms more while
// locks are held, as with a synchronous standby: the user of TACET_POSTGRES has to be a superuser for that. It takes
// about two minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Asked, ask as send } from './client.ts';
import type { Contestant } from './contestants.ts';
import { loadOf } from './load.ts';
import { addressOf, makeSchema } from './schemas.ts';
import { type Server, start } from './server.ts';
import { ratio, type Spread, spread } from './statistics.ts';

const { values } = parseArgs({
  options: {
    'commit-ms': { type: 'string', default: '5' },
    processes: { type: 'string', default: '1,2,4' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
    works: { type: 'string', default: '' },
    tacet: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  },
});
const commitMs = Number(values['commit-ms']);
const counts = values.processes.split(',').map(Number);
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const post = (path: string, members: object): Asked => ({
  method: 'POST',
  path,
  content: JSON.stringify(members),
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, one) => one);

/** What is asked of a process, the number of which is told; each again and again, in turn. */
const works: Readonly<Record<string, (process: number) => readonly Asked[]>> = {
  creates: () => [post('/notes', { text: 'a note' })],
  'updates among 1,000': (process) =>
    numbers(1000).map((one) => ({
      method: 'PATCH',
      path: `/items/${(one * 7 + process * 250) % 1000}`,
      content: '{}',
    })),
  'creates that count others of one of 1,000 parents': (process) =>
    numbers(1000).map((one) => post('/slips', { of: `p${(one * 7 + process * 250) % 1000}` })),
  'creates that count others of one parent': () => [post('/slips', { of: 'p0' })],
  'creates that count others of one of 1,000 names': (process) =>
    numbers(1000).map((one) => post('/tags', { name: `n${(one * 7 + process * 250) % 1000}` })),
};

const scratch = mkdtempSync(join(tmpdir(), 'tacet-writers-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const says = (text: string): void => void process.stdout.write(`${text}\n`);
const told = ({ median, low, high }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;

/** A folder for each process; all of them keep their data in the schema of the first. */
function contestant(name: string, folder: string): Contestant {
  const address = new URL(addressOf(folder));
  if (commitMs > 0)
    address.searchParams.set('options', `-c commit_delay=${commitMs * 1000} -c commit_siblings=0`);
  return {
    name,
    args: (port) => [
      join(values.tacet, 'bin', 'tacet.js'),
      'serve',
      fileURLToPath(new URL('writers/writers.yaml', import.meta.url)),
      ...['--port', String(port), '--store', address.href],
    ],
    list: '/items',
    pathOf: () => '',
    serves: 'the whole',
  };
}

async function made(server: Server, all: readonly Asked[]): Promise<void> {
  for (let from = 0; from < all.length; from += 50)
    for (const { status } of await Promise.all(
      all.slice(from, from + 50).map((one) => send(server.url, one)),
    ))
      if (status !== 201) throw new Error(`what is to be there could not be made: ${status}`);
}

/** How many requests a second the first so many processes answer together. */
async function rate(loads: readonly Load[], count: number): Promise<number> {
  const slices = await Promise.all(loads.slice(0, count).map((load) => load(seconds)));
  return slices.reduce((sum, slice) => sum + slice.requests / slice.seconds, 0);
}

type Load = ReturnType<typeof loadOf>;

const servers: Server[] = [];
try {
  const shared = mkdtempSync(join(scratch, 'data-'));
  makeSchema(shared);
  for (const index of numbers(Math.max(...counts)))
    servers.push(await start(contestant(`process ${index}`, shared), mkdtempSync(join(scratch, 'own-'))));
  const [first] = servers as [Server];
  await made(
    first,
    numbers(1000).map((one) => post('/parents', { id: `p${one}` })),
  );
  await made(
    first,
    numbers(1000).map((one) => post('/items', { id: String(one), count: 0 })),
  );
  says(
    `COMMIT takes ${commitMs} ms more; ${values.connections} connections a process; ${rounds} rounds of ${seconds} s`,
  );
  for (const [title, requestsOf] of Object.entries(works)) {
    if (!title.includes(values.works)) continue;
    const loads = servers.map((server, index) =>
      loadOf(server, mkdtempSync(join(scratch, 'load-')), requestsOf(index), {}, Number(values.connections)),
    );
    await rate(loads, loads.length);
    const rates = counts.map((): number[] => []);
    for (const _ of numbers(rounds))
      for (const [at, count] of counts.entries()) rates[at]?.push(await rate(loads, count));
    says(`\n${title}: requests in a second, over those of ${counts[0]}; load ${loadavg()[0]?.toFixed(1)}`);
    for (const [at, count] of counts.entries()) {
      const own = rates[at] as number[];
      says(
        `  ${count} process${count === 1 ? '' : 'es'}: ${told(spread(own), 0)}, × ${told(ratio(own, rates[0] as number[]), 2)}`,
      );
    }
  }
} finally {
  if (process.env['KEEP'])
    (await import('node:fs')).cpSync(scratch, process.env['KEEP'], { recursive: true });
  await Promise.all(servers.map((server) => server.stop()));
}
