import type { Path, ValueKind } from '../../../expression/query.ts';
import type { KeptText, Table } from '../store.ts';

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

export function columnNames({ columns = [], texts = [] }: Pick<Table, 'columns' | 'texts'>): ColumnNames {
  const made = new Set([
    ...columns.map(({ path, type }) => valueAt('members', path, type)),
    ...texts.map((text) => keptAt('', text)),
  ]);
  return new Map([...made].sort().map((one, index) => [one, `c${index}`]));
}

/**
 * What stands of a row in a text as it is kept: the members of an object in JSON, without its braces.
 *
 * @param row what stands before the name of a column
 */
export function keptAt(row: string, { keys, shows, leaves }: KeptText): string {
  const members = `${row}members`;
  const own = keys
    .map(({ name, key }) => `${textOf(`${JSON.stringify(name)}:`)} || json_quote(${row}key${key})`)
    .join(` || ',' || `);
  if (shows !== null) {
    const each = shows.map(
      (name) => `coalesce(${textOf(`,${JSON.stringify(name)}:`)} || (${jsonAt(members, [name])}), '')`,
    );
    if (own !== '') return [own, ...each].join(' || ');
    return each.length === 0 ? `''` : `substr(${each.join(' || ')}, 2)`;
  }
  const left = leaves.map((name) => textOf(jsonPath([name])));
  const all = left.length === 0 ? members : `json_remove(${[members, ...left].join(', ')})`;
  const within = `substr(${all}, 2, length(${all}) - 2)`;
  return own === '' ? within : `${own} || CASE ${all} WHEN '{}' THEN '' ELSE ',' || ${within} END`;
}

export function jsonPath(path: Path): string {
  return `$${path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${JSON.stringify(name)}`)).join('')}`;
}

export function textOf(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
