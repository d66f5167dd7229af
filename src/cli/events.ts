import type { Delivery } from '../service/events/deliveries.ts';
import { type EventsKept, type Listed, openEvents } from '../service/events/listing.ts';
import { StoreRefused } from '../service/store/store.ts';
import {
  type Command,
  count,
  type Given,
  hasErrors,
  printDiagnostics,
  readDocument,
  type Terminal,
  text,
  texts,
  UsageError,
} from './command.ts';
import { placeOf } from './serve.ts';

/** `tacet events`: shows what a service has told others, or is still to tell them, and has it told again. */
export const command: Command = {
  name: 'events',
  summary: 'list the events that a service keeps, or have them delivered again',
  help: `usage: tacet events DOCUMENT [--data FILE | --store URL] [--kind KIND] [--since TIME] [--json]
       tacet events DOCUMENT … --redeliver ID
       tacet events DOCUMENT … --replay [--kind KIND] [--since TIME]

Lists the events that the service of a document has stored, in the order in which they were
committed, whether or not it runs meanwhile: when, of what kind, emitted by what, about what;
and where each is to go, or went. Or puts them in line again, for the addresses that they
went to; the service sends them when it runs, under the identifiers that they had.

  --data FILE       the SQLite file (default .tacet/NAME.sqlite, by the document's name)
  --store URL       a database of PostgreSQL's in place of the file
  --kind KIND       only those of this kind
  --since TIME      only those of this time (RFC 3339) and later
  --redeliver ID    has this event delivered again
  --replay          has all that would be listed delivered again
  --way NAME        by this delivery of part 6 alone
  --json            a line of JSON for each
  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0, 1 the document has errors, 2 wrong use, or nothing is kept there
`,
  options: {
    data: { type: 'string' },
    store: { type: 'string' },
    kind: { type: 'string' },
    since: { type: 'string' },
    redeliver: { type: 'string', multiple: true },
    replay: { type: 'boolean' },
    way: { type: 'string' },
    json: { type: 'boolean' },
    assume: { type: 'string' },
  },
  run: async (given, terminal) => {
    const { specification, diagnostics } = readDocument(given);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, terminal);
      return 1;
    }
    const isWanted = filterOf(given);
    const events = await opened(placeOf(given, specification));
    try {
      const again = await wantedAgain(given, events, isWanted);
      if (again === null) await show(given, events, isWanted, terminal);
      else await putInLine(given, events, again, terminal);
    } finally {
      await events.close();
    }
    return 0;
  },
};

type Filter = (listed: Listed) => boolean;

function filterOf(given: Given): Filter {
  const [kind, since] = [text(given, 'kind'), text(given, 'since')];
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  if (Number.isNaN(from)) throw new UsageError(`${since} is no time: 2026-11-01T12:00:00Z is wanted`);
  return ({ event }) => (kind === undefined || event.kind === kind) && Date.parse(event.at) >= from;
}

/** The events that are to be delivered again; null: they are only to be listed. */
async function wantedAgain(given: Given, events: EventsKept, isWanted: Filter): Promise<Listed[] | null> {
  const ids = texts(given, 'redeliver');
  const isReplay = given.values['replay'] === true;
  if (isReplay && ids.length > 0) throw new UsageError('--redeliver and --replay are two things; name one');
  if (!isReplay && ids.length === 0) {
    if (text(given, 'way') !== undefined) throw new UsageError('--way goes with --redeliver or --replay');
    return null;
  }
  const found: Listed[] = [];
  for await (const one of events.list())
    if (isReplay ? isWanted(one) : ids.includes(one.event.id)) found.push(one);
  const missing = ids.find((id) => !found.some(({ event }) => event.id === id));
  if (missing !== undefined) throw new UsageError(`no event ${missing} is kept there`);
  return found;
}

async function putInLine(
  given: Given,
  events: EventsKept,
  again: readonly Listed[],
  { out, now = Date.now }: Terminal,
): Promise<void> {
  const turn = new Date(now()).toISOString();
  const deliveries = await events.redeliver(again, text(given, 'way'), turn);
  out(`in line again: ${count(deliveries, 'delivery', 'deliveries')} of ${count(again.length, 'event')}\n`);
}

async function show(given: Given, events: EventsKept, isWanted: Filter, terminal: Terminal): Promise<void> {
  for await (const listed of events.list()) {
    if (!isWanted(listed)) continue;
    const { event, deliveries } = listed;
    if (given.values['json'] === true) {
      terminal.out(`${JSON.stringify({ ...event, deliveries })}\n`);
      continue;
    }
    const { id, at, kind, by, item, content } = event;
    const held = content === null ? '  not to be delivered' : '';
    terminal.out(`${[at, id, kind, by, item?.join(' ') ?? ''].join('  ').trimEnd()}${held}\n`);
    for (const one of deliveries) terminal.out(`    ${told(one)}\n`);
  }
}

/** How a delivery stands, in a line. */
function told({ way, target, due, tries, last, arrived }: Delivery): string {
  const to = target === '' ? way : `${way} ${(JSON.parse(target) as unknown[]).join(' ')}`;
  if (due === 0) return `${to}: not tried yet`;
  const state = arrived ? 'arrived' : due === undefined ? 'given up' : 'tried again later';
  return `${to}: ${state}, ${count(tries, 'attempt')}, the last ${last}`;
}

async function opened(place: string): Promise<EventsKept> {
  try {
    return await openEvents(place);
  } catch (error) {
    if (error instanceof StoreRefused) throw new UsageError(error.message);
    throw error;
  }
}
