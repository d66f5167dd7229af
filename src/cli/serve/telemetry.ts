import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SeverityNumber,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { version } from '../../load/version.ts';
import type { Answered } from '../../service/answered.ts';
import type { RequestIds } from '../../service/http/request-ids.ts';
import type { ServiceOptions } from '../../service/service.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { knownMethods, routesOf } from './routes.ts';

/** What is sent of a service to a collector of OpenTelemetry. */
export interface Telemetry {
  readonly hears: Required<Pick<ServiceOptions, 'onAnswered' | 'onHostLimit' | 'onFault'>>;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** What is to be told of, and how. */
export interface About {
  readonly specification: Specification;
  /** Where the collector takes OTLP over HTTP: `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly scheme: 'http' | 'https';
  /** Whether requests are logged, besides faults and host limits. */
  readonly logsRequests: boolean;
  /** How a fault is told. */
  readonly told: (fault: unknown) => string;
  /** Told what could not be sent. */
  readonly print: (message: string) => void;
}

/** How long it may take at the end to send what is left, in milliseconds. */
const lastMs = 2000;

/**
 * A span for each request, by OpenTelemetry's semantic conventions for HTTP, and log records. They hold names of the
 * document, the path, and nothing else that a request brought.
 */
export function telemetryOf(about: About): Telemetry {
  const { logsRequests, told, print } = about;
  diag.setLogger(toldBy(print), { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const ids = idGeneratorOfRequests();
  const { traces, logs } = providersFor(about, ids);
  const tracer = traces.getTracer('tacet', version());
  const logger = logs.getLogger('tacet', version());
  const attributes = attributesOf(about);
  return {
    hears: {
      onAnswered: (answered, request) => {
        const { name, of } = attributes(answered);
        const end = Date.now();
        ids.next(request);
        const span = tracer.startSpan(
          name,
          { kind: SpanKind.SERVER, startTime: end - answered.tookMs, attributes: of },
          parentOf(request),
        );
        if (isFailure(answered.status)) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(end);
        if (!logsRequests) return;
        logger.emit({
          severityNumber: isFailure(answered.status) ? SeverityNumber.ERROR : SeverityNumber.INFO,
          body: `${answered.status ?? 'closed'} ${name}`,
          attributes: { ...of, 'request.id': request.request, statements: [...answered.statements] },
          context: trace.setSpanContext(ROOT_CONTEXT, span.spanContext()),
        });
      },
      onHostLimit: (limit) =>
        logger.emit({ severityNumber: SeverityNumber.WARN, body: 'host limit', attributes: { limit } }),
      onFault: (fault, request) =>
        logger.emit({
          severityNumber: SeverityNumber.ERROR,
          body: told(fault),
          ...(request && { attributes: { 'request.id': request.request }, context: ids.spanOf(request) }),
        }),
    },
    close: async () => {
      const late = new Promise<void>((resolve) => void setTimeout(resolve, lastMs).unref());
      const ends = [traces, logs].map((one) =>
        one.shutdown().catch((error: unknown) => print(troubleOf(error))),
      );
      await Promise.race([Promise.all(ends), late]);
      diag.disable();
    },
  };
}

/** What sends traces and logs to the collector. */
function providersFor(
  { specification, endpoint }: About,
  idGenerator: ReturnType<typeof idGeneratorOfRequests>,
) {
  const to = (signal: string) => ({ url: `${endpoint.replace(/\/$/, '')}/v1/${signal}` });
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': specification.name || 'tacet',
        'service.instance.id': randomBytes(8).toString('hex'),
        'process.pid': process.pid,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const traces = new TracerProvider({
    resource,
    idGenerator,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('traces')) })],
  });
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(to('logs')) })],
  });
  return { traces, logs };
}

const isFailure = (status: number | null): boolean => status === null || status >= 500;

/** Names and attributes of spans (OpenTelemetry, semantic conventions for HTTP spans). */
function attributesOf({ specification, scheme }: About) {
  const routes = routesOf(specification);
  return ({ method, path, operation, condition, status }: Answered): { name: string; of: Attributes } => {
    const known = knownMethods.has(method);
    const route = routes.get(operation ?? '');
    return {
      name: [known ? method : 'HTTP', ...(route === undefined ? [] : [route])].join(' '),
      of: {
        'http.request.method': known ? method : '_OTHER',
        'url.scheme': scheme,
        'url.path': path,
        ...(route !== undefined && { 'http.route': route }),
        ...(status !== null && { 'http.response.status_code': status }),
        ...(isFailure(status) && { 'error.type': status === null ? 'closed' : String(status) }),
        ...(operation !== null && { operation }),
        ...(condition !== null && { condition }),
      },
    };
  };
}

function parentOf({ parent }: RequestIds): Context {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
}

/** Gives spans the ids of their requests, which a fault was logged with before. */
function idGeneratorOfRequests() {
  const spans = new WeakMap<RequestIds, string>();
  const made = (bytes: number): string => randomBytes(bytes).toString('hex');
  const spanIdOf = (request: RequestIds): string => {
    const id = spans.get(request) ?? made(8);
    spans.set(request, id);
    return id;
  };
  let next: RequestIds | null = null;
  return {
    /** The next span is this request's. */
    next: (request: RequestIds): void => {
      next = request;
    },
    generateTraceId: (): string => next?.trace ?? made(16),
    generateSpanId: (): string => (next ? spanIdOf(next) : made(8)),
    spanOf: (request: RequestIds): Context => {
      const { trace: traceId, parent } = request;
      if (traceId === null) return ROOT_CONTEXT;
      const traceFlags = parent?.flags ?? 1;
      return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: spanIdOf(request), traceFlags });
    },
  };
}

/** What the SDK says of its own troubles: of an error it tells the members, as JSON. */
function toldBy(print: (message: string) => void): Parameters<typeof diag.setLogger>[0] {
  const error = (said: string): void =>
    print(troubleOf(/"message":"((?:[^"\\]|\\.)*)"/.exec(said)?.[1] ?? said));
  const nothing = (): void => {};
  return { error, warn: nothing, info: nothing, debug: nothing, verbose: nothing };
}

function troubleOf(reason: unknown): string {
  const message = reason instanceof Error ? reason.message : String(reason);
  return `OpenTelemetry: ${message.split('\n')[0]?.slice(0, 300) ?? ''}`;
}
