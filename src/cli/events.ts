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
import { placeOf } from './serve/options.ts';

/** `tacet events`: shows what a service has told others, or is still to tell them, and has it told again. */
export const command: Command = {
  name: 'events',
  summary: 'list the events that a service keeps, or have them delivered again',
  help: `usage: tacet events DOCUMENT [--data FILE | --store URL] [--kind KIND] [--since TIME] [--until TIME]
                    [--json]
       tacet events DOCUMENT … --redeliver ID
       tacet events DOCUMENT … --replay [--kind KIND] [--since TIME] [--until TIME]
       tacet events DOCUMENT … --remove --until TIME [--kind KIND]

Lists the events that the service of a document has stored, in the order in which they were
committed, whether or not it runs meanwhile: when, of what kind, emitted by what, about what;
and where each is to go, or went. Or puts them in line again, for the addresses that they
went to; the service sends them when it runs, under the identifiers that they had. Or removes
those that nothing waits for: a stream then goes on after one of them with the next event.

  --data FILE       the SQLite file (default .tacet/NAME.sqlite, by the document's name)
  --store URL       a database of PostgreSQL's in place of the file
  --kind KIND       only those of this kind
  --since TIME      only those of this time (RFC 3339) and later
  --until TIME      only those before this time
  --redeliver ID    has this event delivered again
  --replay          has all that would be listed delivered again
  --remove          removes all that would be listed, with what is noted of their deliveries,
                    but for those that are in line still, and the last one; the service may
                    run meanwhile
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
    until: { type: 'string' },
    redeliver: { type: 'string', multiple: true },
    replay: { type: 'boolean' },
    remove: { type: 'boolean' },
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
    const isRemoving = removes(given);
    const events = await opened(placeOf(given, specification));
    try {
      if (isRemoving) {
        const removed = await events.remove(filtered(events, isWanted));
        terminal.out(`removed: ${count(removed, 'event')}\n`);
        return 0;
      }
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
  const kind = text(given, 'kind');
  const from = timeOf(given, 'since') ?? Number.NEGATIVE_INFINITY;
  const to = timeOf(given, 'until') ?? Number.POSITIVE_INFINITY;
  return ({ event }) => {
    const at = Date.parse(event.at);
    return (kind === undefined || event.kind === kind) && at >= from && at < to;
  };
}

function timeOf(given: Given, option: 'since' | 'until'): number | undefined {
  const written = text(given, option);
  if (written === undefined) return undefined;
  const time = Date.parse(written);
  if (Number.isNaN(time)) throw new UsageError(`${written} is no time: 2026-11-01T12:00:00Z is wanted`);
  return time;
}

/** Whether events are to be removed, and not listed or delivered again. */
function removes(given: Given): boolean {
  if (given.values['remove'] !== true) return false;
  if (given.values['replay'] === true || texts(given, 'redeliver').length > 0)
    throw new UsageError('--remove and what delivers again are two things; name one');
  if (text(given, 'until') === undefined)
    throw new UsageError('say before when: --remove --until 2026-11-01T12:00:00Z');
  return true;
}

async function* filtered(events: EventsKept, isWanted: Filter): AsyncIterable<Listed> {
  for await (const one of events.list()) if (isWanted(one)) yield one;
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
  for await (const listed of filtered(events, isWanted)) {
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
