import { type EventsKept, openEvents } from '../service/events/listing.ts';
import { StoreRefused } from '../service/store/store.ts';
import { type Command, hasErrors, printDiagnostics, readDocument, text, UsageError } from './command.ts';
import { placeOf } from './serve.ts';

/** `tacet events`: shows what a service has told others, or is still to tell them. */
export const command: Command = {
  name: 'events',
  summary: 'list the events that a service keeps',
  help: `usage: tacet events DOCUMENT [--data FILE | --store URL] [--kind KIND] [--json]

Lists the events that the service of a document has stored, in the order in which they were
committed, whether or not it runs meanwhile: when, of what kind, emitted by what, about what.

  --data FILE       the SQLite file (default .tacet/NAME.sqlite, by the document's name)
  --store URL       a database of PostgreSQL's in place of the file
  --kind KIND       only those of this kind
  --json            a line of JSON for each
  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0, 1 the document has errors, 2 wrong use, or nothing is kept there
`,
  options: {
    data: { type: 'string' },
    store: { type: 'string' },
    kind: { type: 'string' },
    json: { type: 'boolean' },
    assume: { type: 'string' },
  },
  run: async (given, terminal) => {
    const { specification, diagnostics } = readDocument(given);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, terminal);
      return 1;
    }
    const kind = text(given, 'kind');
    const events = await opened(placeOf(given, specification));
    try {
      for await (const event of events.list()) {
        if (kind !== undefined && event.kind !== kind) continue;
        const { id, at, kind: of, by, item, content } = event;
        const line =
          given.values['json'] === true
            ? JSON.stringify(event)
            : [at, id, of, by, item?.join(' ') ?? '', content === null ? 'not to be delivered' : '']
                .join('  ')
                .trimEnd();
        terminal.out(`${line}\n`);
      }
    } finally {
      await events.close();
    }
    return 0;
  },
};

async function opened(place: string): Promise<EventsKept> {
  try {
    return await openEvents(place);
  } catch (error) {
    if (error instanceof StoreRefused) throw new UsageError(error.message);
    throw error;
  }
}
