import { type Conflict, conflictsBy } from '../conflict.ts';
import type { Table } from '../store.ts';
import { indexName } from './indexes.ts';
import { codeOf, tableOf } from './open.ts';

/** Tells by which unique fields a write met a row: SQLite names them in its message alone. */
export function conflicts(tables: readonly Table[]): (error: unknown) => Conflict | null {
  const known = conflictsBy(tables, {
    key: ({ name }) => `${tableOf(name)}.key0`,
    index: (table, index) => `index '${indexName(table, index)}'`,
  });
  return (error) => {
    if (codeOf(error) !== 'SQLITE_CONSTRAINT_UNIQUE') return null;
    const [, named = ''] = /^UNIQUE constraint failed: ([^,]*)/.exec((error as Error).message) ?? [];
    return known.get(named) ?? null;
  };
}
