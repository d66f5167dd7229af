import type { Service, ServiceOptions, Tls } from '../../service/service.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Reader } from '../../specification/read.ts';
import { type ExitCode, type Given, type Terminal, text, UsageError } from '../command.ts';
import { consoleAt } from './console.ts';
import { told } from './faults.ts';
import { greeting } from './greeting.ts';
import type { Metrics } from './metrics.ts';
import { clockOfTester } from './moved-clock.ts';
import { operationsAt, type Told } from './operations.ts';
import { ended, start } from './start.ts';
import { summing } from './summing.ts';
import type { About as AboutTelemetry, Telemetry } from './telemetry.ts';
import { digestOf } from './workers/digest.ts';
import { type Seat, take } from './workers/seat.ts';

/** What is to be served, and how. */
export interface Job {
  readonly given: Given;
  readonly reader: Reader;
  readonly specification: Specification;
  readonly options: ServiceOptions & { readonly data: string };
  readonly terminal: Terminal;
  /** What is told besides. */
  readonly lines: readonly string[];
  readonly tls: FollowedTls | null;
}

type Hearing = Pick<ServiceOptions, 'onAnswered' | 'onHostLimit' | 'onFault' | 'onRead' | 'onReplica'>;

/** The same options, by which the metrics or the console hear as well what the log hears. */
export function heardBy(options: ServiceOptions, { hears }: { readonly hears: Hearing }): ServiceOptions {
  return {
    ...options,
    onAnswered: (answered, ids, received) => {
      hears.onAnswered?.(answered, ids, received);
      options.onAnswered?.(answered, ids, received);
    },
    onHostLimit: (limit) => {
      hears.onHostLimit?.(limit);
      options.onHostLimit?.(limit);
    },
    onFault: (fault, ids) => {
      hears.onFault?.(fault, ids);
      options.onFault?.(fault, ids);
    },
    onRead: (by) => {
      hears.onRead?.(by);
      options.onRead?.(by);
    },
    onReplica: (why) => {
      hears.onReplica?.(why);
      options.onReplica?.(why);
    },
  };
}

export async function served(job: Job, seat: Seat | null, workers: number): Promise<ExitCode> {
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
  const metrics = ops === undefined ? null : await loadMetrics(specification, options);
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
  { given, reader, specification, options, terminal, lines, tls }: Job,
): Promise<ExitCode> {
  // Loaded only where it is asked for.
  const { supervised } = await import('./workers/supervised.ts');
  const { TACET_CREDENTIALS } = terminal.environment;
  return supervised({
    count,
    digest: digestOf(reader),
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
  const metrics = seat.hasMetrics ? await loadMetrics(specification, options) : null;
  const { sharing } = seated;
  const tls = seat.isSecure ? await seated.secured : null;
  const own = { ...options, port: seat.port, ...(sharing && { sharing }), ...(tls && { tls }) };
  const service = await start(specification, metrics ? heardBy(own, metrics) : own);
  seated.started(service, metrics);
  await seated.ended;
  await service.close();
  return 0;
}

/** Keys and certificates of files that are followed. */
export interface FollowedTls extends Tls {
  readonly end: () => void;
}

/** The key and certificate of `--tls-key` and `--tls-cert`. Throws {@link UsageError} where they cannot be used. */
export async function tlsOf(given: Given, terminal: Terminal): Promise<FollowedTls | null> {
  const [key, cert] = [text(given, 'tls-key'), text(given, 'tls-cert')];
  if (key === undefined && cert === undefined) return null;
  if (key === undefined || cert === undefined)
    throw new UsageError('--tls-key and --tls-cert go together; name both files');
  // Loaded only where it is asked for.
  const { followPair, readPair } = await import('./tls.ts');
  const files = { key, cert };
  const pair = readPair(files);
  let end = (): void => {};
  const renewed: Tls['renewed'] = (use) => {
    end = followPair(files, pair, { print: terminal.error, use });
  };
  return { pair, renewed, end: () => end() };
}

/** Loaded only where it is asked for. */
export async function loadTelemetry(
  about: Pick<AboutTelemetry, 'specification' | 'endpoint' | 'scheme'>,
  terminal: Terminal,
  given: Given,
): Promise<Telemetry> {
  const { telemetryOf } = await import('./telemetry.ts');
  const print = summing(terminal.error);
  return telemetryOf({ ...about, logsRequests: text(given, 'log') !== undefined, told, print });
}

/** Where OTLP goes, by `--otlp` or the variable of OpenTelemetry's; null: nowhere. Throws {@link UsageError}. */
export function endpointOf(given: Given, environment: Terminal['environment']): string | null {
  const written = text(given, 'otlp') ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (written === '' || environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return null;
  if (URL.canParse(written) && /^https?:$/.test(new URL(written).protocol)) return written;
  throw new UsageError(`${written} is no address of a collector: --otlp http://HOST:4318 is wanted`);
}

/** Loaded only where it is asked for. */
async function loadMetrics(specification: Specification, { readStore }: ServiceOptions): Promise<Metrics> {
  return (await import('./metrics.ts')).metricsOf(specification, readStore !== undefined);
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
