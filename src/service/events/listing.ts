import { place, query, rowOf } from '../../expression/query.ts';
import { openBeside } from '../store/open.ts';
import { statement } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type Event, eventOf, eventTable } from './event.ts';

/** The events that are kept at a place, beside the service that runs there, if one does. */
export interface EventsKept {
  /** All of them, in the order in which they were committed. */
  readonly list: () => AsyncIterable<Event>;
  readonly close: () => Promise<void>;
}

/** @throws StoreRefused where nothing is kept there, or no events are */
export async function openEvents(at: string): Promise<EventsKept> {
  const store = await openBeside(at, [eventTable]);
  return { list: () => listed(store), close: async () => void (await store.close()) };
}

async function* listed(store: Store): AsyncIterable<Event> {
  const row = rowOf(eventTable);
  const all = statement(query(row, { order: [{ by: place(row), descending: false }] }));
  for await (const piece of store.stream(all, [])) for (const one of piece) yield eventOf(one);
}
