import {
  type Command,
  type ExitCode,
  type Given,
  hasErrors,
  printDiagnostics,
  readDocument,
  type Terminal,
  UsageError,
} from './command.ts';
import { configured } from './serve/configuration.ts';
import { credentialsHelp } from './serve/credentials.ts';
import { hostLimitOptions, hostLimitsHelp } from './serve/host-limits.ts';
import { optionsOf } from './serve/options.ts';
import { passingService } from './serve/passing-service.ts';
import { endpointOf, heardBy, type Job, loadTelemetry, served, tlsOf } from './serve/run.ts';
import { handlersOf, withHandlers } from './serve/start.ts';
import { workersOf } from './serve/workers/asked.ts';
import { digestOf } from './serve/workers/digest.ts';
import { letEnd, type Seat, seatIn } from './serve/workers/seat.ts';

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
  'read-store': { type: 'string' },
  ops: { type: 'string' },
  console: { type: 'string' },
  'tls-key': { type: 'string' },
  'tls-cert': { type: 'string' },
  otlp: { type: 'string' },
  workers: { type: 'string' },
  config: { type: 'string' },
} as const;

const ownHelp = `  --read-store URL  a standby of the database of --store; it answers what changes nothing whenever
                    it shows what the database shows, else the database does (docs/scaling.md)
  --ops HOST:PORT   answers /live, /ready and /metrics (Prometheus) on an address of their own
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
the next times, that it is as above; after three, no more.

${ownHelp}${serveHelp}
Ends on SIGINT or SIGTERM: nothing new begins, and what is under way (requests, deliveries,
functions) goes on while the grace period lasts. What is cut off by then is taken up again
at the next start. The same fault is logged once, and then counted every ten seconds.
exit code: 0 ended as asked, 1 the document has errors, 2 wrong use, or it could not start
`,
  options: ownOptions,
  run: (line, caller) => {
    const seat = seatIn(caller.environment);
    return run(line, caller, seat).finally(() => seat && letEnd());
  },
};

async function run(line: Given, caller: Terminal, seat: Seat | null): Promise<ExitCode> {
  const asked = configured(line, ownOptions, caller.environment);
  const reader = readDocument(asked);
  const { specification: document, diagnostics } = reader;
  if (seat !== null && seat.digest !== digestOf(reader))
    throw new UsageError(
      'the document has changed since the service was started; start the service again, or put the former one back',
    );
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
}
