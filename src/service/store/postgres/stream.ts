import type { Row, Statement } from '../store.ts';
import { begin, type Connect, type Connection, limit, line } from './open.ts';
import { snapshot } from './reading.ts';
import type { Statements } from './statements.ts';

/** How many rows of a list are read at once. */
const pieceRows = 1000;

/**
 * The rows in pieces, by a cursor in a transaction of its own, whose read is the snapshot.
 *
 * @param enter begins the transaction
 */
export async function* stream(
  connectTo: Connect,
  { printed }: Statements,
  statement: Statement,
  parameters: readonly unknown[],
  timeMs?: number,
  enter: (connection: Connection) => Promise<unknown> = (connection) => begin(connection, snapshot),
): AsyncGenerator<readonly Row[], void> {
  const own = line(() => connectTo('list'));
  const { ask, row } = printed(statement);
  const { sql, bound } = ask(parameters);
  try {
    const connection = await own.get();
    limit(connection, timeMs);
    await enter(connection);
    await connection.query({ text: `DECLARE list NO SCROLL CURSOR FOR ${sql}`, values: [...bound] });
    for (;;) {
      const { rows } = await connection.query<unknown[]>({
        text: `FETCH ${pieceRows} FROM list`,
        rowMode: 'array',
      });
      if (rows.length > 0) yield rows.map(row);
      if (rows.length < pieceRows) return;
    }
  } finally {
    await own.close();
  }
}
