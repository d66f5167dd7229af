import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asked, ask } from './client.ts';
import type { Contestant } from './contestants.ts';
import { cpuSeconds, found, startProcess } from './processes.ts';
import { rest, type Server } from './server.ts';

/** What was read in one slice of load. */
export interface Slice {
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What a load generator says of a slice. `refused` have another status than 2xx; `broken` got no answer. */
interface Said extends Omit<Slice, 'cpuSeconds'> {
  readonly refused: number;
  readonly broken: number;
}

export const connections = 64;

/** wrk where it is installed (in Debian, the package of that name), otherwise autocannon. */
export const generator = found('wrk') ? 'wrk' : 'autocannon';

const here = fileURLToPath(new URL('.', import.meta.url));
const longestOverrunSeconds = 20;

/** Header fields that every request of a load has. */
type Fields = Readonly<Record<string, string>>;

/** Readies a load of these requests, in turn and over again; the result puts it on the server for a while. */
export function loadOf(
  server: Server,
  folder: string,
  requests: readonly Asked[],
  fields: Fields = {},
  at = connections,
): (seconds: number) => Promise<Slice> {
  const said =
    generator === 'wrk'
      ? wrk(server, folder, requests, fields, at)
      : autocannon(server, folder, requests, fields, at);
  return async (seconds) => {
    const before = cpuSeconds(server.pid);
    const { refused, broken, ...slice } = await said(seconds);
    const after = cpuSeconds(server.pid);
    if (refused + broken > 0 || slice.requests === 0)
      throw new Error(
        `of ${slice.requests} requests, ${refused} were refused and ${broken} were not answered`,
      );
    await rest(server);
    return { ...slice, cpuSeconds: after - before };
  };
}

function wrk(
  { url }: Server,
  folder: string,
  requests: readonly Asked[],
  fields: Fields,
  at: number,
): (seconds: number) => Promise<Said> {
  const file = join(folder, 'requests.txt');
  const lines = requests.map(({ method, path, content = '' }) => `${method} ${path} ${content}`.trimEnd());
  writeFileSync(file, `${lines.join('\n')}\n`);
  const script = join(here, 'load', 'requests.lua');
  return async (seconds) => {
    const options = ['--threads', '1', '--connections', String(at), '--timeout', '10s'];
    const headers = Object.entries(fields).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const command = [
      'wrk',
      ...options,
      ...headers,
      '--duration',
      `${seconds}s`,
      '--script',
      script,
      url,
      '--',
      file,
    ];
    return JSON.parse((await run(command, folder, seconds)).trim().split('\n').at(-1) as string) as Said;
  };
}

function autocannon(
  { url }: Server,
  folder: string,
  requests: readonly Asked[],
  fields: Fields,
  at: number,
): (seconds: number) => Promise<Said> {
  const file = join(folder, 'requests.har');
  const entries = requests.map(({ method, path, content }) => {
    const headers = [{ name: 'Accept', value: 'application/json' }];
    for (const [name, value] of Object.entries(fields)) headers.push({ name, value });
    if (content !== undefined) headers.push({ name: 'Content-Type', value: 'application/json' });
    const postData =
      content === undefined ? {} : { postData: { mimeType: 'application/json', text: content } };
    return { request: { method, url: url + path, headers, ...postData } };
  });
  writeFileSync(file, JSON.stringify({ log: { entries } }));
  const program = join(here, 'node_modules', 'autocannon', 'autocannon.js');
  return async (seconds) => {
    const options = ['--connections', String(at), '--duration', String(seconds), '--har', file, '--json'];
    const result = JSON.parse(
      await run([process.execPath, program, ...options, '--no-progress', url], folder, seconds),
    ) as AutocannonResult;
    return {
      requests: result.requests.total,
      seconds: result.duration,
      refused: result.non2xx,
      broken: result.errors,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
    };
  };
}

interface AutocannonResult {
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly non2xx: number;
  readonly errors: number;
  readonly latency: { readonly p50: number; readonly p99: number };
}

async function run(command: readonly string[], folder: string, seconds: number): Promise<string> {
  const { child, ended } = startProcess('of load', command, folder, ['ignore', 'pipe', 'pipe']);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), (seconds + longestOverrunSeconds) * 1000);
  let output = '';
  let complaint = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await ended;
  clearTimeout(tooLong);
  if (child.exitCode !== 0) throw new Error(`${generator} failed: ${complaint.trim().slice(-500)}`);
  return output;
}

/** The requests that make so many to-dos, each another. */
export function creates({ list }: Contestant, count: number): Asked[] {
  return Array.from({ length: count }, (_, index) => ({
    method: 'POST',
    path: list,
    content: JSON.stringify({ title: `rest for ${index} bars`, order: index }),
  }));
}

/** Removes all to-dos, so that the next slice of creates begins as the first did. */
export async function empty(server: Server, { list, serves }: Contestant): Promise<void> {
  if (serves === 'examples') return;
  if (serves === 'the whole') {
    const { status } = await ask(server.url, { method: 'DELETE', path: list });
    if (status !== 204) throw new Error(`DELETE ${list}: ${status}`);
  } else {
    const { body } = await ask(server.url, { method: 'GET', path: list });
    const paths = (body as { id: unknown }[]).map(({ id }) => `${list}/${id}`);
    await onEvery(paths, (path, agent) => ask(server.url, { method: 'DELETE', path }, agent));
  }
  await rest(server);
}

/** Makes so many to-dos, over several connections; gives their paths. */
export async function fill(server: Server, contestant: Contestant, count: number): Promise<string[]> {
  const paths: string[] = [];
  await onEvery(creates(contestant, count), async (asked, agent) => {
    const made = await ask(server.url, asked, agent);
    if (made.status !== 201) throw new Error(`POST ${asked.path}: ${made.status}`);
    paths.push(contestant.pathOf(made));
  });
  return paths;
}

/** Does something with every one of these, as many at once as there are connections. */
async function onEvery<T>(all: readonly T[], act: (one: T, agent: Agent) => Promise<unknown>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = all.values();
  const work = async (): Promise<void> => {
    for (const one of waiting) await act(one, agent);
  };
  try {
    await Promise.all(Array.from({ length: connections }, work));
  } finally {
    agent.destroy();
  }
}
