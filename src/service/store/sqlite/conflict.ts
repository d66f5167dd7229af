import { type Conflict, conflictsBy } from '../conflict.ts';
import type { Table } from '../store.ts';
import { indexName } from './indexes.ts';
import { codeOf, keyColumns, tableOf } from './open.ts';
import { columnOf } from './sql.ts';

/**
 * Tells by which unique fields a write met a row: SQLite tells in its message alone, which names an index that has an
 * expression, and the columns of any other.
 */
export function conflicts(tables: readonly Table[]): (error: unknown) => Conflict | null {
  const named = ({ name }: Table, columns: readonly string[]): string =>
    columns.map((column) => `${tableOf(name)}.${column}`).join(', ');
  const known = conflictsBy(tables, {
    key: (table) => named(table, keyColumns(table.keyFields)),
    index: (table, index) => {
      const columns = index.fields.map((field) => columnOf(table, field));
      return columns.every(isColumn) ? named(table, columns) : `index '${indexName(table, index)}'`;
    },
  });
  return (error) => {
    if (codeOf(error) !== 'SQLITE_CONSTRAINT_UNIQUE') return null;
    const [, named = ''] = /^UNIQUE constraint failed: (.*)$/.exec((error as Error).message) ?? [];
    return known.get(named) ?? null;
  };
}

function isColumn(printed: string): boolean {
  return /^[a-z]+\d+$/.test(printed);
}
