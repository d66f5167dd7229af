import { query, rowOf } from '../../../expression/query.ts';
import { type Statement, statement } from '../rows.ts';
import type { Row, Scan, Table } from '../store.ts';
import type { Connection } from './open.ts';
import { pieceRows } from './open.ts';
import { type Statements, statements } from './statements.ts';

/** The rows in pieces, by a connection of its own, whose read is the snapshot. */
export async function* stream(
  connectTo: () => Connection,
  made: Statement,
  parameters: readonly unknown[],
): AsyncIterable<readonly Row[]> {
  const connection = connectTo();
  try {
    let piece: Row[] = [];
    for (const row of statements(connection).each(made, parameters)) {
      piece.push(row);
      if (piece.length < pieceRows) continue;
      yield piece;
      piece = [];
    }
    if (piece.length > 0) yield piece;
  } finally {
    connection.close();
  }
}

/** All rows of a table, as a stream where they are more than one piece. */
export function scanOf(
  table: Table,
  { each }: Statements,
  pieces: (all: Statement) => AsyncIterable<readonly Row[]>,
): () => Scan {
  const all = statement(query(rowOf(table)));
  return () => {
    const first: Row[] = [];
    for (const row of each(all, [])) if (first.push(row) > pieceRows) break;
    return { few: first.length > pieceRows ? null : first, pieces: () => pieces(all) };
  };
}
