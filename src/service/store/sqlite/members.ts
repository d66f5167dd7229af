import type { Path, ValueKind } from '../../../expression/query.ts';
import type { Table } from '../store.ts';

/** A member as it is found in a document, as JSON text. */
export function jsonAt(document: string, path: Path): string {
  return `${document} -> ${textOf(jsonPath(path))}`;
}

/** The value of a member as it is found in a document, encoded as `values.ts` does. */
export function valueAt(document: string, path: Path, type: ValueKind): string {
  if (type === 'unknown') return `tacet_worth(${jsonAt(document, path)})`;
  if (type === 'boolean')
    return `CASE ${jsonAt(document, path)} WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' END`;
  return `${document} ->> ${textOf(jsonPath(path))}`;
}

/** The names of the columns in which a table keeps members besides, by what SQLite makes them of, whoever writes a row. */
export type ColumnNames = ReadonlyMap<string, string>;

export function columnNames({ columns = [] }: Pick<Table, 'columns'>): ColumnNames {
  const made = new Set(columns.map(({ path, type }) => valueAt('members', path, type)));
  return new Map([...made].sort().map((one, index) => [one, `c${index}`]));
}

export function jsonPath(path: Path): string {
  return `$${path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${JSON.stringify(name)}`)).join('')}`;
}

export function textOf(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
