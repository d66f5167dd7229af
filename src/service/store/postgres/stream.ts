import type { Row, Statement } from '../store.ts';
import { begin, type Connect, limit, line } from './open.ts';
import type { Statements } from './statements.ts';

/** How many rows of a list are read at once. */
const pieceRows = 1000;

/** The rows in pieces, by a cursor in a transaction of its own, whose read is the snapshot. */
export async function* stream(
  connectTo: Connect,
  { printed }: Statements,
  statement: Statement,
  parameters: readonly unknown[],
  timeMs?: number,
): AsyncIterable<readonly Row[]> {
  const own = line(() => connectTo('list'));
  const { ask, row } = printed(statement);
  const { sql, bound } = ask(parameters);
  try {
    const connection = await own.get();
    limit(connection, timeMs);
    await begin(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
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
