import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How much time `tacet proxy` adds to a request: the same requests sent to a service alone, and through the proxy. */

const document = 'examples/todo.md';
const rounds = 20;
const requestsEach = 100;
/** The most that the proxy may add to the median, in milliseconds. */
const target = 1;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** A command in a process of its own, and the address at which it listens. */
async function started(...words: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['bin/tacet.js', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise<string>((resolve) => {
    const listen = (chunk: Buffer): void => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
      if (found) resolve(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
  });
  return { child, url };
}

/** Sends a request. Gives how long its answer took, in milliseconds. */
function timed(url: string, method: string, body?: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { agent, method, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - began));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function round(url: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < requestsEach; count++)
    times.push(
      await (count % 2 === 0 ? timed(`${url}/`, 'POST', '{"title":"milk"}') : timed(`${url}/none`, 'GET')),
    );
  return times;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

const folder = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
const service = await started('serve', document, '--port', '0', '--data', join(folder, 'data.sqlite'));
const proxy = await started('proxy', document, '--url', service.url, '--port', '0');
const times: Record<'alone' | 'through the proxy', number[]> = { alone: [], 'through the proxy': [] };
for (const url of [service.url, proxy.url]) await round(url);
for (let count = 0; count < rounds; count++) {
  times.alone.push(...(await round(service.url)));
  times['through the proxy'].push(...(await round(proxy.url)));
}
for (const [name, all] of Object.entries(times))
  console.log(
    `${name.padEnd(18)} p50 ${quantile(all, 0.5).toFixed(2)} ms, p99 ${quantile(all, 0.99).toFixed(2)} ms`,
  );
const added = quantile(times['through the proxy'], 0.5) - quantile(times.alone, 0.5);
console.log(`added at p50: ${added.toFixed(2)} ms (target: less than ${target} ms)`);
for (const { child } of [proxy, service]) {
  child.kill('SIGINT');
  await once(child, 'exit');
}
rmSync(folder, { recursive: true });
agent.destroy();
process.exitCode = added < target ? 0 : 1;
