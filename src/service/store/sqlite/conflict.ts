import type { Table } from '../store.ts';
import { indexName, namesOf } from './indexes.ts';
import { codeOf, tableOf } from './open.ts';

/** What a row that could not be written has in common with another. */
export interface Conflict {
  readonly table: string;
  readonly fields: readonly string[];
}

/** Tells by which unique fields a write met a row: SQLite names them in its message alone. */
export function conflicts(tables: readonly Table[]): (error: unknown) => Conflict | null {
  const known = new Map<string, Conflict>();
  for (const table of tables) {
    const { name, keyFields, indexes = [] } = table;
    known.set(`${tableOf(name)}.key0`, { table: name, fields: keyFields });
    for (const index of indexes)
      known.set(`index '${indexName(table, index)}'`, { table: name, fields: namesOf(index) });
  }
  return (error) => {
    if (codeOf(error) !== 'SQLITE_CONSTRAINT_UNIQUE') return null;
    const [, named = ''] = /^UNIQUE constraint failed: ([^,]*)/.exec((error as Error).message) ?? [];
    return known.get(named) ?? null;
  };
}
