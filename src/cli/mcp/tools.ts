import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carried } from '../../load/carried.ts';
import { ledgerBeside } from '../../load/ledger.ts';
import type { Json } from '../../source/node.ts';
import { lineText, position } from '../../source/text.ts';
import { canonical } from '../../specification/reading/address.ts';
import { command as assume } from '../assume.ts';
import { command as check } from '../check.ts';
import { type Command, type ExitCode, type Given, readDocument, type Terminal } from '../command.ts';
import { command as diff } from '../diff.ts';
import { command as exporting } from '../export.ts';
import { command as status } from '../status.ts';
import { UsageError } from '../usage.ts';
import { messageOf } from '../why/sending.ts';
import { tellWhy } from '../why.ts';
import type { Folder } from './folder.ts';
import type { Services } from './services.ts';

/** What an agent gives to a tool: already as its schema says. */
export interface Wanted {
  readonly document: string;
  readonly part?: string;
  readonly address?: string;
  readonly value?: string;
  readonly because?: string;
  readonly request?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly as?: string;
  readonly url?: string;
  readonly only?: readonly string[];
  readonly bail?: boolean;
  readonly revision?: string;
  readonly format?: 'openapi' | 'asyncapi';
}

export interface Workplace {
  readonly folder: Folder;
  readonly services: Services;
  readonly terminal: Terminal;
}

type Tool = (wanted: Wanted, document: string, place: Workplace) => Promise<ExitCode> | ExitCode;

/** What each tool does: what the command of the same name does, for a document in the folder. */
export const tools: Readonly<Record<string, Tool>> = {
  status: ({ part }, document, { terminal }) =>
    run(status, givenOf(document, { ...assumed(document), ...(part !== undefined && { part }) }), terminal),
  point: ({ address = '' }, document, { terminal }) => {
    showStatement(document, address, terminal);
    return run(assume, { values: {}, positionals: [document, address] }, terminal);
  },
  check: (_wanted, document, { terminal }) => run(check, givenOf(document, assumed(document)), terminal),
  open_points: (_wanted, document, { terminal }) => run(assume, givenOf(document, {}), terminal),
  assume: ({ address = '', value = '', because = '' }, document, { terminal }) =>
    run(assume, { values: { because, by: 'an agent' }, positionals: [document, address, value] }, terminal),
  send: async ({ as, ...wanted }, document, { services, terminal }) => {
    const given = givenOf(document, assumed(document));
    const answer = await services.send(given, messageIn(wanted), as, terminal);
    terminal.out(answer ?? '');
    return answer === null ? 1 : 0;
  },
  why: ({ as, ...wanted }, document, { terminal }) => {
    const values = { ...assumed(document), ...(as !== undefined && { as }) };
    return tellWhy(document, messageIn(wanted), givenOf(document, values), terminal);
  },
  test: (wanted, document, place) => test(wanted, document, place),
  diff: ({ revision = 'HEAD' }, document, { terminal }) => {
    const isName = /^[\w@][\w./@{}~^+-]*$/.test(revision) && !revision.includes('..');
    // A file of that name would be read in place of the revision.
    if (!isName || existsSync(revision)) throw new UsageError(`${revision} is no revision`);
    return run(diff, { values: {}, positionals: [revision, document] }, terminal);
  },
  export: ({ format = 'openapi' }, document, { terminal }) =>
    run(exporting, givenOf(document, format === 'asyncapi' ? { asyncapi: '3' } : {}), terminal),
};

function run(command: Command, given: Given, terminal: Terminal): Promise<ExitCode> | ExitCode {
  return command.run(given, terminal, async () => []);
}

function givenOf(document: string, values: Given['values']): Given {
  return { values, positionals: [document] };
}

/** The ledger beside the document, if there is one: what an agent assumes counts. */
function assumed(document: string): Given['values'] {
  const ledger = ledgerBeside(document);
  return existsSync(ledger) ? { assume: ledger } : {};
}

function messageIn({ request = '', headers = {}, body }: Omit<Wanted, 'as'>) {
  return messageOf(request, Object.entries(headers), body);
}

/** So many lines of a statement are shown. */
const mostLines = 40;

/** What stands at an address in the document. */
function showStatement(document: string, written: string, terminal: Terminal): void {
  const { points } = readDocument(givenOf(document, assumed(document))).specification;
  const span = points.get(canonical(written) ?? '')?.at;
  if (span === undefined || span.end === 0) return;
  const first = position(span.text, span.start).line;
  const last = position(span.text, Math.max(span.start, span.end - 1)).line;
  for (let line = first; line <= Math.min(last, first + mostLines - 1); line += 1)
    terminal.out(`${span.text.file}:${line}: ${lineText(span.text, line)}\n`);
}

/** Runs `tacet test` in a process and a folder of its own, so that nothing is written here. */
async function test(
  { url, only = [], bail = false }: Wanted,
  document: string,
  { terminal }: Workplace,
): Promise<ExitCode> {
  const elsewhere = mkdtempSync(join(tmpdir(), 'tacet-mcp-'));
  const ledger = assumed(document)['assume'];
  const words = [
    ...['test', resolve(document), '--summary', '--search', 'PT0S'],
    ...(url === undefined ? [] : [`--url=${url}`]),
    ...(typeof ledger === 'string' ? ['--assume', resolve(ledger)] : []),
    ...only.map((one) => `--only=${one}`),
    ...(bail ? ['--bail'] : []),
  ];
  try {
    return await new Promise((done) => {
      const { environment: env, ended: signal } = terminal;
      const options = { cwd: elsewhere, env, signal, maxBuffer: 16 * 1024 * 1024 };
      execFile(
        process.execPath,
        [fileURLToPath(carried('bin/tacet.js')), ...words],
        options,
        (error, out, told) => {
          terminal.out(out);
          terminal.error(told);
          const code = error === null ? 0 : error.code;
          done(code === 0 || code === 1 || code === 3 ? code : 2);
        },
      );
    });
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
}
