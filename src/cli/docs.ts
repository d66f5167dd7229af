import { referenceOf } from '../interchange/reference/reference.ts';
import { printable } from '../report/text.ts';
import {
  type Command,
  documentOf,
  hasErrors,
  printDiagnostics,
  readNamed,
  text,
  UsageError,
} from './command.ts';
import { writeFiles } from './written.ts';

/** `tacet docs`: a page for those who call the service. */
export const command: Command = {
  name: 'docs',
  summary: 'write a page for those who call the service',
  help: `usage: tacet docs DOCUMENT -o FILE.html [--force] [--assume LEDGER] [--no-guesses]

Writes one HTML page for those who call the service: each operation with its request, who
may ask, what it does, its answers and its errors; shapes, states as pictures, limits,
events; and what is still open. The page needs no other file and runs no script.

  -o, --out FILE   the page to write; it ends in .html
  --force          writes over a file that is there
  --assume LEDGER  answers to open points, taken for the time being (JSON)
  --no-guesses     takes no guesses about an OpenAPI description

exit code: 0, 1 the document has errors, 2 wrong use
`,
  options: {
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean' },
    assume: { type: 'string' },
    'no-guesses': { type: 'boolean' },
  },
  run: async (given, terminal) => {
    const document = documentOf(given);
    const out = text(given, 'out');
    if (out === undefined) throw new UsageError('name the page to write: -o reference.html');
    if (!/\.html?$/.test(out))
      throw new UsageError(`the page is written to a .html file, and ${out} is none`);
    const { specification, diagnostics } = readNamed(document, given);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, terminal);
      return 1;
    }
    // What lays out pictures is loaded only where a page is written.
    const { referencePage } = await import('./docs/page.ts');
    writeFiles([[out, referencePage(referenceOf(specification))]], given.values['force'] === true);
    terminal.out(`wrote ${printable(out)}\n`);
    return 0;
  },
};
