import type { Key, Row, Table } from '../store.ts';
import { keysOf } from './keys.ts';
import { keyColumns } from './names.ts';
import type { Connection } from './open.ts';
import { tableOf } from './printing/expressions.ts';
import type { Write } from './replay/overlay.ts';
import { rowName } from './replay/replay.ts';
import { columnsOf, send, sent } from './statements.ts';

/** Sends what was written to one table; what came of it is told once it is known. */
export interface TableWrites {
  readonly insert: (connection: Connection, rows: readonly Row[]) => Promise<unknown>;
  readonly update: (connection: Connection, rows: readonly Row[]) => Promise<unknown>;
  readonly remove: (connection: Connection, keys: readonly Key[]) => Promise<unknown>;
  readonly clear: (connection: Connection) => Promise<unknown>;
}

export function tableWrites(table: Table): TableWrites {
  const { casts, encoded } = keysOf(table);
  const keys = keyColumns(table.keyFields);
  const width = keys.length;
  const of = tableOf(table.name);
  const given = casts.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const columns = [...keys, 'members'].join(', ');
  const rows = `unnest(${given}, $${width + 1}::text[])`;
  const matches = keys.map((key) => `r.${key} = g.${key}`).join(' AND ');
  const marks = [...keys, 'members'].map((_, index) => `$${index + 1}`).join(', ');
  const insert = sent(
    `INSERT INTO ${of} (${columns}) SELECT ${columns} FROM ${rows} WITH ORDINALITY AS g (${columns}, n) ORDER BY n`,
  );
  const insertOne = sent(
    table.hasBytes
      ? `INSERT INTO ${of} (${columns}, bytes) VALUES (${marks}, $${width + 2})`
      : `INSERT INTO ${of} (${columns}) VALUES (${marks})`,
  );
  const update = sent(
    `UPDATE ${of} AS r SET members = g.members FROM ${rows} AS g (${columns}) WHERE ${matches}`,
  );
  const remove = sent(
    `DELETE FROM ${of} AS r USING unnest(${given}) AS g (${keys.join(', ')}) WHERE ${matches}`,
  );
  const clear = sent(`DELETE FROM ${of}`);
  const values = ({ key, text, bytes }: Row): readonly unknown[] => [
    ...encoded(key),
    text,
    ...(bytes ? [bytes] : []),
  ];
  return {
    insert: (connection, all) => {
      const [only, second] = all;
      // Bytes go as they are, and not within an array.
      if (table.hasBytes) return Promise.all(all.map((row) => send(connection, insertOne, values(row))));
      return only && second === undefined
        ? send(connection, insertOne, values(only))
        : send(connection, insert, columnsOf(all.map(values), width + 1));
    },
    update: (connection, all) => send(connection, update, columnsOf(all.map(values), width + 1)),
    remove: (connection, all) => send(connection, remove, columnsOf(all.map(encoded), width)),
    clear: (connection) => send(connection, clear),
  };
}

/** What becomes of the rows of a table in the end, whatever was written to them meanwhile. */
interface Net {
  isCleared: boolean;
  /** By name, in the order in which they were first written to. */
  readonly rows: Map<string, { readonly key: Key; isThere: boolean; isRemoved: boolean; row: Row | null }>;
}

/**
 * Sends writes as few statements. What is done to different tables has no order; of one table the rows that go make
 * way for those that come.
 */
export function sendNet(
  connection: Connection,
  writes: readonly Write[],
  of: (table: string) => TableWrites,
): Promise<unknown>[] {
  const nets = new Map<string, Net>();
  for (const write of writes) {
    const net = nets.get(write.table) ?? { isCleared: false, rows: new Map() };
    nets.set(write.table, net);
    if (write.kind === 'clear') {
      net.isCleared = true;
      net.rows.clear();
      continue;
    }
    const key = write.kind === 'remove' ? write.key : write.row.key;
    const name = rowName(write.table, key);
    const known = net.rows.get(name) ?? {
      key,
      isThere: write.kind !== 'insert' && !net.isCleared,
      isRemoved: false,
      row: null,
    };
    // One that is made again stands behind those that were made meanwhile.
    if (write.kind === 'insert') net.rows.delete(name);
    net.rows.set(name, known);
    if (write.kind === 'remove') Object.assign(known, { isRemoved: known.isThere, row: null });
    else known.row = write.row;
  }
  return [...nets].flatMap(([table, { isCleared, rows }]) => {
    const { insert, update, remove, clear } = of(table);
    const all = [...rows.values()];
    const gone = all.filter(({ isRemoved }) => isRemoved).map(({ key }) => key);
    const changed = all.flatMap(({ isThere, isRemoved, row }) => (isThere && !isRemoved && row ? [row] : []));
    const made = all.flatMap(({ isThere, isRemoved, row }) => (row && (!isThere || isRemoved) ? [row] : []));
    return [
      ...(isCleared ? [clear(connection)] : []),
      ...(gone.length > 0 ? [remove(connection, gone)] : []),
      ...(changed.length > 0 ? [update(connection, changed)] : []),
      ...(made.length > 0 ? [insert(connection, made)] : []),
    ];
  });
}

/** Sends writes one after another, as they were made. */
export function sendEach(
  connection: Connection,
  writes: readonly Write[],
  of: (table: string) => TableWrites,
): Promise<unknown>[] {
  const sending = (write: Write): Promise<unknown> => {
    const { insert, update, remove, clear } = of(write.table);
    switch (write.kind) {
      case 'insert':
        return insert(connection, [write.row]);
      case 'update':
        return update(connection, [write.row]);
      case 'remove':
        return remove(connection, [write.key]);
      case 'clear':
        return clear(connection);
    }
  };
  return writes.map(sending);
}
