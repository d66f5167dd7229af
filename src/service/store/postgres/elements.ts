import { type Elements, elementsIn } from '../elements.ts';
import type { Table } from '../store.ts';
import { kindsOf } from './keys.ts';
import { quoted, shortened } from './names.ts';
import type { Connection } from './open.ts';
import { memberOf } from './printing/columns.ts';
import { tableOf } from './printing/expressions.ts';
import { columnOf, isNullable } from './printing/sql.ts';

/** How the names begin of what is made for elements of lists. */
const beginning = 'tacet each';

/** The tables of the elements of lists that there are beside a table. */
export function elementsOf(table: Table): readonly Elements[] {
  const nameOf = (digest: string): string => shortened(`${beginning} ${digest} ${table.name}`);
  return elementsIn(table, (field) => columnOf(table, field, kindsOf(table)), nameOf);
}

/**
 * Removes those that are not asked for, and makes those that are missing, of the rows that are there; whether there were
 * any. Their columns are those that `columnOf` prints, and `value` is what `tacet_element` makes of an element.
 */
export async function layOutElements(connection: Connection, table: Table): Promise<boolean> {
  const there = new Set(await namesOf(connection, table));
  const wanted = new Map(elementsOf(table).map((one) => [one.name, one]));
  const gone = [...there].filter((name) => !wanted.has(name));
  const missing = [...wanted.values()].filter(({ name }) => !there.has(name));
  for (const name of gone) await drop(connection, name);
  for (const one of missing) await make(connection, table, one);
  return gone.length + missing.length > 0;
}

async function make(connection: Connection, table: Table, { name, path, fields }: Elements): Promise<void> {
  const [of, beside] = [tableOf(table.name), quoted(name)];
  const list = memberOf('r.document', path, 'unknown').sql;
  const columns = fields.map((field) => columnOf(table, field, kindsOf(table)));
  // `in` finds an element of a list, and the name of a member of an object.
  const found = `CASE jsonb_typeof(${list}) WHEN 'array' THEN ${list} WHEN 'object' THEN to_jsonb(ARRAY(SELECT jsonb_object_keys(${list}))) ELSE '[]' END`;
  const shown = columns.map((column, index) => `${column} AS o${index}, `).join('');
  /** The rows of the table that rows come to. */
  const elements = (rows: string): string =>
    `SELECT DISTINCT tacet_element(e.element) COLLATE "C" AS value, ${shown}place
      FROM ${rows} AS r CROSS JOIN LATERAL jsonb_array_elements(${found}) AS e (element)
      WHERE jsonb_typeof(e.element) IN ('string', 'number')`;
  const keep = (event: string, tables: string): string =>
    `CREATE TRIGGER ${quoted(shortened(`${name} ${event}`))} AFTER ${event} ON ${of} REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${beside}();`;
  // Left without its triggers where the table that it is of was laid out anew.
  await drop(connection, name);
  const ordered = fields.map(
    (field, index) => `o${index}${isNullable(table, field, kindsOf(table)) ? ' NULLS FIRST' : ''}`,
  );
  await connection.query(`
    CREATE TABLE ${beside} AS ${elements(of)};
    ALTER TABLE ${beside} ADD PRIMARY KEY (place, value);
    CREATE INDEX ON ${beside} (${['value', ...ordered, 'place'].join(', ')});
    ANALYZE ${beside};
    CREATE FUNCTION ${beside}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $tacet$ BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO ${beside} ${elements('made')};
      ELSIF TG_OP = 'DELETE' THEN
        DELETE FROM ${beside} AS s USING gone AS r WHERE s.place = r.place;
      ELSE
        DELETE FROM ${beside} AS s USING (${elements('gone')} EXCEPT ${elements('made')}) AS r WHERE s.place = r.place AND s.value = r.value;
        INSERT INTO ${beside} ${elements('made')} EXCEPT ${elements('gone')};
      END IF;
      RETURN NULL;
    END $tacet$;
    ${keep('INSERT', 'NEW TABLE AS made')}
    ${keep('DELETE', 'OLD TABLE AS gone')}
    ${keep('UPDATE', 'OLD TABLE AS gone NEW TABLE AS made')}
  `);
}

/** The triggers go with the function. */
async function drop(connection: Connection, name: string): Promise<void> {
  await connection.query(
    `DROP FUNCTION IF EXISTS ${quoted(name)}() CASCADE; DROP TABLE IF EXISTS ${quoted(name)}`,
  );
}

/** Those that are kept of a table's rows: of which there are triggers. */
async function namesOf(connection: Connection, { name }: Table): Promise<string[]> {
  const { rows } = await connection.query({
    text: 'SELECT DISTINCT p.proname FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid WHERE t.tgrelid = to_regclass($1) AND starts_with(p.proname, $2)',
    values: [tableOf(name), beginning],
    rowMode: 'array',
  });
  return (rows as unknown as [string][]).map(([one]) => one);
}
