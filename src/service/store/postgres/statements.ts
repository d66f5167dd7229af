import type { Key, Row, Statement, Table } from '../store.ts';
import { keyColumns, tableOf } from './names.ts';
import type { Connection } from './open.ts';
import type { Asked, Gave, Need } from './replay.ts';
import { type Printed, print } from './sql.ts';

/** A statement as it is sent: prepared on each connection when it is first sent there. */
interface Sent {
  readonly name: string;
  readonly text: string;
}

let prepared = 0;

/** A statement under a name of its own. */
export function sent(text: string): Sent {
  prepared += 1;
  return { name: `tacet${prepared}`, text };
}

export function send(
  connection: Connection,
  statement: Sent,
  values: readonly unknown[] = [],
): Promise<readonly (readonly (string | null)[])[]> {
  return connection
    .query({ ...statement, values: values as unknown[], rowMode: 'array' })
    .then(({ rows }) => rows as unknown as (string | null)[][]);
}

/** A query as PostgreSQL is asked it. */
interface Ready {
  readonly number: number;
  readonly printed: Printed;
  readonly sent: Sent;
}

const ready = new WeakMap<Statement, Ready>();
let count = 0;

export function readyOf(statement: Statement): Ready {
  const known = ready.get(statement);
  if (known) return known;
  const printed = print(statement.query);
  count += 1;
  const one = { number: count, printed, sent: sent(printed.sql) };
  ready.set(statement, one);
  return one;
}

/** What is to be asked; throws where what is bound could not be worked out. */
export function asking(
  statement: Statement,
  gives: Asked['gives'],
  parameters: readonly unknown[],
): Need & { kind: 'ask' } {
  const { number, printed } = readyOf(statement);
  const bound = printed.bind(parameters);
  return { kind: 'ask', name: `${number} ${JSON.stringify(bound)}`, asked: { statement, gives, bound } };
}

/** Asks a query, and gives what its answer is, or why it could not be worked out. */
export async function ask(connection: Connection, { statement, gives, bound }: Asked): Promise<Gave> {
  const { printed, sent: one } = readyOf(statement);
  const rows = await send(connection, one, bound);
  return gives === 'rows' ? { rows: rows.map(rowOf) } : { value: printed.value(rows[0]?.[0] ?? null) };
}

/** What a query that gives rows selects: the place, the key, the members. */
export function rowOf(columns: readonly (string | null)[]): Row {
  const last = columns.length - 1;
  return {
    key: columns.slice(1, last).map((one) => JSON.parse(one as string)) as Key,
    text: columns[last] as string,
    place: Number(columns[0]),
  };
}

/** Finds rows of one table by their keys, several at once. */
export type Find = (connection: Connection, keys: readonly Key[]) => Promise<readonly Row[]>;

export function finds(tables: readonly Table[]): ReadonlyMap<string, Find> {
  return new Map(tables.map((table) => [table.name, findOf(table)]));
}

function findOf({ name, keyFields }: Table): Find {
  const keys = keyColumns(keyFields);
  const columns = keys.map((key) => `r.${key}`).join(', ');
  const given = keys.map((_, index) => `$${index + 1}::jsonb[]`).join(', ');
  const matches = keys.map((key) => `r.${key} = k.${key}`).join(' AND ');
  const from = `SELECT r.place, ${columns}, r.members FROM ${tableOf(name)} AS r`;
  const one = sent(
    `${from} WHERE ${keys.map((key, index) => `r.${key} = $${index + 1}::jsonb`).join(' AND ')}`,
  );
  const several = sent(`${from} JOIN unnest(${given}) AS k (${keys.join(', ')}) ON ${matches}`);
  return async (connection, wanted) => {
    const possible = wanted.filter(isPossible);
    if (possible.length === 0) return [];
    const values = keysOf(possible, keyFields.length);
    const rows =
      possible.length === 1
        ? await send(
            connection,
            one,
            values.map(([only]) => only),
          )
        : await send(connection, several, values.map(arrayOf));
    return rows.map((row) => {
      const { key, text } = rowOf(row);
      return { key, text };
    });
  };
}

/** No row has a key with U+0000, which PostgreSQL keeps in no text. */
export function isPossible(key: Key): boolean {
  return !key.some((one) => typeof one === 'string' && (one.includes('\0') || !one.isWellFormed()));
}

/** Each column of the keys, as JSON text. */
export function keysOf(keys: readonly Key[], width: number): string[][] {
  return Array.from({ length: width }, (_, index) => keys.map((key) => JSON.stringify(key[index])));
}

/** An array as PostgreSQL reads it (§8.15.2 of its manual). */
export function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
