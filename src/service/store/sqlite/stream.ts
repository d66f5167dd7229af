import type { Statement } from '../rows.ts';
import type { Row, Table } from '../store.ts';
import type { Connection } from './open.ts';
import { pieceRows } from './open.ts';
import { statements } from './statements.ts';

/** The rows in pieces, by a connection of its own, whose read is the snapshot. */
export async function* stream(
  connectTo: () => Connection,
  tables: readonly Table[],
  made: Statement,
  parameters: readonly unknown[],
): AsyncIterable<readonly Row[]> {
  const connection = connectTo();
  try {
    let piece: Row[] = [];
    for (const row of statements(connection, tables).each(made, parameters)) {
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
