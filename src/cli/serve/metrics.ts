import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { version } from '../../load/version.ts';
import type { Service, ServiceOptions } from '../../service/service.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { knownMethods, routesOf } from './routes.ts';

/** What one process counted, as plain data. */
type Values = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What is told of a service while it runs, as Prometheus reads it. */
export interface Metrics {
  /** What a service calls as it answers. */
  readonly hears: Required<Pick<ServiceOptions, 'onAnswered' | 'onHostLimit' | 'onFault'>> &
    Pick<ServiceOptions, 'onRead' | 'onReplica'>;
  /** What `/metrics` answers with. */
  readonly contentType: string;
  readonly text: (service: Pick<Service, 'underway'> | null) => Promise<string>;
  /** The same, for the process above to add up those of several workers. */
  readonly values: (service: Pick<Service, 'underway'> | null) => Promise<Values>;
}

/** Upper bounds of how long requests take, in seconds: those that OpenTelemetry advises for HTTP. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Names and labels of requests are those of OpenTelemetry's semantic conventions for HTTP metrics, as its exporter
 * writes them for Prometheus. Labels hold what the document states, and nothing that a request brought.
 *
 * @param hasReplica whether a standby is read as well
 */
export function metricsOf(specification: Specification, hasReplica = false): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { durations, refusals, limited, faults, waiting } = instrumentsIn(registry, specification);
  const routes = routesOf(specification);
  return {
    hears: {
      onAnswered: ({ method, operation, status, condition, tookMs }) => {
        const labels = { operation: operation ?? '' };
        if (condition !== null) refusals.inc({ ...labels, condition });
        durations.observe(
          {
            ...labels,
            http_request_method: knownMethods.has(method) ? method : '_OTHER',
            http_route: routes.get(operation ?? '') ?? '',
            http_response_status_code: status === null ? '' : String(status),
          },
          tookMs / 1000,
        );
      },
      onHostLimit: (limit) => limited.inc({ limit }),
      onFault: () => faults.inc(),
      ...(hasReplica && replicaIn(registry)),
    },
    contentType: registry.contentType,
    text: (service) => {
      waiting.set(service?.underway().awaited ?? 0);
      return registry.metrics();
    },
    values: (service) => {
      waiting.set(service?.underway().awaited ?? 0);
      return registry.getMetricsAsJSON();
    },
  };
}

/** What counts and measures, in a registry. */
function instrumentsIn(registry: Registry, specification: Specification) {
  const registers = [registry];
  const info = { name: 'tacet_info', help: 'What runs: always 1.', registers } as const;
  new Gauge({ ...info, aggregator: 'first', labelNames: ['version', 'service'] }).set(
    { version: version(), service: specification.name },
    1,
  );
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'How long requests took, from their head to their answer.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'operation'],
    buckets: seconds,
    registers,
  });
  const refusals = new Counter({
    name: 'tacet_refusals_total',
    help: 'Requests that were refused, by the condition of the document.',
    labelNames: ['operation', 'condition'],
    registers,
  });
  const limited = new Counter({
    name: 'tacet_host_limit_total',
    help: 'Requests and connections that a limit of the host refused.',
    labelNames: ['limit'],
    registers,
  });
  const faults = new Counter({
    name: 'tacet_faults_total',
    help: 'Faults of the service itself; the log tells each.',
    registers,
  });
  const waiting = new Gauge({
    name: 'tacet_deliveries_waiting',
    help: 'Messages that wait for whoever they are sent to.',
    registers,
  });
  return { durations, refusals, limited, faults, waiting };
}

/** What is told of a replica, in a registry. */
function replicaIn(registry: Registry): Required<Pick<ServiceOptions, 'onRead' | 'onReplica'>> {
  const registers = [registry];
  const reads = new Counter({
    name: 'tacet_reads_total',
    help: 'Reads of requests that change nothing, by what answered them.',
    labelNames: ['store'],
    registers,
  });
  const up = new Gauge({
    name: 'tacet_replica_up',
    help: 'Whether the replica answers: 1, or 0.',
    aggregator: 'min',
    registers,
  });
  up.set(1);
  return { onRead: (store) => reads.inc({ store }), onReplica: (why) => up.set(why === null ? 1 : 0) };
}

/** What several workers counted, added up, and how many they are. */
export function metricsOfWorkers(): Pick<Metrics, 'contentType'> & {
  readonly text: (each: readonly Values[], restarts: number) => Promise<string>;
} {
  const registry = new Registry();
  const registers = [registry];
  const workers = new Gauge({
    name: 'tacet_workers',
    help: 'Processes of --workers that take requests.',
    registers,
  });
  const again = new Gauge({
    name: 'tacet_worker_restarts',
    help: 'How often a process of --workers took the place of one that had died.',
    registers,
  });
  return {
    contentType: registry.contentType,
    text: async (each, restarts) => {
      workers.set(each.length);
      again.set(restarts);
      const sums = AggregatorRegistry.aggregate(each as object[]);
      return `${await sums.metrics()}\n${await registry.metrics()}`;
    },
  };
}
