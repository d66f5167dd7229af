import type { Index, Table } from './table.ts';

/** What a row that could not be written has in common with another. */
export interface Conflict {
  readonly table: string;
  readonly fields: readonly string[];
}

/** What a store calls its indexes where a row that is met by one cannot be written. */
interface Names {
  readonly key: (table: Table) => string;
  readonly index: (table: Table, index: Index) => string;
}

/** By which fields rows meet, by the name of the index. */
export function conflictsBy(tables: readonly Table[], names: Names): ReadonlyMap<string, Conflict> {
  const known = new Map<string, Conflict>();
  for (const table of tables) {
    const { name, keyFields, indexes = [] } = table;
    known.set(names.key(table), { table: name, fields: keyFields });
    for (const index of indexes)
      known.set(names.index(table, index), { table: name, fields: namesOf(index) });
  }
  return known;
}

/** The fields of an index, as messages name them. */
export function namesOf({ fields }: Index): string[] {
  return fields.map(({ path }) => path.join('.'));
}
