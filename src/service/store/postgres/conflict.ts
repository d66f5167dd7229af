import { type Conflict, conflictsBy } from '../conflict.ts';
import type { Table } from '../store.ts';
import { indexName, keyName } from './indexes.ts';

/** Tells by which unique fields a write met a row: PostgreSQL names the index. */
export function conflicts(tables: readonly Table[]): (error: unknown) => Conflict | null {
  const known = conflictsBy(tables, { key: keyName, index: indexName });
  return (error) => {
    const { code, constraint = '' } = error as { readonly code?: string; readonly constraint?: string };
    return code === '23505' ? (known.get(constraint) ?? null) : null;
  };
}
