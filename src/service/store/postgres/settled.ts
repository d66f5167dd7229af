import type { Store } from '../store.ts';
import { tableOf } from './printing/expressions.ts';
import type { Shared } from './shared.ts';
import { send, sent } from './statements.ts';

/** How long it is waited before it is asked again whether a transaction is over. */
const betweenMs = 5;

/**
 * The transactions under way that may have written to a table: each holds this lock on it from before a place is drawn
 * until whatever it kept is seen.
 */
const writers = sent(
  `SELECT DISTINCT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
    AND relation = to_regclass($1) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);

/** Tells when no row can come any more at a place up to one: whoever drew such a place is over. */
export function settling({ ask }: Shared): NonNullable<Store['settled']> {
  const known = new Map<string, number>();
  const writing = async (table: string): Promise<readonly unknown[]> => {
    const rows = await ask(undefined, (connection) => send(connection, writers, [tableOf(table)]));
    return rows.map(([transaction]) => transaction);
  };
  return async (table, place) => {
    if (place <= (known.get(table) ?? 0)) return;
    let left = await writing(table);
    while (left.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
      const now = await writing(table);
      left = left.filter((one) => now.includes(one));
    }
    known.set(table, Math.max(place, known.get(table) ?? 0));
  };
}
