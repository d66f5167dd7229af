import { CannotWorkOut } from '../../../expression/values.ts';
import { statement as made, type TextStatement } from '../rows.ts';
import type { Key, Row, Statement, Table } from '../store.ts';
import { elementsOf } from './elements.ts';
import { wordsOf } from './indexes.ts';
import { keysOf, kindsOf } from './keys.ts';
import { keyColumns } from './names.ts';
import { type Connection, keepsNames } from './open.ts';
import { tableOf } from './printing/expressions.ts';
import { type Printed, print, storedNames } from './printing/sql.ts';
import type { Asked, Asking, Gave, Part, Sent } from './replay/needs.ts';

let count = 0;

/** A statement under a name of its own. */
export function sent(text: string): Sent {
  count += 1;
  return { name: `tacet${count}`, text };
}

/** @param answerMs how long the answer may take. Default: as long as any of this connection */
export async function send(
  connection: Connection,
  statement: Sent,
  values: readonly unknown[] = [],
  answerMs?: number,
): Promise<readonly (readonly unknown[])[]> {
  const { name, text } = statement;
  const { rows } = await connection.query<unknown[]>({
    ...(keepsNames(connection) && { name }),
    text,
    values: [...values],
    rowMode: 'array',
    ...(answerMs !== undefined && { query_timeout: answerMs }),
  });
  return rows;
}

/** How statements are asked. */
export interface Statements {
  /** What there is to ask; throws where a parameter could not be worked out. */
  readonly asking: Asking;
  readonly printed: (statement: Statement) => Printed;
  readonly prepare: typeof made;
  /** A text under the name by which it is prepared. */
  readonly named: (text: string) => Sent;
}

/** How many texts of statements keep the name under which they are prepared. */
const mostNamed = 1000;

export function statements(tables: readonly Table[]): Statements {
  const kinds = new Map(tables.map((table) => [table.name, kindsOf(table)]));
  const beside = {
    elements: tables.flatMap(elementsOf),
    words: tables.flatMap(wordsOf),
    stored: new Map(tables.map((table) => [table.name, storedNames(table, kindsOf(table))])),
  };
  const known = new WeakMap<Statement, Printed>();
  const named = new Map<string, Sent>();
  const printed = (statement: Statement): Printed => {
    const inText = 'text' in statement ? (statement as TextStatement) : null;
    const one =
      known.get(statement) ?? print(statement.query, (name) => kinds.get(name) ?? [], beside, inText);
    known.set(statement, one);
    return one;
  };
  const name = (text: string): Sent => {
    const one = named.get(text) ?? sent(text);
    if (named.size < mostNamed) named.set(text, one);
    return one;
  };
  return {
    printed,
    named: name,
    prepare: (query) => {
      const one = made(query);
      printed(one);
      return one;
    },
    asking: (statement, gives, parameters) => {
      const { ask, row, value, width } = printed(statement);
      const { sql, bound } = ask(parameters);
      const one = name(sql);
      return {
        kind: 'ask',
        name: `${one.name} ${gives} ${JSON.stringify(bound)}`,
        asked: {
          statement: one,
          bound,
          gives,
          width: gives === 'rows' ? width : gives === 'texts' ? 3 : 1,
          gave: (rows) => {
            if (gives === 'rows') return { rows: rows.map((columns) => row([...columns])) };
            return gives === 'texts' ? textsOf(rows[0] ?? []) : { value: value(rows[0]?.[0] ?? null) };
          },
        },
      };
    },
  };
}

function textsOf([text, count, once]: readonly unknown[]): Gave {
  if (text === null) return { error: new CannotWorkOut('a row is kept otherwise than it is written') };
  return { texts: { text: text as string, count: count as number, once: once ?? undefined } };
}

/** Asks a query. */
export async function ask(connection: Connection, { statement, bound, gave }: Asked): Promise<Gave> {
  return gave(await send(connection, statement, bound));
}

/** Finds rows of one table by their keys, several at once. */
export interface Find {
  readonly find: (connection: Connection, keys: readonly Key[]) => Promise<readonly Row[]>;
  /** The same, and locks them, in the order of their keys: so that nobody changes them, or reads them to decide. */
  readonly lock: (connection: Connection, keys: readonly Key[], isShared: boolean) => Promise<readonly Row[]>;
  /** One of them as a part of a statement; undefined where it has bytes, or no row may have this key. */
  readonly part: (key: Key) => Part | undefined;
  /** How many columns it has. */
  readonly width: number;
  readonly row: (columns: readonly unknown[]) => Row;
}

/** How the rows of each table are found. */
export type Finds = ReadonlyMap<string, Find>;

export function finds(tables: readonly Table[]): Finds {
  return new Map(tables.map((table) => [table.name, findOf(table)]));
}

function findOf(table: Table): Find {
  const { fits, encoded, decoded, casts } = keysOf(table);
  const keys = keyColumns(table.keyFields);
  const columns = keys.map((key) => `r.${key}`).join(', ');
  const width = keys.length;
  const from = `SELECT ${columns}, r.members${table.hasBytes ? ', r.bytes' : ''} FROM ${tableOf(table.name)} AS r`;
  const isIt = keys.map((key, index) => `r.${key} = $${index + 1}::${casts[index]}`).join(' AND ');
  const one = sent(`${from} WHERE ${isIt}`);
  const given = casts.map((type, index) => `$${index + 1}::${type}[]`);
  const several = sent(
    keys.length === 1
      ? `${from} WHERE r.key0 = ANY(${given[0]})`
      : `${from} JOIN unnest(${given.join(', ')}) AS g (${keys.join(', ')}) ON ${keys.map((key) => `r.${key} = g.${key}`).join(' AND ')}`,
  );
  const order = `ORDER BY ${keys.map((key) => `r.${key}`).join(', ')}`;
  const locking = ['NO KEY UPDATE', 'SHARE'].map((mode) => sent(`${several.text} ${order} FOR ${mode} OF r`));
  const found = (columns: readonly unknown[]): Row => {
    const row = { key: decoded(columns.slice(0, width)), text: columns[width] as string };
    return table.hasBytes ? { ...row, bytes: columns[width + 1] as Uint8Array } : row;
  };
  const find: Find['find'] = async (connection, wanted) => {
    const [first, second, ...others] = wanted.filter(fits).map(encoded);
    if (first === undefined) return [];
    const rows =
      second === undefined
        ? await send(connection, one, first)
        : await send(connection, several, columnsOf([first, second, ...others], keys.length));
    return rows.map(found);
  };
  return {
    find,
    lock: async (connection, wanted, isShared) => {
      const all = wanted.filter(fits).map(encoded);
      const statement = locking[isShared ? 1 : 0] as Sent;
      return (await send(connection, statement, columnsOf(all, keys.length))).map(found);
    },
    part: (key) => (table.hasBytes || !fits(key) ? undefined : { sql: one.text, bound: encoded(key) }),
    width: width + 1,
    row: found,
  };
}

/** Each column of some rows, as an array. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, index) => rows.map((row) => row[index]));
}
