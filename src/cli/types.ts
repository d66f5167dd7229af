import { declarations } from '../interchange/types.ts';
import { type Command, hasErrors, printDiagnostics, readDocument } from './command.ts';

/** `tacet types`: TypeScript's types for what a document states. */
export const command: Command = {
  name: 'types',
  summary: 'print the TypeScript types of what a document states',
  help: `usage: tacet types DOCUMENT [--assume LEDGER] > FILE.d.ts

Prints types for those who write the service's clients and its handlers: items as they are
kept and shown, what each operation is asked and answers, the events, the codes of errors,
and the functions that stand as { handled: NAME }. What is open may be anything: unknown.

  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0, 1 the document has errors, 2 wrong use
`,
  options: { assume: { type: 'string' } },
  run: (given, terminal) => {
    const { specification, diagnostics } = readDocument(given);
    const errors = hasErrors(diagnostics);
    if (errors) printDiagnostics(diagnostics, terminal);
    else terminal.out(declarations(specification));
    return errors ? 1 : 0;
  },
};
