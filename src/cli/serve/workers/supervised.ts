import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usualGraceMs } from '../../../service/closing.ts';
import type { ServiceOptions, Tls } from '../../../service/service.ts';
import { isPostgres } from '../../../service/store/open.ts';
import type { ExitCode, Terminal } from '../../command.ts';
import type { metricsOfWorkers } from '../metrics.ts';
import { type Operations, operationsAt, type Told } from '../operations.ts';
import { type Answer, type Crew, crewOf, type Started } from './crew.ts';
import type { Seat } from './seat.ts';

/** What several processes are to serve. */
interface Service {
  readonly count: number;
  /** Tells the document from any other. */
  readonly digest: string;
  readonly options: ServiceOptions & { readonly data: string };
  /** `HOST:PORT` of the address for operators. */
  readonly ops: string | undefined;
  /** What the workers find in their environment besides. */
  readonly environment: Readonly<Record<string, string>>;
  readonly terminal: Terminal;
  /** Tells that all run, with the address for operators if there is one. */
  readonly greet: (started: Started, ops: string | undefined, note: string) => void;
  /** For TLS; null: none. */
  readonly tls: Tls | null;
  /** Resolved when the process is asked to end. */
  readonly ended: Promise<void>;
}

/**
 * Serves with several processes, which share one port: on PostgreSQL all are equal; on SQLite one writes, and the others
 * read. This process answers no request: it begins them, begins another one for each that dies, and ends them.
 */
export async function supervised({
  count,
  digest,
  options,
  ops,
  environment,
  terminal,
  greet,
  tls,
  ended,
}: Service): Promise<ExitCode> {
  const { data, host = '127.0.0.1', port = 0, graceMs = usualGraceMs } = options;
  const folder = mkdtempSync(join(tmpdir(), 'tacet-workers-'));
  const isEqual = isPostgres(data);
  const chosen = port || (await freePort(host));
  const seats = Array.from({ length: count }, (_, index): Seat => {
    const role = isEqual ? 'equal' : index === 0 ? 'writer' : 'reader';
    const socket = join(folder, 'writer');
    return {
      number: index + 1,
      role,
      port: chosen,
      socket,
      hasMetrics: ops !== undefined,
      isSecure: tls !== null,
      digest,
    };
  });
  const crew = crewOf(seats, environment, graceMs, terminal, tls?.pair ?? null);
  tls?.renewed?.(crew.secure);
  let operations: Operations | null = null;
  try {
    let isEnding = false;
    if (ops !== undefined) operations = await operationsAt(ops, await toldOf(crew, isEqual, () => isEnding));
    const started = await crew.start();
    if (started === null) return 2;
    greet(started, operations?.address, noteOf(count, isEqual));
    await ended;
    isEnding = true;
    await crew.end();
  } finally {
    await operations?.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

function noteOf(count: number, isEqual: boolean): string {
  if (isEqual) return `${count} equal processes`;
  return `1 process that writes and reads, ${count - 1} that ${count === 2 ? 'reads' : 'read'}`;
}

/** What the address for operators tells of all of them. */
async function toldOf(crew: Crew, isEqual: boolean, isEnding: () => boolean): Promise<Told> {
  const metrics = (await import('../metrics.ts')).metricsOfWorkers();
  const silent = (answers: readonly Answer[]): string[] =>
    answers.filter(({ isSilent }) => isSilent).map(({ seat }) => `worker ${seat.number} does not answer`);
  return {
    dead: async () => silent(await crew.ask('readiness')).join('; ') || null,
    unready: async () => {
      if (isEnding()) return 'it ends';
      const answers = await crew.ask('readiness');
      if (answers.length === 0) return 'it starts';
      if (!isEqual && answers.every(({ seat }) => seat.role !== 'writer'))
        return 'the worker that writes starts';
      const reasons = answers.flatMap(({ seat, answer }) =>
        typeof answer === 'string' ? [`worker ${seat.number}: ${answer}`] : [],
      );
      return [...silent(answers), ...reasons].join('; ') || null;
    },
    metrics: {
      contentType: metrics.contentType,
      text: async () => {
        const answers = await crew.ask('metrics');
        const values = answers.flatMap(({ answer, isSilent }) => (isSilent ? [] : [answer]));
        return metrics.text(values as Parameters<Metrics['text']>[0], crew.restarts());
      },
    },
  };
}

type Metrics = ReturnType<typeof metricsOfWorkers>;

/** A port for all of them: a process that takes the place of another has to have the same one. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
