import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { startDesk } from '../../test/desks/fastify/desk.ts';
import { listedFaults } from '../../test/desks/faults/list.ts';
import type { Fault } from '../../test/desks/faults/mutation.ts';
import { credentials } from '../../test/desks/running.ts';
import { described, prepared } from './prepared.ts';

/**
 * Gives the same faults to Specmatic and to Dredd, with an OpenAPI description written by hand; a line of JSON for each.
 *
 *   (cd bench/testers && npm install) && node bench/testers/others.ts --out FILE [--every N] [--from N] [--with dredd]
 */

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = process.env['TESTERS_PACKAGES'] ?? join(here, 'node_modules');

/** How one tester fared: whether it blamed the desk, and its own last words on it. */
interface Line {
  readonly id: string | null;
  readonly tester: Name;
  readonly blames: boolean;
  readonly says: string;
  readonly tookMs: number;
}

const testers = { specmatic, dredd };
type Name = keyof typeof testers;

interface Given {
  readonly url: string;
  readonly folder: string;
  readonly names: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

async function specmatic({ url, folder, names }: Given): Promise<Ended> {
  const file = join(folder, 'desk.yaml');
  writeFileSync(file, described(names));
  const jar = join(packages, 'specmatic/specmatic.jar');
  const environment = { senderKey: names['SENDER'], courierKey: names['COURIER'] };
  return await run('java', ['-jar', jar, 'test', file, `--testBaseURL=${url}`], folder, environment);
}

async function dredd({ url, folder, names }: Given): Promise<Ended> {
  const description = parse(described(names)) as object;
  const file = join(folder, 'desk.json');
  const given = join(folder, 'names.json');
  const keys = { senderKey: names['SENDER'], courierKey: names['COURIER'] };
  writeFileSync(file, JSON.stringify(withOneExample(description), null, 1));
  writeFileSync(given, JSON.stringify({ description: resolved(description, description), keys }));
  const command = join(packages, '.bin/dredd');
  const hooks = join(here, 'dredd-hooks.cjs');
  return await run(command, [file, url, `--hookfiles=${hooks}`], folder, { DREDD_NAMES: given });
}

/** Dredd knows one example a place. */
function withOneExample(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOneExample);
  if (typeof value !== 'object' || value === null) return value;
  const { examples, ...rest } = value as Readonly<Record<string, unknown>>;
  const [first] = Object.values((examples ?? {}) as Readonly<Record<string, { readonly value: unknown }>>);
  const entries = Object.entries(rest).map(([key, one]) => [key, withOneExample(one)]);
  return { ...Object.fromEntries(entries), ...(first && { example: first.value }) };
}

/** With what `$ref` names in its place. */
function resolved(value: unknown, whole: object): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, whole));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { readonly $ref?: string };
  if ($ref !== undefined) {
    const found = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((so, step) => (so as Record<string, unknown>)[step], whole);
    return resolved(found, whole);
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, whole)]));
}

async function run(
  command: string,
  given: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  const child = spawn(command, given, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), 240_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, printed };
}

/** What a tester says at its end, of how many tests failed. */
function lastWords(printed: string): string {
  const lines = printed.split('\n').filter((line) => /Tests run:|complete:/.test(line));
  return (lines.at(-1) ?? printed.slice(-200)).replaceAll('\u001b', '').trim();
}

async function judge(tester: Name, fault: Fault | null): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  const desk = await startDesk({ port: 0, secrets: credentials.desk, ...(fault && { fault }) });
  const began = Date.now();
  try {
    const names = await prepared(desk.url, credentials.desk.office);
    const { code, printed } = await testers[tester]({ url: desk.url, folder, names });
    if (process.env['TESTERS_LOUD']) process.stdout.write(printed);
    const says = lastWords(printed);
    return { id: fault?.id ?? null, tester, blames: code !== 0, says, tookMs: Date.now() - began };
  } finally {
    await desk.close();
    rmSync(folder, { recursive: true });
  }
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'others.ndjson' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    with: { type: 'string', default: 'specmatic,dredd' },
  },
});
const lines = existsSync(values.out) ? readFileSync(values.out, 'utf8').split('\n').filter(Boolean) : [];
const done = new Set(
  lines.map((line) => JSON.parse(line) as Line).map(({ id, tester }) => `${tester} ${id}`),
);
const sampled = listedFaults().filter(
  (_fault, index) => index % Number(values.every) === Number(values.from),
);
for (const fault of [null, ...sampled])
  for (const tester of values.with.split(',') as Name[]) {
    if (done.has(`${tester} ${fault?.id ?? null}`)) continue;
    const line = await judge(tester, fault);
    appendFileSync(values.out, `${JSON.stringify(line)}\n`);
    process.stdout.write(
      `${line.blames ? 'blamed' : 'passed'} ${tester} ${line.tookMs} ms ${line.id}: ${line.says}\n`,
    );
  }
