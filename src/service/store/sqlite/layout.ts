import { StoreRefused, type Table } from '../store.ts';
import { type Connection, tableOf } from './open.ts';

/** Makes the tables that are missing, all or none. What is kept under another identifier is refused. */
export function layOut(connection: Connection, tables: readonly Table[], file: string): void {
  connection
    .transaction(() => {
      connection.exec(
        'CREATE TABLE IF NOT EXISTS tacet (resource TEXT PRIMARY KEY, identifier TEXT NOT NULL) STRICT',
      );
      connection.exec('CREATE TABLE IF NOT EXISTS tacet_latest (microseconds INTEGER NOT NULL) STRICT');
      connection.exec('INSERT INTO tacet_latest SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM tacet_latest)');
      const known = connection.prepare('SELECT identifier FROM tacet WHERE resource = ?').pluck();
      const note = connection.prepare('INSERT OR REPLACE INTO tacet (resource, identifier) VALUES (?, ?)');
      for (const { name, keyFields } of tables) {
        const table = `"${tableOf(name)}"`;
        const identifier = JSON.stringify(keyFields);
        const before = known.get(name);
        if (before === identifier) continue;
        if (before !== undefined && connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)
          throw new StoreRefused(
            `${file} keeps ${name} under the identifier ${String(before)}, and it is ${identifier} now; name another file with --data`,
          );
        const keys = keyColumns(keyFields);
        const columns = keys.map((key) => `${key} ANY NOT NULL`).join(', ');
        connection.exec(`DROP TABLE IF EXISTS ${table}`);
        connection.exec(
          `CREATE TABLE ${table} (place INTEGER PRIMARY KEY, ${columns}, members TEXT NOT NULL, UNIQUE (${keys.join(', ')})) STRICT`,
        );
        note.run(name, identifier);
      }
    })
    .immediate();
}

/** The columns of a key, one for each of its fields. */
export function keyColumns(fields: readonly unknown[]): string[] {
  return fields.map((_, index) => `key${index}`);
}
