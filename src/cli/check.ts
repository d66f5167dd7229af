import { differingExamples } from '../load/examples.ts';
import { version } from '../load/version.ts';
import { nearest } from '../specification/reading/nearest.ts';
import { fix } from './check/fix.ts';
import {
  type Command,
  count,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  readNamed,
  type Terminal,
  text,
} from './command.ts';
import type { Checked } from './formats/checked.ts';
import { concise } from './formats/concise.ts';
import { github } from './formats/github.ts';
import { json } from './formats/json.ts';
import { sarif } from './formats/sarif.ts';
import { plainKey } from './serve/greeting.ts';
import { UsageError } from './usage.ts';

/** What is found, as text for those who read it; `pretty` is for people, and apart. */
const formats: Readonly<Record<string, (checked: readonly Checked[]) => string>> = {
  concise,
  json,
  github,
  sarif: (checked) => sarif(checked, version()),
};

/** `tacet check`: reads documents whole and shows every fault in them. */
export const command: Command = {
  name: 'check',
  summary: 'read a document and show every fault in it',
  help: `usage: tacet check DOCUMENT… [--format FORMAT] [--assume LEDGER] [--fix]

Reads a specification (Markdown, YAML or JSON, or a folder of them) and shows every
fault in it, with its place, its code and what to do. What is open is no fault: tacet
status shows that. Several documents are as many specifications.

  --format FORMAT   pretty    for people (as it is without --format)
                    concise   a line each: file:line:column: severity code: message
                    json      one object; its form is schemas/diagnostics.schema.json
                    github    annotations of GitHub Actions
                    sarif     SARIF 2.1.0, which code scanning tools read
  --assume LEDGER   answers to open points, taken for the time being (JSON)
  --fix             first writes the document anew where it uses words that the language
                    no longer has; comments and layout stay

exit code: 0 no error, 1 errors, 2 wrong use
`,
  options: { format: { type: 'string' }, assume: { type: 'string' }, fix: { type: 'boolean' } },
  run: (given, terminal) => {
    const format = formatOf(given);
    if (given.values['fix'] === true) {
      const tell = format === undefined ? terminal.out : terminal.error;
      for (const path of given.positionals) tell(fix(path));
    }
    const checked = check(given, terminal);
    const diagnostics = checked.flatMap((one) => one.diagnostics);
    if (format === undefined) printPretty(checked, terminal);
    else terminal.out(format(checked));
    return hasErrors(diagnostics) ? 1 : 0;
  },
};

function formatOf(given: Given): ((checked: readonly Checked[]) => string) | undefined {
  const name = text(given, 'format') ?? 'pretty';
  if (name === 'pretty') return undefined;
  const known = ['pretty', ...Object.keys(formats)];
  if (known.includes(name)) return formats[name];
  const close = nearest(name, known);
  throw new UsageError(
    `there is no format ${name}; ${close ? `did you mean ${close}?` : `there are ${known.join(', ')}`}`,
  );
}

interface Noted extends Checked {
  /** What is no fault of the document, and for whoever runs its service to know. */
  readonly notes: readonly string[];
}

function check(given: Given, { environment }: Terminal): Noted[] {
  if (given.positionals.length === 0) throw new UsageError('name the document');
  if (given.positionals.length > 1 && text(given, 'assume') !== undefined)
    throw new UsageError('a ledger belongs to one specification, and several are named');
  return given.positionals.map((path) => {
    const { specification, diagnostics: faults } = readNamed(path, given);
    const examples = hasErrors(faults) ? [] : differingExamples(specification);
    const diagnostics = [...faults, ...examples];
    const { file, name, operations } = specification;
    const notes = plainKey(specification, environment).map((told) => `the service signs ${told}`);
    return { file, name, operations: operations.length, diagnostics, notes };
  });
}

function printPretty(checked: readonly Noted[], terminal: Terminal): void {
  const paint = paintFor(terminal);
  printDiagnostics(
    checked.flatMap((one) => one.diagnostics),
    terminal,
    true,
  );
  for (const { file, operations, diagnostics, notes } of checked) {
    if (hasErrors(diagnostics)) continue;
    const counts = [count(operations, 'operation'), count(diagnostics.length, 'warning')].join(', ');
    terminal.out(`${file}: ${paint.green('no error')}, ${counts}\n`);
    for (const note of notes) terminal.out(`  ${note}\n`);
  }
}
