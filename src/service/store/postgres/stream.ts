import type { Row, Statement } from '../store.ts';
import { type Connect, line } from './open.ts';
import { readyOf, rowOf } from './statements.ts';

/** How many rows of a list are read at once. */
const pieceRows = 1000;

/** The rows in pieces, by a cursor in a transaction of its own, whose read is the snapshot. */
export async function* stream(
  connectTo: Connect,
  statement: Statement,
  parameters: readonly unknown[],
): AsyncIterable<readonly Row[]> {
  const own = line(connectTo);
  try {
    const connection = await own.get();
    const { printed } = readyOf(statement);
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const values = [...printed.bind(parameters)];
    await connection.query({ text: `DECLARE list NO SCROLL CURSOR FOR ${printed.sql}`, values });
    for (;;) {
      const { rows } = await connection.query({ text: `FETCH ${pieceRows} FROM list`, rowMode: 'array' });
      if (rows.length > 0) yield (rows as unknown as (string | null)[][]).map(rowOf);
      if (rows.length < pieceRows) return;
    }
  } finally {
    await own.close();
  }
}
