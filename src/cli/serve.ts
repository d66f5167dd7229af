import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TooManySteps } from '../expression/steps.ts';
import { CannotWorkOut } from '../expression/values.ts';
import { printable } from '../report/text.ts';
import { storeSecretVariable } from '../service/access/sealed-key.ts';
import type { Handlers } from '../service/handlers/worked.ts';
import type { RequestIds } from '../service/http/request-ids.ts';
import { hostLimits } from '../service/message/host-limits.ts';
import { Unsent } from '../service/message/reply.ts';
import { type Service, type ServiceOptions, StartRefused, serve, type Tls } from '../service/service.ts';
import { FateUnknown, NotKept, NotRead, StoreRefused } from '../service/store/store.ts';
import { at } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Reader } from '../specification/read.ts';
import { durationOf } from '../specification/reading/duration.ts';
import {
  type Command,
  type ExitCode,
  type Given,
  hasErrors,
  printDiagnostics,
  readDocument,
  type Terminal,
  text,
  texts,
  UsageError,
} from './command.ts';
import { configured, secretIn } from './serve/configuration.ts';
import { consoleAt } from './serve/console.ts';
import { credentialsHelp, credentialsOf } from './serve/credentials.ts';
import { greeting } from './serve/greeting.ts';
import { boundHeapGrowth } from './serve/heap-growth.ts';
import { heldUpLog } from './serve/held-up.ts';
import { hostLimitLog, hostLimitOptions, hostLimitsHelp, hostLimitsOf } from './serve/host-limits.ts';
import type { Metrics } from './serve/metrics.ts';
import { clockOfTester } from './serve/moved-clock.ts';
import { operationsAt, type Told } from './serve/operations.ts';
import { passingService } from './serve/passing-service.ts';
import { explained, jsonLog } from './serve/request-log.ts';
import { summing } from './serve/summing.ts';
import type { About as AboutTelemetry, Telemetry } from './serve/telemetry.ts';
import { workersOf } from './serve/workers/asked.ts';
import { type Seat, seatIn, take } from './serve/workers/seat.ts';

/** How a service is run, whichever command runs it. */
export const serveOptions = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  store: { type: 'string' },
  url: { type: 'string' },
  after: { type: 'string', multiple: true },
  assume: { type: 'string' },
  'no-guesses': { type: 'boolean' },
  limits: { type: 'string' },
  handlers: { type: 'string' },
  deliver: { type: 'string', multiple: true },
  'allow-private': { type: 'string', multiple: true },
  'trusted-proxy': { type: 'string', multiple: true },
  credentials: { type: 'string' },
  'expose-unauthenticated': { type: 'boolean' },
  grace: { type: 'string' },
  log: { type: 'string' },
  explain: { type: 'boolean' },
  ...hostLimitOptions,
} as const;

/** What `tacet serve` takes besides, where operators run it. */
const ownOptions = {
  ...serveOptions,
  ops: { type: 'string' },
  console: { type: 'string' },
  'tls-key': { type: 'string' },
  'tls-cert': { type: 'string' },
  otlp: { type: 'string' },
  workers: { type: 'string' },
  config: { type: 'string' },
} as const;

const ownHelp = `  --ops HOST:PORT   answers /live, /ready and /metrics (Prometheus) on an address of their own
  --console HOST:PORT
                    prints the address of a page on which you see the requests, the data and the
                    events of the service; for this machine alone (docs/console.md)
  --tls-key FILE, --tls-cert FILE
                    the private key and the certificate for HTTPS (PEM, those that vouch for it
                    behind); read again when they change, or on SIGHUP (docs/tls.md)
  --otlp URL        a collector of OpenTelemetry that traces and logs go to, by OTLP over HTTP, as
                    http://127.0.0.1:4318 (default OTEL_EXPORTER_OTLP_ENDPOINT; docs/telemetry.md)
  --workers N       so many processes on one port: on PostgreSQL equal ones; on SQLite one that
                    writes, and others that read (default 1; docs/workers.md)
  --config FILE     all these options in a file (YAML): "port: 8080"; each may also stand in the
                    environment, as TACET_PORT or TACET_MAX_BODY; the command line goes first

`;

/** What the options of a service are for, as the help shows them. */
export const serveHelp = `  --port N          the port to listen on; 0: one that is free (default 8080)
  --host HOST       the address to listen on (default 127.0.0.1)
  --data FILE       the SQLite file (default .tacet/NAME.sqlite, by the document's name)
  --store URL       a database of PostgreSQL's in place of the file: postgres://USER@HOST/DATABASE,
                    with ?schema=NAME for another schema than public; the password in PGPASSWORD
  --limits URL      where requests are counted, for all processes that name the same:
                    redis://HOST, or an address as of --store (default: there, else: process)
  --url URL         the address at which others reach the service (default: where it listens)
  --after R.MOVE=DURATION
                    how long after entry a transition happens that waits for the operator's word
  --assume LEDGER   answers to open points, taken for the time being (JSON)
  --handlers FILE   a module of JavaScript or TypeScript whose exports are the functions that
                    stand as { handled: NAME }
  --deliver NAME=URL
                    where a delivery of events goes of which that is the operator's to say, to a
                    broker nats://HOST; what signs it, or its token, is in TACET_SECRET_NAME
  --allow-private RANGE
                    addresses of your own network that webhooks may be sent to: 127.0.0.1,
                    10.0.0.0/8; all others of it are refused
  --trusted-proxy RANGE
                    addresses of proxies before the service, which tell whom a request comes from
                    by Forwarded or X-Forwarded-For; of all others these fields say nothing
${credentialsHelp}  TACET_SECRET_STORE (in the environment)
                    encrypts the key in the store that signs credentials; at random, 22 characters
                    or more; while it is changed, the new one, a space, and the old one
  --grace DURATION  how long what is under way may go on once the process is asked to end
                    (default PT10S)
  --log json        a line a request on standard output: what it came to, and the statements
                    that took part, by their addresses; nothing that it brought but its path
  --explain         the same for people, with the places of the statements
  --expose-unauthenticated
                    listen beyond loopback although it is open who may ask

${hostLimitsHelp}`;

/** `tacet serve`: runs the service that a document states. */
export const command: Command = {
  name: 'serve',
  summary: 'run the service that a document states',
  help: `usage: tacet serve DOCUMENT [--port N] [--host HOST] [--data FILE | --store URL]
                            [--url URL] [--assume LEDGER] [--handlers FILE]

Runs the service that a specification states, durable on SQLite or PostgreSQL, and nothing
more. What is open is answered 501, and the log says which points it takes, with file and line;
the next time, that it is as above.

${ownHelp}${serveHelp}
Ends on SIGINT or SIGTERM: nothing new begins, and what is under way (requests, deliveries,
functions) goes on while the grace period lasts. What is cut off by then is taken up again
at the next start. The same fault is logged once, and then counted every ten seconds.
exit code: 0 ended as asked, 1 the document has errors, 2 wrong use, or it could not start
`,
  options: ownOptions,
  run: async (line, caller) => {
    const asked = configured(line, ownOptions, caller.environment);
    const reader = readDocument(asked);
    const { specification: document, diagnostics } = reader;
    const seat = seatIn(caller.environment);
    // The process above has told of them.
    if (seat === null) printDiagnostics(diagnostics, caller);
    if (hasErrors(diagnostics)) return 1;
    const passing = passingService(asked, reader, caller);
    const { given, terminal } = passing;
    const isPassing = given !== asked;
    const workers = seat ? 1 : workersOf(given, { environment: terminal.environment, isPassing });
    const handlers = await handlersOf(given);
    const specification = withHandlers(document, handlers);
    const own = { ...optionsOf(given, specification, terminal), handlers };
    const tls = seat ? null : await tlsOf(given, terminal);
    const endpoint = endpointOf(given, terminal.environment);
    const scheme = tls || seat?.isSecure ? 'https' : 'http';
    const telemetry =
      endpoint && workers === 1
        ? await loadTelemetry({ specification, endpoint, scheme }, terminal, given)
        : null;
    const options = telemetry ? { ...heardBy(own, telemetry), makesTraces: true } : own;
    const job: Job = { given, reader, specification, options, terminal, lines: passing.lines, tls };
    const code = await served(job, seat, workers).finally(async () => {
      await telemetry?.close();
      tls?.end();
      passing.close();
    });
    terminal.leave?.(code);
    return code;
  },
};

/** What is to be served, and how. */
interface Job {
  readonly given: Given;
  readonly reader: Reader;
  readonly specification: Specification;
  readonly options: ServiceOptions & { readonly data: string };
  readonly terminal: Terminal;
  /** What is told besides. */
  readonly lines: readonly string[];
  readonly tls: FollowedTls | null;
}

async function served(job: Job, seat: Seat | null, workers: number): Promise<ExitCode> {
  if (seat !== null) return serveSeated(job, seat);
  return workers > 1 ? serveWith(workers, job) : serveAlone(job);
}

/** Serves in this process. */
async function serveAlone({
  given,
  reader,
  specification,
  options,
  terminal,
  lines,
  tls,
}: Job): Promise<ExitCode> {
  const moved = clockOfTester(terminal.environment, process);
  const timed = { ...options, ...moved?.clock.options, ...(tls && { tls }) };
  let running: Service | null = null;
  const ops = text(given, 'ops');
  const metrics = ops === undefined ? null : await loadMetrics(specification);
  const operations =
    ops && metrics
      ? await operationsAt(
          ops,
          toldOf(metrics, () => running),
        )
      : null;
  const place = text(given, 'console');
  const about = { given, reader, specification, options: timed, terminal, onFault: options.onFault };
  const failed = async (error: unknown): Promise<never> => {
    await operations?.close();
    throw error;
  };
  const page = place === undefined ? null : await consoleAt(place, about).catch(failed);
  const paged = page ? { ...heardBy(timed, page), tellsItems: true } : timed;
  const service = await start(specification, metrics ? heardBy(paged, metrics) : paged).catch(
    async (error: unknown) => {
      await page?.close();
      return failed(error);
    },
  );
  running = service;
  page?.serves(service);
  const tester = moved?.heed(service);
  const console = page ? [`console    ${page.address}\n`] : [];
  greet(given, terminal, [
    greeting(specification, service, options.data, terminal, operations?.address),
    ...lines,
    ...console,
  ]);
  await Promise.race([ended(terminal.ended), ...(tester ? [tester.left] : [])]);
  await service.close();
  await operations?.close();
  await page?.close();
  tester?.leave();
  return 0;
}

/** Serves with several processes, and watches over them. */
async function serveWith(
  count: number,
  { given, specification, options, terminal, lines, tls }: Job,
): Promise<ExitCode> {
  // Loaded only where it is asked for.
  const { supervised } = await import('./serve/workers/supervised.ts');
  const { TACET_CREDENTIALS } = terminal.environment;
  return supervised({
    count,
    options,
    ops: text(given, 'ops'),
    environment: TACET_CREDENTIALS === undefined ? {} : { TACET_CREDENTIALS },
    terminal,
    tls,
    greet: (started, operations, note) =>
      greet(given, terminal, [
        greeting(specification, started, options.data, terminal, operations, note),
        ...lines,
      ]),
    ended: ended(terminal.ended),
  });
}

/** Serves as one of several processes. What there is to tell, the process above tells. */
async function serveSeated({ specification, options }: Job, seat: Seat): Promise<ExitCode> {
  const seated = take(seat);
  const metrics = seat.hasMetrics ? await loadMetrics(specification) : null;
  const { sharing } = seated;
  const tls = seat.isSecure ? await seated.secured : null;
  const own = { ...options, port: seat.port, ...(sharing && { sharing }), ...(tls && { tls }) };
  const service = await start(specification, metrics ? heardBy(own, metrics) : own).catch(
    (error: unknown) => {
      seated.leave();
      throw error;
    },
  );
  seated.started(service, metrics);
  await seated.ended;
  await service.close();
  return 0;
}

/** Keys and certificates of files that are followed. */
interface FollowedTls extends Tls {
  readonly end: () => void;
}

/** The key and certificate of `--tls-key` and `--tls-cert`. Throws {@link UsageError} where they cannot be used. */
async function tlsOf(given: Given, terminal: Terminal): Promise<FollowedTls | null> {
  const [key, cert] = [text(given, 'tls-key'), text(given, 'tls-cert')];
  if (key === undefined && cert === undefined) return null;
  if (key === undefined || cert === undefined)
    throw new UsageError('--tls-key and --tls-cert go together; name both files');
  // Loaded only where it is asked for.
  const { followPair, readPair } = await import('./serve/tls.ts');
  const files = { key, cert };
  const pair = readPair(files);
  let end = (): void => {};
  const renewed: Tls['renewed'] = (use) => {
    end = followPair(files, pair, { print: terminal.error, use });
  };
  return { pair, renewed, end: () => end() };
}

/** Loaded only where it is asked for. */
async function loadTelemetry(
  about: Pick<AboutTelemetry, 'specification' | 'endpoint' | 'scheme'>,
  terminal: Terminal,
  given: Given,
): Promise<Telemetry> {
  const { telemetryOf } = await import('./serve/telemetry.ts');
  const print = summing(terminal.error);
  return telemetryOf({ ...about, logsRequests: text(given, 'log') !== undefined, told, print });
}

/** Where OTLP goes, by `--otlp` or the variable of OpenTelemetry's; null: nowhere. Throws {@link UsageError}. */
function endpointOf(given: Given, environment: Terminal['environment']): string | null {
  const written = text(given, 'otlp') ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (written === '' || environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return null;
  if (URL.canParse(written) && /^https?:$/.test(new URL(written).protocol)) return written;
  throw new UsageError(`${written} is no address of a collector: --otlp http://HOST:4318 is wanted`);
}

/** Loaded only where it is asked for. */
async function loadMetrics(specification: Specification): Promise<Metrics> {
  return (await import('./serve/metrics.ts')).metricsOf(specification);
}

/** What the address for operators tells of a service, once there is one. */
function toldOf({ contentType, text }: Metrics, running: () => Service | null): Told {
  return {
    dead: async () => null,
    unready: async () => running()?.unready() ?? 'it starts',
    metrics: { contentType, text: () => text(running()) },
  };
}

/** Tells that it runs. Lines for machines stand alone. */
function greet(given: Given, terminal: Terminal, lines: readonly string[]): void {
  if (text(given, 'log') === undefined) terminal.out(lines.join(''));
  else terminal.error(lines.join(''));
}

type Hearing = Pick<ServiceOptions, 'onAnswered' | 'onHostLimit' | 'onFault'>;

/** The same options, by which the metrics or the console hear as well what the log hears. */
function heardBy(options: ServiceOptions, { hears }: { readonly hears: Hearing }): ServiceOptions {
  return {
    ...options,
    onAnswered: (answered, ids) => {
      hears.onAnswered?.(answered, ids);
      options.onAnswered?.(answered, ids);
    },
    onHostLimit: (limit) => {
      hears.onHostLimit?.(limit);
      options.onHostLimit?.(limit);
    },
    onFault: (fault, ids) => {
      hears.onFault?.(fault, ids);
      options.onFault?.(fault, ids);
    },
  };
}

/** What the service is started with. Throws {@link UsageError} where an option is none. */
export function optionsOf(
  given: Given,
  specification: Specification,
  terminal: Terminal,
): ServiceOptions & { data: string } {
  const host = text(given, 'host');
  const url = text(given, 'url');
  const counter = text(given, 'limits');
  const limits = hostLimitsOf(given);
  const log = summing(terminal.error);
  return {
    port: portOf(text(given, 'port') ?? '8080'),
    data: placeOf(given, specification),
    ...(host !== undefined && { host }),
    ...(counter !== undefined && { counter }),
    ...(url !== undefined && { url: urlOf(url) }),
    after: pairsOf(texts(given, 'after'), '--after R.MOVE=DURATION'),
    deliver: pairsOf(texts(given, 'deliver'), '--deliver NAME=URL'),
    secrets: secretsIn(terminal.environment),
    storeSecrets: storeSecretsIn(terminal.environment),
    credentials: credentialsOf(given, terminal),
    allowPrivate: texts(given, 'allow-private'),
    trustedProxies: texts(given, 'trusted-proxy'),
    exposeUnauthenticated: given.values['expose-unauthenticated'] === true,
    limits,
    onHostLimit: hostLimitLog({ ...hostLimits, ...limits }, terminal.error, terminal.now ?? Date.now),
    ...logOf(given, specification, terminal),
    graceMs: graceOf(text(given, 'grace')),
    onFault: (fault, ids) => log(told(fault), noteOf(ids)),
    onRefused: ({ method, url }, reason) =>
      log(`400 ${printable(`${method} ${url.split('?')[0]}`)}: ${printable(reason)}`),
  };
}

/** Who hears of requests: `--log` and `--explain` tell of those that were answered 501 as well. */
function logOf(
  given: Given,
  specification: Specification,
  terminal: Terminal,
): Pick<ServiceOptions, 'onHeldUp' | 'onAnswered'> {
  const log = text(given, 'log');
  if (log !== undefined && log !== 'json') throw new UsageError(`--log is json, and not ${log}`);
  if (log !== undefined) return { onAnswered: jsonLog(terminal.out, () => new Date()) };
  const onHeldUp = heldUpLog(specification, terminal.error);
  return given.values['explain'] === true
    ? { onHeldUp, onAnswered: explained(specification, terminal.out) }
    : { onHeldUp };
}

/** By what the request of a fault is found in other logs. */
function noteOf(ids: RequestIds | undefined): string {
  if (ids === undefined) return '';
  return ` (request ${ids.request}${ids.trace === null ? '' : `, trace ${ids.trace}`})`;
}

/** An expression that cannot be evaluated, with its place and the reason. */
function unevaluated({ expression, message }: CannotWorkOut | TooManySteps): string {
  if (expression === undefined) return message;
  const place = expression.at === undefined ? '' : `${at(expression.at)}: `;
  return `${place}\${${printable(expression.text)}} cannot be evaluated: ${message}`;
}

/** A fault as one who runs the service can use it: what is wrong with the file, or where the code is at fault. */
export function told(fault: unknown): string {
  if (fault instanceof NotKept || fault instanceof NotRead || fault instanceof FateUnknown)
    return ['store', fault.message, ...(fault.cause instanceof Error ? [fault.cause.message] : [])].join(
      ': ',
    );
  if (fault instanceof CannotWorkOut || fault instanceof TooManySteps)
    return `internal: ${unevaluated(fault)}`;
  if (fault instanceof Unsent) return `${fault.message}: ${unevaluated(fault.cause as CannotWorkOut)}`;
  return `internal: ${(fault as Error).stack ?? String(fault)}`;
}

/** The functions that the module of `--handlers` exports. Throws {@link UsageError} where it is none. */
export async function handlersOf(given: Given): Promise<Handlers> {
  const file = text(given, 'handlers');
  if (file === undefined) return {};
  try {
    const module = (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
    const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
    return Object.fromEntries(functions) as Handlers;
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${(error as Error).message}`);
  }
}

/** What a document states, beside the functions that are given: those that are not are open (language §I). */
export function withHandlers(document: Specification, handlers: Handlers): Specification {
  return { ...document, handlers: new Set(Object.keys(handlers)) };
}

/** Where the items of a document's service are kept. */
export function placeOf(given: Given, specification: Specification): string {
  return storeOf(given) ?? `.tacet/${fileName(specification)}.sqlite`;
}

/** Where items are kept, as `--data` or `--store` names it. */
function storeOf(given: Given): string | undefined {
  const [file, store] = [text(given, 'data'), text(given, 'store')];
  if (store === undefined) return file;
  if (file !== undefined) throw new UsageError('--data and --store name two stores; name one');
  const place = storeNamed(store);
  if (place !== store || /^postgres(ql)?:/.test(store)) return place;
  throw new UsageError('--store is postgres://USER@HOST/DATABASE, or sqlite:FILE');
}

/** A store by its address, in which a file may stand as it is. */
export function storeNamed(address: string): string {
  return address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : address;
}

function portOf(written: string): number {
  const port = Number(written);
  if (/^\d+$/.test(written) && port <= 65535) return port;
  throw new UsageError(`${written} is no port: a number from 0 to 65535 is wanted`);
}

/** The grace period, in milliseconds: a little less, so that the process has ended when it is over. */
function graceOf(written: string | undefined): number {
  const span = durationOf(written ?? 'PT10S');
  if (span === undefined || span.months > 0)
    throw new UsageError(`${written} is no duration; write --grace PT10S, or PT1M`);
  return Math.max(0, span.rest - Math.min(500, span.rest / 10));
}

/** Options of the form `NAME=VALUE`, any number of times. */
function pairsOf(written: readonly string[], form: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    written.map((one) => {
      const equals = one.indexOf('=');
      if (equals === -1) throw new UsageError(`${one} is not ${form}`);
      return [one.slice(0, equals), one.slice(equals + 1)];
    }),
  );
}

/** What signs deliveries, by their names: the environment's, since others can read the options of a process. */
export function secretsIn(environment: Terminal['environment']): Readonly<Record<string, string>> {
  const prefix = 'TACET_SECRET_';
  const variables = Object.keys(environment).filter((name) => name.startsWith(prefix));
  return Object.fromEntries(
    [...new Set(variables.map((name) => name.replace(/_FILE$/, '')))].flatMap((variable) => {
      const secret = secretIn(environment, variable);
      return secret === undefined ? [] : [[variable.slice(prefix.length), secret] as const];
    }),
  );
}

/** What the key is encrypted under that signs credentials: the current secret first, others after spaces. */
function storeSecretsIn(environment: Terminal['environment']): string[] {
  return (secretIn(environment, storeSecretVariable) ?? '').split(/\s+/).filter((one) => one !== '');
}

function urlOf(written: string): string {
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol))
    throw new UsageError(`${written} is no address: https://HOST/PATH is wanted`);
  return written.replace(/\/+$/, '');
}

/** The document's own name, without its folder and ending. */
function fileName(specification: Specification): string {
  const base = basename(resolve(specification.file));
  return base.replace(/\.[^.]+$/, '') || 'service';
}

/** Starts the service. Throws {@link UsageError} where it cannot start, with what to do. */
export async function start(specification: Specification, options: ServiceOptions): Promise<Service> {
  boundHeapGrowth();
  try {
    return await serve(specification, options);
  } catch (error) {
    if (error instanceof StartRefused || error instanceof StoreRefused) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    const where = `${options.host ?? '127.0.0.1'}:${options.port}`;
    if (code === 'EADDRINUSE') throw new UsageError(`${where} is in use; name another with --port`);
    if (code === 'EACCES')
      throw new UsageError(`${where} is not for this user; name a port from 1024 with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`${where} is no address of this machine`);
    throw error;
  }
}

/** Resolves when the process is asked to end. */
export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
