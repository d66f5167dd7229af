import { stringify } from 'yaml';
import { exportAsyncApi } from '../interchange/asyncapi/export.ts';
import { clientOf } from '../interchange/client/client.ts';
import { type Exported, exportOpenApi } from '../interchange/openapi/export/export.ts';
import { overlayOf } from '../interchange/openapi/export/overlay.ts';
import { openApiVersions } from '../interchange/openapi/export/version.ts';
import { readSpecification } from '../load/document.ts';
import { printable } from '../report/text.ts';
import type { Json } from '../source/node.ts';
import type { Specification } from '../specification/model/specification.ts';
import {
  type Command,
  count,
  documentOf,
  type ExitCode,
  type Given,
  hasErrors,
  printDiagnostics,
  readNamed,
  type Terminal,
  text,
  UsageError,
} from './command.ts';
import { lossTable, writeFiles } from './written.ts';

/** `tacet export`: writes a document in a format of others. */
export const command: Command = {
  name: 'export',
  summary: 'write an OpenAPI or AsyncAPI description of what a document states, or a client',
  help: `usage: tacet export DOCUMENT [--openapi VERSION | --asyncapi 3] [-o FILE] [--losses] [--force]
                    [--assume LEDGER --overlay FILE]
       tacet export DOCUMENT --client ts [-o FILE] [--force]

Writes an OpenAPI description of what a document states: paths, parameters, bodies, answers,
schemes and webhooks in the words of OpenAPI, everything else in extensions (x-tacet-…), of
which tacet import makes the same document again. What is open or assumed is not in it.

  --openapi VERSION  3.1 (the default) or 3.2
  --asyncapi 3       the events, as AsyncAPI 3.0: messages and channels, and no extensions
  --client ts        a client by fetch, in one file of TypeScript: a typed method for each
                     operation. What is open is unknown, with the address of the point
  -o, --out FILE     the description to write, as YAML, or as JSON if it ends in .json
                     (default: it is printed, as YAML); or the client
  --assume LEDGER    answers to open points, taken for the time being (JSON)
  --overlay FILE     what these answers add to the description, as an Overlay 1.0
  --losses           lists what stands in extensions, or is not carried: how often, how, what,
                     and the first place
  --force            writes over files that are there

exit code: 0, 1 the document has errors, 2 wrong use
`,
  options: {
    openapi: { type: 'string' },
    asyncapi: { type: 'string' },
    client: { type: 'string' },
    out: { type: 'string', short: 'o' },
    assume: { type: 'string' },
    overlay: { type: 'string' },
    losses: { type: 'boolean' },
    force: { type: 'boolean' },
  },
  run: (given, terminal) => {
    const language = text(given, 'client');
    if (language !== undefined) return exportClient(language, given, terminal);
    const exported = formatIn(given);
    const overlay = text(given, 'overlay');
    if ((overlay === undefined) !== (text(given, 'assume') === undefined))
      throw new UsageError('--assume LEDGER and --overlay FILE go together: what is assumed is no statement');
    const { specification, diagnostics } = readSpecification(documentOf(given), []);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, terminal);
      return 1;
    }
    const { description, losses } = exported(specification);
    const files: [string, string][] = [];
    const out = text(given, 'out');
    if (out !== undefined) files.push([out, written(out, description)]);
    if (overlay !== undefined) {
      const assumed = readNamed(documentOf(given), given);
      if (hasErrors(assumed.diagnostics)) {
        printDiagnostics(assumed.diagnostics, terminal);
        return 1;
      }
      const second = exported(assumed.specification).description;
      const title = `What is assumed of: ${specification.name}`;
      files.push([overlay, written(overlay, overlayOf(title, description, second))]);
    }
    writeFiles(files, given.values['force'] === true);
    if (out === undefined) terminal.out(written('', description));
    const lists = given.values['losses'] === true;
    const told = [
      ...files.map(([file]) => `wrote ${printable(file)}`),
      `${count(losses.all.length, 'point')} in extensions or not carried${lists ? '' : ' (--losses lists them)'}`,
      ...(lists ? ['', ...lossTable(losses)] : []),
      '',
    ].join('\n');
    if (out === undefined) terminal.error(lists ? told : '');
    else terminal.out(told);
    return 0;
  },
};

/** Writes a client. What is assumed is no statement, so no ledger is read. */
function exportClient(language: string, given: Given, terminal: Terminal): ExitCode {
  if (language !== 'ts')
    throw new UsageError(
      `--client is ts, and ${language} is not; for other languages, make a client of the OpenAPI description that tacet export writes without --client`,
    );
  const others = ['openapi', 'asyncapi', 'assume', 'overlay', 'losses'];
  const other = others.find((name) => given.values[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--client and --${other} do not go together: leave one out`);
  const { specification, diagnostics } = readSpecification(documentOf(given), []);
  if (hasErrors(diagnostics)) {
    printDiagnostics(diagnostics, terminal);
    return 1;
  }
  const out = text(given, 'out');
  if (out === undefined) terminal.out(clientOf(specification));
  else {
    writeFiles([[out, clientOf(specification)]], given.values['force'] === true);
    terminal.out(`wrote ${printable(out)}\n`);
  }
  return 0;
}

/** What is written. */
function formatIn(given: Given): (of: Specification) => Exported {
  const asyncApi = text(given, 'asyncapi');
  if (asyncApi === undefined) {
    const version = versionIn(given);
    return (of) => exportOpenApi(of, version);
  }
  if (text(given, 'openapi') !== undefined)
    throw new UsageError('--openapi and --asyncapi are two descriptions: ask for one at a time');
  if (!['3', '3.0'].includes(asyncApi)) throw new UsageError(`--asyncapi is 3, and ${asyncApi} is not`);
  return exportAsyncApi;
}

function versionIn(given: Given) {
  const asked = text(given, 'openapi') ?? openApiVersions[0];
  const version = openApiVersions.find((each) => each === asked);
  if (version === undefined)
    throw new UsageError(`--openapi is ${openApiVersions.join(' or ')}, and ${asked} is neither`);
  return version;
}

function written(file: string, value: Json): string {
  return file.endsWith('.json')
    ? `${JSON.stringify(value, null, 2)}\n`
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
