import type { Table } from '../store.ts';
import { indexName, keyName, namesOf } from './indexes.ts';

/** What a row that could not be written has in common with another. */
export interface Conflict {
  readonly table: string;
  readonly fields: readonly string[];
}

/** Tells by which unique fields a write met a row: PostgreSQL names the index. */
export function conflicts(tables: readonly Table[]): (error: unknown) => Conflict | null {
  const known = new Map<string, Conflict>();
  for (const table of tables) {
    const { name, keyFields, indexes = [] } = table;
    known.set(keyName(table), { table: name, fields: keyFields });
    for (const index of indexes) known.set(indexName(table, index), { table: name, fields: namesOf(index) });
  }
  return (error) => {
    const { code, constraint = '' } = error as { readonly code?: string; readonly constraint?: string };
    return code === '23505' ? (known.get(constraint) ?? null) : null;
  };
}
