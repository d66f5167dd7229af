import type { Statement } from 'better-sqlite3';
import type { Table } from '../store.ts';
import { type Connection, keyColumns, tableOf } from './open.ts';

/** What is done to one table. */
export interface TableStatements {
  readonly find: Statement<unknown[]>;
  readonly insert: Statement<unknown[]>;
  readonly update: Statement<unknown[]>;
  readonly remove: Statement<unknown[]>;
  readonly removeEvery: Statement<unknown[]>;
}

export function tableStatements(connection: Connection, { name, keyFields }: Table): TableStatements {
  const keys = keyColumns(keyFields);
  const of = `"${tableOf(name)}"`;
  const matches = keys.map((key) => `${key} = ?`).join(' AND ');
  const marks = keys.map(() => '?').join(', ');
  return {
    find: connection.prepare(`SELECT members FROM ${of} WHERE ${matches}`).pluck(),
    insert: connection.prepare(`INSERT INTO ${of} (${keys.join(', ')}, members) VALUES (${marks}, ?)`),
    update: connection.prepare(`UPDATE ${of} SET members = ? WHERE ${matches}`),
    remove: connection.prepare(`DELETE FROM ${of} WHERE ${matches}`),
    removeEvery: connection.prepare(`DELETE FROM ${of}`),
  };
}
