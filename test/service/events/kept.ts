import Database from 'better-sqlite3';
import { type Delivery, deliveryOf } from '../../../src/service/events/deliveries.ts';
import { type Event, eventOf } from '../../../src/service/events/event.ts';

/** The events that a service keeps, in the order in which they were committed. */
export function eventsIn({ data }: { readonly data: string }): Event[] {
  const database = new Database(data, { readonly: true });
  const rows = database.prepare('SELECT key0, members FROM event ORDER BY place').raw().all();
  database.close();
  return (rows as [string, string][]).map(([id, text]) => eventOf({ key: [id], text }));
}

/** What is in line, or was, in the order in which it was put there. */
export function deliveriesIn({ data }: { readonly data: string }): Delivery[] {
  const database = new Database(data, { readonly: true });
  const rows = database.prepare('SELECT key0, key1, key2, key3, members FROM delivery ORDER BY place').raw();
  const found = rows.all() as [string, string, string, string, string][];
  database.close();
  return found.map(([way, target, event, turn, text]) =>
    deliveryOf({ key: [way, target, event, turn], text }),
  );
}

/** Waits, turn by turn of the event loop, until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => setImmediate(resolve));
}
