import Database from 'better-sqlite3';
import type { Event } from '../../../src/service/events/event.ts';

/** The events that a service keeps, in the order in which they were committed. */
export function eventsIn({ data }: { readonly data: string }): Event[] {
  const database = new Database(data, { readonly: true });
  const rows = database.prepare('SELECT key0, members FROM event ORDER BY place').raw().all();
  database.close();
  return (rows as [string, string][]).map(([id, members]) => ({ id, ...JSON.parse(members) }) as Event);
}
