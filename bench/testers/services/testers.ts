import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { exampleRequests, withOwnParameters } from './description.ts';
import { type Service, start } from './service.ts';

/** What a tester said of a service that ran. */
export interface Verdict {
  /** The kinds of failures, in words that two runs have in common; `null` if it came to no verdict. */
  readonly failures: readonly string[] | null;
  /** Those that fail the run only by an option. */
  readonly optional: readonly string[];
}

export interface Given {
  readonly service: Service;
  readonly url: string;
  /** A folder of the tester's own for this service. */
  readonly folder: string;
  /** Where the peers are installed. */
  readonly packages: string;
  /** Whether tacet sends few requests, and searches for none. */
  readonly isQuick: boolean;
  /** How long tacet searches, as it takes it; undefined: as long as it does. */
  readonly search: string | undefined;
}

/** How long a run may take at most. */
const limitMs = 300_000;

/** The packages of the peers, by the names of the testers. */
export const peers = {
  dredd: 'dredd@14.1.0',
  stepci: 'stepci@2.8.2',
  specmatic: 'specmatic@2.55.1',
} as const;

export const testers = { tacet, dredd, stepci, specmatic };
export type TesterName = keyof typeof testers;

const here = fileURLToPath(new URL('.', import.meta.url));
const command = fileURLToPath(new URL('../../../bin/tacet.js', import.meta.url));

async function tacet({ service, url, folder, isQuick, search }: Given): Promise<Verdict> {
  const report = join(folder, 'report.json');
  const words = ['test', service.file, '--url', url, '--assumed', 'fails', '--report', `json=${report}`];
  if (isQuick) words.push('--search', 'PT0S', '--walks', '120');
  else if (search !== undefined) words.push('--search', search);
  const environment = { TACET_CREDENTIALS: JSON.stringify(service.credentials) };
  const { code } = await run(process.execPath, [command, ...words], folder, environment);
  if (code !== 0 && code !== 1) return { failures: null, optional: [] };
  const { causes } = JSON.parse(readFileSync(report, 'utf8')) as { readonly causes: readonly Cause[] };
  const said = (isAssumed: boolean): string[] =>
    distinct(causes.filter(({ assumed }) => assumed === isAssumed).map(kind));
  return { failures: said(false), optional: code === 0 ? [] : said(true) };
}

interface Cause {
  readonly statement: { readonly address: string };
  readonly operations: readonly string[];
  readonly check: string;
  readonly place?: string;
  readonly expected: string;
  readonly found: string;
  readonly assumed: boolean;
}

function kind({ statement, operations, check, place = '', expected, found }: Cause): string {
  const statuses = expected.startsWith('status') ? `: ${found}, not ${expected}` : '';
  return `${operations[0]} ${statement.address} ${check} ${place}${statuses}`;
}

async function dredd({ service, url, folder, packages }: Given): Promise<Verdict> {
  const words = [service.file, url, '--sorted', '--no-color', `--hookfiles=${join(here, 'dredd-hooks.cjs')}`];
  const environment = { DREDD_HEADERS: JSON.stringify(service.headers) };
  const { code, printed } = await run(join(packages, '.bin/dredd'), words, folder, environment);
  const [, details = ''] = printed.split('Displaying failed tests...');
  const failures = [...details.matchAll(/^fail: (.*) duration: \d+ms\nfail: ([\s\S]*?)\n\nrequest:/gm)];
  return verdict(
    code,
    failures.map(([, name, says]) => `${name}: ${says?.replaceAll(/\s+/g, ' ')}`),
  );
}

async function stepci({ service, url, folder, packages }: Given): Promise<Verdict> {
  const step = join(packages, '.bin/stepci');
  const environment = { STEPCI_DISABLE_ANALYTICS: '1' };
  const [api, workflow] = [join(folder, 'api.yaml'), join(folder, 'workflow.yml')];
  if (!existsSync(workflow)) {
    writeFileSync(api, stringify(withOwnParameters(service.description), { aliasDuplicateObjects: false }));
    await run(step, ['generate', api, workflow], folder, environment);
  }
  const { config, tests, ...rest } = parse(readFileSync(workflow, 'utf8'));
  const [{ steps }] = Object.values(tests) as [{ readonly steps: readonly StepOfWorkflow[] }];
  const own = steps.map(({ http, ...step }) => ({
    ...step,
    http: { ...http, headers: { ...http.headers, ...service.headers } },
  }));
  const inOrder = own.sort((a, b) => Number(a.http.method === 'DELETE') - Number(b.http.method === 'DELETE'));
  const ready = join(folder, 'ready.yml');
  const settings = { ...config, continueOnFail: true, http: { baseURL: url } };
  writeFileSync(ready, stringify({ ...rest, config: settings, tests: { all: { steps: inOrder } } }));
  const { code, printed } = await run(step, ['run', ready], folder, environment);
  return verdict(code, stepFailures(printed));
}

interface StepOfWorkflow {
  readonly http: { readonly method: string; readonly url: string; readonly headers?: object };
}

/** The report of a step that failed has its request, and each check that failed with what was expected and given. */
function stepFailures(printed: string): string[] {
  const blocks = printed.split(/^● .+ › .+$/m).slice(1);
  return blocks.map((block) => {
    const [, method, path] = /^(\w+) http:\/\/[^/]+([^\s?]*)/m.exec(block) ?? [];
    const status = /^✕ Status\s+Expected\s+(\S+)\s+Given\s+(\S+)/m.exec(block);
    const name = `${method} ${path}`;
    if (status !== null) return `${name}: ${status[2]}, not ${status[1]}`;
    return `${name}: ${[...block.matchAll(/^✕ (.+)$/gm)].map(([, check]) => check).join(', ')}`;
  });
}

/** These make a run of Java that lasts for seconds several times as fast. */
const forShortRuns = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

async function specmatic({ service, url, folder, packages }: Given): Promise<Verdict> {
  const [api, examples] = [join(folder, 'api.yaml'), join(folder, 'examples')];
  if (!existsSync(api)) {
    writeFileSync(api, stringify(withOwnParameters(service.description), { aliasDuplicateObjects: false }));
    await recordExamples(service, examples);
  }
  const jar = join(packages, 'specmatic/specmatic.jar');
  const words = ['test', api, `--testBaseURL=${url}`, `--examples=${examples}`, '--junitReportDir=junit'];
  const [[scheme, secrets] = ['none', {}]] = Object.entries(service.credentials);
  const environment = { SPECMATIC_GENERATIVE_TESTS: 'true', [scheme]: Object.values(secrets)[0] };
  const { code, printed } = await run('java', [...forShortRuns, '-jar', jar, ...words], folder, environment);
  const failures = [
    ...printed.matchAll(/^ {2}"([+-]ve .*) FAILED"\n([\s\S]*?)(?=^ {2}"[+-]ve|^Tests run)/gm),
  ];
  const kinds = failures.map(([, name = '', says = '']) => {
    const reasons = [...says.matchAll(/^\s*(>> .*|Specification expected .*)$/gm)].map(([, reason]) =>
      reason?.trim(),
    );
    return `${name.replace(/ with (a|the) request.*| \[.*| \| .*/, '')}: ${distinct(reasons).join(' ')}`;
  });
  return verdict(/^Tests run/m.test(printed) ? code : null, kinds);
}

/** An example for each operation, as Specmatic wants them: a request of the description, and how the right service answers. */
async function recordExamples(service: Service, folder: string): Promise<void> {
  mkdirSync(folder);
  const running = await start(service, null);
  for (const [place, { method, path, headers, body, answerHeaders }] of exampleRequests(
    service.description,
  ).entries()) {
    const request = { method, headers: { ...headers, ...service.headers } };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(running.url + path, { ...request, ...payload });
    const text = await answer.text();
    if (!answer.ok) continue;
    const given = answerHeaders(answer.status).map((name) => [name, answer.headers.get(name)]);
    const http = {
      'http-request': { method, path, headers, ...(body === undefined ? {} : { body }) },
      'http-response': {
        status: answer.status,
        headers: Object.fromEntries(given),
        ...(text === '' ? {} : { body: JSON.parse(text) }),
      },
    };
    writeFileSync(join(folder, `${place}.json`), JSON.stringify(http, null, 1));
  }
  running.end();
}

/** A run that was cut short, or that fails without a failure that is understood, comes to no verdict. */
function verdict(code: number | null, failures: readonly (string | undefined)[]): Verdict {
  const kinds = distinct(failures.filter((failure) => failure !== undefined));
  const isUnderstood = code !== null && (code === 0) === (kinds.length === 0);
  return { failures: isUnderstood ? kinds : null, optional: [] };
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

/** Runs a command, for `limitMs` at most; then its `code` is null. */
async function run(
  file: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  const env = { ...process.env, ...environment, NO_COLOR: '1' };
  const child = spawn(file, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => printed.push(piece));
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  return { code, printed: printed.join('') };
}
