import type { Statement } from '../rows.ts';
import { NotRead, type Row, type Table } from '../store.ts';
import type { Connection } from './open.ts';
import { pieceRows } from './open.ts';
import { statements } from './statements.ts';

/** The streams that are open: a function for each, which ends it and lets go of its snapshot. */
export type Streams = Set<() => void>;

/** The rows in pieces, by a connection of its own, whose read is the snapshot. */
export async function* stream(
  connectTo: () => Connection,
  tables: readonly Table[],
  made: Statement,
  parameters: readonly unknown[],
  open: Streams,
): AsyncIterable<readonly Row[]> {
  const connection = connectTo();
  const rows = statements(connection, tables).each(made, parameters)[Symbol.iterator]();
  const end = (): void => {
    if (!open.delete(end)) return;
    rows.return?.();
    connection.close();
  };
  open.add(end);
  try {
    for (let isOver = false; !isOver; ) {
      if (!open.has(end))
        throw new NotRead('a list was read so slowly that the write-ahead log reached --max-log; it was cut');
      const piece: Row[] = [];
      while (piece.length < pieceRows && !isOver) {
        const { value, done } = rows.next();
        if (done === true) isOver = true;
        else piece.push(value);
      }
      if (piece.length > 0) yield piece;
    }
  } finally {
    end();
  }
}
