import { createServer } from 'node:http';
import {
  type Command,
  documentOf,
  type Given,
  hasErrors,
  printDiagnostics,
  readJudged,
  type Terminal,
  text,
  texts,
  UsageError,
} from './command.ts';
import { Forwarder } from './proxy/forward.ts';
import { judging } from './proxy/judging.ts';
import { credentialsHelp } from './serve/credentials.ts';
import { reportHelp } from './test/reports.ts';

/** `tacet proxy`: forwards requests to an implementation, and judges what it answers. */
export const command: Command = {
  name: 'proxy',
  summary: 'forward requests to an implementation, and judge what it answers',
  help: `usage: tacet proxy DOCUMENT --url TARGET [--port N] [--closed] [--assume LEDGER]
                   [--credentials FILE] [--report FORMAT[=FILE]]… [--json]

Forwards every request to an implementation, and every answer to its client, as they come.
Meanwhile another process judges the answers by what the specification states: each violation
is shown when it is first seen, and the sum at the end (Ctrl-C). tacet judge --help tells what
is known of a service that others use, too.

  --url TARGET      where the implementation is, such as http://127.0.0.1:8080
  --port N          the port to listen on, of this machine alone; 0: one that is free (default 8081)
  --closed          nobody else sends requests, and before the first one nothing was stored but
                    what the document states
  --assume LEDGER   answers to open points, taken for the time being (JSON)
${credentialsHelp}${reportHelp}  --json            the same as --report json

exit code: 0 no violation; 1 violations, or the document has errors; 2 wrong use; 3 nothing
was determined
`,
  options: {
    url: { type: 'string' },
    port: { type: 'string' },
    closed: { type: 'boolean' },
    assume: { type: 'string' },
    credentials: { type: 'string' },
    report: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  },
  run: async (given, terminal) => {
    const target = targetOf(given);
    const port = portOf(given);
    const { diagnostics } = readJudged(documentOf(given), given);
    printDiagnostics(diagnostics, terminal);
    if (hasErrors(diagnostics)) return 1;
    const judge = judging(wordsOf(given, target), terminal);
    const forwarder = new Forwarder(target, judge.tell);
    const server = createServer((incoming, outgoing) => forwarder.forward(incoming, outgoing));
    const address = await listening(server, port);
    terminal.error(`tacet proxy: ${address} forwards to ${target.href}\n`);
    await ended(terminal);
    server.closeAllConnections();
    server.close();
    forwarder.close();
    return await judge.end();
  },
};

/** What the judge is told: the same document and options, and to read what it is told. */
function wordsOf(given: Given, target: URL): readonly string[] {
  const values = ['assume', 'credentials'].flatMap((name) => {
    const value = text(given, name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const flags = ['closed', 'json'].flatMap((name) => (given.values[name] === true ? [`--${name}`] : []));
  const reports = texts(given, 'report').flatMap((report) => ['--report', report]);
  return [...given.positionals, '-', '--url', target.href, ...values, ...flags, ...reports];
}

function targetOf(given: Given): URL {
  const url = text(given, 'url');
  if (url === undefined) throw new UsageError('--url names the implementation: http://127.0.0.1:8080');
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target === null || !['http:', 'https:'].includes(target.protocol) || target.search || target.hash)
    throw new UsageError(`${url} is no address of a service: write it as http://127.0.0.1:8080`);
  return target;
}

function portOf(given: Given): number {
  const written = text(given, 'port') ?? '8081';
  if (/^\d+$/.test(written) && Number(written) <= 65535) return Number(written);
  throw new UsageError(`${written} is no port: a number from 0 to 65535 is wanted`);
}

function listening(server: ReturnType<typeof createServer>, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`it cannot listen: ${error.message}`)));
    server.listen(port, '127.0.0.1', () => {
      const bound = server.address();
      resolve(`http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : port}`);
    });
  });
}

function ended({ ended: signal }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
