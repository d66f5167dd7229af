// Measures what a read costs with a standby: npm run bench:replica [-- --clients 32 --changes 300 --seconds 3]
// A server and a standby are started, and `tacet serve` once with `--read-store` and once without. Clients read pages of a
// list while others change its items. Told is the CPU time for 1,000 reads, and what answered them. It takes half a minute.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { primary, type Server, standby } from '../test/service/store/standby.ts';
import { cpuSeconds } from './processes.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '32' },
    changes: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '3' },
  },
});
const [clients, changes, seconds] = [Number(values.clients), Number(values.changes), Number(values.seconds)];
const items = 200;

const document = `
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  PUT /notes/{id}: { does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes:
    does: { list: Note, order: [id] }
    request: { query: { size: { page: size, type: integer } } }
    response: { status: 200, body: "\${Note(page.items)}" }
authentication: (none)
`;

/** CPU seconds of all processes of a server of PostgreSQL's. */
function cpuOf({ data }: Server): number {
  const [main = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  const isOf = (one: string): boolean => {
    try {
      return readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === main;
    } catch {
      return false;
    }
  };
  const own = readdirSync('/proc').filter((one) => /^\d+$/.test(one) && isOf(one));
  return own.reduce((sum, one) => sum + cpuSeconds(Number(one)), 0);
}

interface Service {
  readonly url: string;
  readonly ops: string;
  readonly pid: number;
  readonly end: () => void;
}

async function start(file: string, words: readonly string[]): Promise<Service> {
  const program = fileURLToPath(new URL('../bin/tacet.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'serve', file, '--port', '0', '--ops', '0', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  let said = '';
  for await (const text of child.stdout) {
    said += String(text);
    const [, url, ops] = /address +(\S+)[\s\S]*ops +(\S+)\/live/.exec(said) ?? [];
    if (url && ops) return { url, ops, pid: child.pid as number, end: () => child.kill() };
  }
  throw new Error('the service did not start');
}

const agent = new http.Agent({ keepAlive: true });

function send(url: string, method = 'GET', body = ''): Promise<void> {
  const headers = body ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {};
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers }, (response) => {
      if ((response.statusCode ?? 500) >= 300) reject(new Error(`${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    request.on('error', reject).end(body);
  });
}

const put = (url: string, count: number): Promise<void> =>
  send(`${url}/notes/n${count % items}`, 'PUT', JSON.stringify({ text: `text ${count}` }));

/** Reads, and changes so much a second, until the time is over: how often it read. */
async function load({ url }: Service, rate: number): Promise<number> {
  const began = performance.now();
  const isOver = (): boolean => performance.now() - began > seconds * 1000;
  let reads = 0;
  const reading = Array.from({ length: clients }, async () => {
    for (; !isOver(); reads += 1) await send(`${url}/notes?size=${10 + (reads % 20)}`);
  });
  const changing: Promise<void>[] = [];
  for (; rate > 0 && !isOver(); await setTimeout(1))
    while (changing.length < ((performance.now() - began) / 1000) * rate)
      changing.push(put(url, changing.length));
  await Promise.all([...reading, ...changing]);
  return reads;
}

async function measure(title: string, service: Service, servers: readonly Server[]): Promise<void> {
  for (let count = 0; count < items; count += 1) await put(service.url, count);
  for (const rate of [0, changes]) {
    const spent = (): number[] => [...servers.map(cpuOf), cpuSeconds(service.pid)];
    const before = spent();
    const reads = await load(service, rate);
    const each = spent().map((one, index) => (((one - (before[index] as number)) * 1e6) / reads).toFixed(0));
    const [database, other, own] = each;
    console.log(
      `${title}, ${rate} changes a second: ${(reads / seconds).toFixed(0)} reads a second; CPU ms for 1,000: database ${database}, standby ${other}, service ${own}`,
    );
  }
  const metrics = await (await fetch(`${service.ops}/metrics`)).text();
  for (const line of metrics.match(/^tacet_reads_total.*$/gm) ?? []) console.log(line);
  service.end();
}

const folder = mkdtempSync(join(tmpdir(), 'tacet-replica-'));
const file = join(folder, 'notes.yaml');
writeFileSync(file, document);
const main = await primary();
const other = await standby(main);
try {
  await main.query('CREATE SCHEMA alone');
  const store = ['--store', main.address];
  const both = [main, other];
  await measure('with a standby', await start(file, [...store, '--read-store', other.address]), both);
  await measure('without', await start(file, ['--store', `${main.address}?schema=alone`]), both);
} finally {
  await other.remove();
  await main.remove();
  rmSync(folder, { recursive: true });
}
