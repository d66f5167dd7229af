import { type Command, count, hasErrors, paintFor, printDiagnostics, readDocument } from './command.ts';

/** `tacet check`: reads a document whole and shows every fault in it. */
export const command: Command = {
  name: 'check',
  summary: 'read a document and show every fault in it',
  help: `usage: tacet check DOCUMENT [--assume LEDGER]

Reads a specification (Markdown, YAML or JSON) and shows every fault in it, with its
place, its code and what to do. What is open is no fault: tacet status shows that.

  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0 no error, 1 errors, 2 wrong use
`,
  options: { assume: { type: 'string' } },
  run: (given, terminal) => {
    const { specification, diagnostics } = readDocument(given);
    printDiagnostics(diagnostics, terminal);
    const paint = paintFor(terminal);
    const errors = diagnostics.filter((one) => one.severity === 'error').length;
    const warnings = diagnostics.length - errors;
    if (hasErrors(diagnostics)) {
      terminal.error(
        `${paint.red(count(errors, 'error'))}${warnings > 0 ? `, ${count(warnings, 'warning')}` : ''}\n`,
      );
      return 1;
    }
    const operations = count(specification.operations.length, 'operation');
    terminal.out(
      `${specification.file}: ${paint.green('no error')}, ${operations}, ${count(warnings, 'warning')}\n`,
    );
    return 0;
  },
};
