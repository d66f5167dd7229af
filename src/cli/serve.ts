import { basename, resolve } from 'node:path';
import { status } from '../report/status.ts';
import { described } from '../service/parts/service.ts';
import type { HeldUp } from '../service/reply.ts';
import { type Service, type ServiceOptions, StartRefused, serve } from '../service/service.ts';
import { StoreRefused } from '../service/store/store.ts';
import { at } from '../source/text.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import {
  type Command,
  count,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  readDocument,
  type Terminal,
  text,
  UsageError,
} from './command.ts';

/** How a service is run, whichever command runs it. */
export const serveOptions = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  url: { type: 'string' },
  assume: { type: 'string' },
  'expose-unauthenticated': { type: 'boolean' },
} as const;

/** What the options of a service are for, as the help shows them. */
export const serveHelp = `  --port N          the port to listen on; 0: one that is free (default 8080)
  --host HOST       the address to listen on (default 127.0.0.1)
  --data FILE       the SQLite file (default .tacet/NAME.sqlite, by the document's name)
  --url URL         the address at which others reach the service (default: where it listens)
  --assume LEDGER   answers to open points, taken for the time being (JSON)
  --expose-unauthenticated
                    listen beyond loopback although it is open who may ask
`;

/** `tacet serve`: runs the service that a document states. */
export const command: Command = {
  name: 'serve',
  summary: 'run the service that a document states',
  help: `usage: tacet serve DOCUMENT [--port N] [--host HOST] [--data FILE] [--url URL] [--assume LEDGER]

Runs the service that a specification states, durable on SQLite, and nothing more. What is
open is answered 501, and the log says which points it takes, with file and line.

${serveHelp}
Ends on SIGINT or SIGTERM, after the requests under way.
exit code: 0 ended as asked, 1 the document has errors, 2 wrong use, or it could not start
`,
  options: serveOptions,
  run: async (given, terminal) => {
    const { specification, diagnostics } = readDocument(given);
    printDiagnostics(diagnostics, terminal);
    if (hasErrors(diagnostics)) return 1;
    const options = optionsOf(given, specification, terminal);
    const service = await start(specification, options);
    terminal.out(greeting(specification, service, options.data, terminal));
    await ended(terminal.ended);
    await service.close();
    return 0;
  },
};

/** What the service is started with. Throws {@link UsageError} where an option is none. */
export function optionsOf(
  given: Given,
  specification: Specification,
  terminal: Terminal,
): ServiceOptions & { data: string } {
  const host = text(given, 'host');
  const url = text(given, 'url');
  return {
    port: portOf(text(given, 'port') ?? '8080'),
    data: text(given, 'data') ?? `.tacet/${fileName(specification)}.sqlite`,
    ...(host !== undefined && { host }),
    ...(url !== undefined && { url: urlOf(url) }),
    exposeUnauthenticated: given.values['expose-unauthenticated'] === true,
    onHeldUp: (heldUp) => terminal.error(`${heldUpLine(heldUp)}\n`),
    onFault: (fault) => terminal.error(`internal: ${(fault as Error).stack ?? String(fault)}\n`),
  };
}

function portOf(written: string): number {
  const port = Number(written);
  if (/^\d+$/.test(written) && port <= 65535) return port;
  throw new UsageError(`${written} is no port: a number from 0 to 65535 is wanted`);
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

/** What an operation waits for, one line a point's reason: `501 POST / (addTodo): open: ADDRESS at FILE:LINE:COLUMN`. */
function heldUpLine({ operation, points }: HeldUp): string {
  const why = (reason: 'open' | 'not run', title: string): string[] => {
    const of = points.filter((point) => point.why === reason);
    return of.length === 0
      ? []
      : [`${title}: ${of.map((point) => `${point.address} at ${at(point.at)}`).join(', ')}`];
  };
  const name = operation.name === operation.key ? operation.key : `${operation.key} (${operation.name})`;
  const reasons = [...why('open', 'open'), ...why('not run', 'stated, not run by this version')];
  return `501 ${name}: ${reasons.join('; ')}`;
}

/** What is shown when a service runs: its address, what is stated and open, and a request to try. */
export function greeting(
  specification: Specification,
  service: Service,
  data: string,
  terminal: Terminal,
): string {
  const paint = paintFor(terminal);
  const { name, purpose } = described(specification);
  const report = status(specification);
  const stateOf = (state: string): string => {
    const of = report.parts.filter((part) => part.state === state).map((part) => part.part);
    return of.length === 0 ? 'none of the nine parts' : of.length === 9 ? 'all nine parts' : of.join(', ');
  };
  const points = report.parts.flatMap((part) => part.points);
  const open = points.filter((point) => point.state === 'open');
  const assumed = points.filter((point) => point.state === 'assumed');
  const notRun = points.filter((point) => point.notRun);
  const held = new Set(points.flatMap((point) => [...point.holds, ...(point.notRun ?? [])]));
  const operations = specification.operations.length;
  const lines = [
    `${paint.bold(name || specification.file)}${purpose === null ? '' : `: ${purpose}`}`,
    '',
    `  address  ${paint.bold(service.address)}${service.url === service.address ? '' : ` (others reach it at ${service.url})`}`,
    `  data     ${data} (SQLite)`,
    `  stated   ${stateOf('stated')}`,
    ...(report.parts.some((part) => part.state === 'partly') ? [`  partly   ${stateOf('partly')}`] : []),
    `  open     ${open.length === 0 ? 'nothing' : `${stateOf('open')}; ${count(open.length, 'point')} in all`}`,
    ...(assumed.length === 0
      ? []
      : [
          `  assumed  ${assumed.map(({ address, at: place }) => `${address} (${place})`).join('\n           ')}`,
        ]),
    ...(notRun.length === 0
      ? []
      : [
          `  not run  ${notRun
            .map((point) => point.address)
            .slice(0, 8)
            .join(', ')}${notRun.length > 8 ? ', …' : ''} (stated, not run by this version)`,
        ]),
    `  runs     ${operations - held.size} of ${count(operations, 'operation')}${held.size > 0 ? `; the others answer 501 (tacet status ${specification.file})` : ''}`,
    '',
    `try:  ${tryIt(specification, service, held)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A first request to try: one that is carried out, and makes something if there is such a one, else one that reads. */
function tryIt(specification: Specification, service: Service, held: ReadonlySet<string>): string {
  const plain = specification.operations.filter(
    (one) => !held.has(one.name) && one.path.every((segment) => 'literal' in segment),
  );
  const by = (verb: string): Operation | undefined => plain.find((one) => stated(one.does)?.verb === verb);
  const operation = by('create') ?? by('list') ?? plain.find((one) => one.method === 'GET') ?? plain[0];
  if (operation === undefined) return `curl -i ${service.address}/`;
  const endpoints = stated(specification.endpoints);
  const base = (endpoints && stated(endpoints.base)) ?? '';
  const path = operation.path.map((segment) => ('literal' in segment ? segment.literal : '')).join('/');
  const takesBody = operation.request !== null && stated(operation.request.body) !== undefined;
  const body = takesBody ? ` -H 'Content-Type: application/json' -d '${sample(operation.subject)}'` : '';
  const usual = takesBody ? 'POST' : 'GET';
  const method = operation.method === usual ? '' : ` -X ${operation.method}`;
  return `curl -i${method}${body} ${service.address}${base}/${path}`;
}

/** A body with the members that are required, each the plainest value of its type. */
function sample(resource: Operation['subject']): string {
  const members: Record<string, unknown> = {};
  for (const { name } of (resource && stated(resource.required)) ?? []) {
    const field = resource?.fields.get(name);
    const type = field?.shape.keywords.get('type');
    const values: Record<string, unknown> = { integer: 1, number: 1, boolean: true, array: [], object: {} };
    members[name] = values[String(type && stated(type))] ?? `my first ${name}`;
  }
  return JSON.stringify(members).replaceAll("'", "'\\''");
}

/** Resolves when the process is asked to end. */
export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
