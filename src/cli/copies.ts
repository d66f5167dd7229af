import { backUp, move, restore } from '../service/copies.ts';
import { StoreRefused } from '../service/store/store.ts';
import type { Copied } from '../service/store/transfer/transfer.ts';
import type { Specification } from '../specification/model/specification.ts';
import {
  type Command,
  count,
  type Given,
  hasErrors,
  printDiagnostics,
  readDocument,
  type Terminal,
  text,
  UsageError,
} from './command.ts';
import { placeOf, storeNamed } from './serve/options.ts';

const stores = `  --data FILE       the SQLite file (default .tacet/NAME.sqlite, by the document's name)
  --store URL       a database of PostgreSQL's in place of the file`;

const rest = `  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0, 1 the document has errors, 2 wrong use, or nothing was copied (the message begins
with a code, which docs/backup.md explains)
`;

const options = {
  data: { type: 'string' },
  store: { type: 'string' },
  assume: { type: 'string' },
} as const;

/** `tacet backup`: writes what a service stores to a file. */
export const backup: Command = {
  name: 'backup',
  summary: 'write what a service stores to a file, while it runs',
  help: `usage: tacet backup DOCUMENT --to FILE [--data FILE | --store URL]

Writes all that the service of a document stores to a file, as of one moment, whether or not the
service runs: items, events, deliveries, timers, sequences, repeated answers, credentials and
bytes. Reads the file again before it ends. Only its owner may read the file.

  --to FILE         where the backup is written; there may be no such file yet
${stores}
${rest}`,
  options: { ...options, to: { type: 'string' } },
  run: (given, terminal) =>
    copying(given, terminal, 'backed up', (specification) =>
      backUp(
        specification,
        placeOf(given, specification),
        needed(given, 'to', '--to notes.backup'),
        new Date((terminal.now ?? Date.now)()).toISOString(),
      ),
    ),
};

/** `tacet restore`: copies a backup to where a service is to find it. */
export const restoring: Command = {
  name: 'restore',
  summary: 'copy a backup to an empty store',
  help: `usage: tacet restore DOCUMENT --from FILE [--data FILE | --store URL]

Copies a backup to a file of SQLite's or a database of PostgreSQL's that stores nothing, whichever
the backup was made of. Reads all rows again and compares them before it commits. Then start the
service there.

  --from FILE       what \`tacet backup\` wrote
${stores}
${rest}`,
  options: { ...options, from: { type: 'string' } },
  run: (given, terminal) =>
    copying(given, terminal, 'restored', (specification) =>
      restore(specification, needed(given, 'from', '--from notes.backup'), placeOf(given, specification)),
    ),
};

/** `tacet move`: copies what a service stores to another store. */
export const moving: Command = {
  name: 'move',
  summary: 'copy what a service stores to another store, such as PostgreSQL',
  help: `usage: tacet move DOCUMENT --to PLACE [--data FILE | --store URL]

Copies all that the service of a document stores to another place that stores nothing, reads all
rows again and compares them, and commits. End the service first, and start it at the other place
then. The data stays where it was, too; remove it yourself.

  --to PLACE        a file of SQLite's, or postgres://USER@HOST/DATABASE
${stores}
${rest}`,
  options: { ...options, to: { type: 'string' } },
  run: (given, terminal) =>
    copying(given, terminal, 'moved', (specification) =>
      move(
        specification,
        placeOf(given, specification),
        storeNamed(needed(given, 'to', '--to postgres://USER@HOST/DATABASE')),
      ),
    ),
};

async function copying(
  given: Given,
  terminal: Terminal,
  done: string,
  copy: (specification: Specification) => Promise<readonly Copied[]>,
): Promise<0 | 1> {
  const { specification, diagnostics } = readDocument(given);
  if (hasErrors(diagnostics)) {
    printDiagnostics(diagnostics, terminal);
    return 1;
  }
  try {
    print(await copy(specification), done, terminal);
    return 0;
  } catch (error) {
    if (error instanceof StoreRefused) throw new UsageError(error.message);
    throw error;
  }
}

function needed(given: Given, option: string, example: string): string {
  const value = text(given, option);
  if (value === undefined) throw new UsageError(`--${option} is missing: ${example}`);
  return value;
}

function print(copied: readonly Copied[], done: string, { out }: Terminal): void {
  const rows = copied.reduce((sum, one) => sum + one.count, 0);
  out(`${done}: ${count(rows, 'row')} of ${count(copied.length, 'table')}, compared row by row\n`);
  const width = Math.max(0, ...copied.map(({ table }) => table.name.length));
  for (const { table, count: of, digest } of copied)
    out(`  ${table.name.padEnd(width)}  ${String(of).padStart(8)}  ${digest.slice(0, 16)}\n`);
}
