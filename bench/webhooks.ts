// Measures one good webhook beside 1,000 dead ones: npm run bench:webhooks [-- --minutes N --store URL --heap MB --dead N]
// A third of the dead targets are not found, a third hang, a third answer 500. See bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuSeconds, residentMiB, startProcess } from './processes.ts';
import { startReceivers } from './webhooks/receivers.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    dead: { type: 'string', default: '1000' },
    store: { type: 'string' },
    heap: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const count = Number(values.dead);
/** How often a note goes to the good target, and to all dead ones, in milliseconds. */
const everyMs = { good: 100, dead: 5000 };
const aloneMs = Math.min(60_000, minutes * 20_000);

const scratch = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** When each note was sent, by its identifier, until it arrives; and how long those took that did, in order. */
const sent = new Map<string, number>();
let tookMs: number[] = [];
const receivers = await startReceivers((body) => {
  const { data } = JSON.parse(body) as { data: { id: string } };
  const began = sent.get(data.id);
  if (began !== undefined) tookMs.push(performance.now() - began);
  sent.delete(data.id);
});
const heap = values.heap === undefined ? [] : [`--max-old-space-size=${values.heap}`];
const program = fileURLToPath(new URL('webhooks/service.ts', import.meta.url));
const { child } = startProcess(
  'of servers',
  [
    process.execPath,
    ...heap,
    program,
    values.store ?? join(scratch, 'data.sqlite'),
    String(receivers.dnsPort),
  ],
  scratch,
  ['ignore', 'pipe', 'inherit'],
);
let hasEnded = false;
child.once('exit', (code, signal) => {
  if (!hasEnded) throw new Error(`the service ended: ${code ?? signal}`);
});
const address = await new Promise<string>((resolve) => {
  child.stdout?.once('data', (text: Buffer) => resolve(String(text).trim()));
});
const pid = child.pid as number;

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 204) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
}

/** What the good target saw in a stretch of time. */
interface Stretch {
  readonly sent: number;
  readonly took: readonly number[];
  readonly resident: readonly number[];
}

let notes = 0;
const run = `${process.pid}-${Date.now()}`;
async function stretch(ms: number, hasDead: boolean): Promise<Stretch> {
  tookMs = [];
  const resident: number[] = [];
  const from = notes;
  const began = performance.now();
  let deadAt = began;
  let residentAt = began;
  for (let at = began; at < began + ms; at += everyMs.good) {
    await pause(Math.max(0, at - performance.now()));
    const id = `${run}-${notes}`;
    notes += 1;
    sent.set(id, performance.now());
    const posted = [post('/notes', { id, topic: 'good' })];
    if (hasDead && at >= deadAt) {
      deadAt += everyMs.dead;
      posted.push(post('/notes', { id: `${id}-dead`, topic: 'dead' }));
    }
    if (at >= residentAt) {
      residentAt += 1000;
      resident.push(residentMiB(pid));
    }
    await Promise.all(posted);
  }
  return { sent: notes - from, took: tookMs, resident };
}

function quantile(all: readonly number[], part: number): number {
  return (
    [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN
  );
}

function line(name: string, { sent: all, took, resident }: Stretch): string {
  const ms = [0.5, 0.95, 0.99, 1].map((part) => quantile(took, part).toFixed(1).padStart(8));
  const memory = `${Math.min(...resident).toFixed(0)}–${Math.max(...resident).toFixed(0)}`;
  return `${name.padEnd(16)}${String(all).padStart(6)}${ms.join('')}  ${memory.padStart(9)}\n`;
}

await post('/hooks', { id: `${run}-good`, url: receivers.good, topic: 'good' });
await stretch(5000, false);
process.stdout.write('                 sent  median     95 %    99 %    most  MiB\n');
const alone = await stretch(aloneMs, false);
process.stdout.write(line('alone', alone));
for (let index = 0; index < count; index += 1)
  await post('/hooks', { id: `${run}-dead-${index}`, url: receivers.dead(index), topic: 'dead' });
const beside: Stretch[] = [];
for (let minute = 1; minute <= minutes; minute += 1) {
  const one = await stretch(60_000, true);
  beside.push(one);
  process.stdout.write(line(`minute ${minute}`, one));
}
await pause(2000);
// What the first minutes bring about is not waiting: code that is compiled, and a heap that has grown.
const settled = beside.slice(Math.floor(beside.length / 10) + 1);
const resident = (settled.length > 0 ? settled : beside).flatMap((one) => one.resident);
const middle = quantile(resident, 0.5);
const awayMiB = Math.max(...resident.map((one) => Math.abs(one - middle)));
const all = beside.flatMap(({ took }) => took);
const times = quantile(all, 0.5) / quantile(alone.took, 0.5);
process.stdout.write(
  `\nbeside ${count} dead targets: ${times.toFixed(2)} times the usual time (median; 95 %: ${(quantile(all, 0.95) / quantile(alone.took, 0.95)).toFixed(2)}); ` +
    `memory ${middle.toFixed(0)} MiB ± ${awayMiB.toFixed(0)}; ${receivers.attempts()} attempts at dead targets; ` +
    `${sent.size} not delivered; ${cpuSeconds(pid).toFixed(0)} s of CPU\n`,
);
hasEnded = true;
child.kill('SIGTERM');
const isReached = times <= 2 && awayMiB <= 20 && sent.size === 0;
setTimeout(() => process.exit(isReached ? 0 : 1), 12_000).unref();
child.once('exit', () => process.exit(isReached ? 0 : 1));
