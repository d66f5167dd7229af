import type { ValueKind } from '../../../expression/query.ts';
import {
  laidOut,
  type PlacedRow,
  pieceOf,
  type Source,
  type StoredTable,
  type Target,
  TransferRefused,
} from '../transfer/transfer.ts';
import { keysOf } from './keys.ts';
import { layOut, layoutOf, layoutVersion } from './layout.ts';
import { keyColumns } from './names.ts';
import { begin, type Connection, connecting, lockOf, type Place, placeOf, refused, stateOf } from './open.ts';
import { tableOf } from './printing/expressions.ts';
import { stand } from './replay/standing.ts';
import { columnsOf } from './statements.ts';
import { wholeRows } from './upgrade.ts';

/**
 * Reads a database from a snapshot, whether or not services run on it.
 *
 * @param isMoved nobody stores anything meanwhile
 */
export async function postgresSource(address: string, isMoved: boolean): Promise<Source> {
  return within(address, async (connection, place, close) => {
    await begin(connection, isMoved ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (isMoved) await lock(connection, place, 'source-in-use');
    if (!(await isThere(connection, 'tacet_latest')))
      throw new TransferRefused(
        'source-missing',
        `${place.shown} stores nothing of a service; name another database or ?schema= with --store`,
      );
    await checkLayout(connection, place);
    const { latest } = await stand(connection);
    return {
      latest,
      tables: await storedTables(connection),
      rows: (table) => wholeRows(connection, laidOut(table), pieceOf(table)),
      leave: async () => {
        await connection.query('UPDATE tacet_latest SET generation = generation + 1; COMMIT');
      },
      close,
    };
  });
}

/** Copies into a schema that has no rows. */
export async function postgresTarget(address: string, tables: readonly StoredTable[]): Promise<Target> {
  return within(address, async (connection, place, close) => {
    await begin(connection);
    await lock(connection, place, 'target-in-use');
    await checkEmpty(connection, place);
    const of = new Map(tables.map((table) => [table, laidOut(table)]));
    const notes = await layOut(connection, [...of.values()], place);
    return {
      add: (table, rows) => insert(connection, table, rows),
      rows: (table) => wholeRows(connection, laidOut(table), pieceOf(table)),
      keep: async (latest) => {
        for (const [{ name }, table] of of) {
          await notes.keep(table);
          await connection.query({
            text: `SELECT setval(pg_get_serial_sequence($1, 'place'), max(place)) FROM ${tableOf(name)} HAVING count(*) > 0`,
            values: [tableOf(name)],
          });
        }
        // A service that runs there already stores nothing more.
        await connection.query({
          text: 'UPDATE tacet_latest SET microseconds = greatest(microseconds, $1), generation = generation + 1',
          values: [latest],
        });
        await connection.query('COMMIT');
      },
      close,
    };
  });
}

/** Begins what is done by a connection, which `close` ends; where it cannot be begun, that is ended. */
async function within<T>(
  address: string,
  act: (connection: Connection, place: Place, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const place = placeOf(address);
  let connection: Connection | undefined;
  const close = async (): Promise<void> => {
    await connection?.end().catch(() => {});
  };
  try {
    connection = await connecting(place)('start');
    return await act(connection, place, close);
  } catch (error) {
    await close();
    throw refused(place, error);
  }
}

/** How long it is waited for what services write at the moment, in milliseconds. */
const lockMs = 5000;

/** Waits until nobody writes, and keeps everybody from it until the transaction ends. */
async function lock(
  connection: Connection,
  place: Place,
  code: 'source-in-use' | 'target-in-use',
): Promise<void> {
  await connection.query(`SET LOCAL lock_timeout = ${lockMs}`);
  try {
    await connection.query(`SELECT pg_advisory_xact_lock(${lockOf(place)})`);
  } catch (error) {
    if (stateOf(error) !== '55P03') throw error;
    throw new TransferRefused(code, `others write to ${place.shown}; end them first, or try again`);
  }
  await connection.query('SET LOCAL lock_timeout = 0');
}

/** Refuses what an earlier or a later tacet laid out. */
async function checkLayout(connection: Connection, { shown }: Place): Promise<void> {
  const version = await layoutOf(connection);
  if (version > layoutVersion)
    throw new TransferRefused('newer-format', `${shown} was laid out by a later tacet; use that one`);
  if (version < layoutVersion)
    throw new TransferRefused(
      'older-format',
      `${shown} was laid out by an earlier tacet; start the service with this one once, which brings it over`,
    );
}

async function all(connection: Connection, text: string, values: unknown[] = []): Promise<unknown[][]> {
  return (await connection.query({ text, values, rowMode: 'array' })).rows as unknown[][];
}

async function isThere(connection: Connection, table: string): Promise<boolean> {
  const [[found] = []] = await all(connection, 'SELECT to_regclass($1) IS NOT NULL', [table]);
  return found === true;
}

async function storedTables(connection: Connection): Promise<readonly StoredTable[]> {
  const noted = await all(
    connection,
    `SELECT resource, identifier, types, note FROM tacet ORDER BY resource COLLATE "C"`,
  );
  const tables: StoredTable[] = [];
  for (const [name, identifier, types, note] of noted as [string, string, string, string | null][]) {
    const [[hasBytes] = []] = await all(
      connection,
      "SELECT count(*) > 0 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'bytes' AND NOT attisdropped",
      [tableOf(name)],
    );
    tables.push({
      name,
      keyFields: JSON.parse(identifier) as readonly string[],
      keyKinds: types.split(', ').map(kindOf),
      hasBytes: hasBytes === true,
      note,
    });
  }
  return tables;
}

function kindOf(type: string): ValueKind {
  if (type === 'double precision') return 'number';
  return type === 'jsonb' ? 'unknown' : 'text';
}

async function checkEmpty(connection: Connection, { shown, schema }: Place): Promise<void> {
  if (!(await isThere(connection, 'tacet'))) return;
  for (const [name] of (await all(connection, 'SELECT resource FROM tacet')) as [string][])
    if ((await all(connection, `SELECT 1 FROM ${tableOf(name)} LIMIT 1`)).length > 0)
      throw new TransferRefused(
        'target-not-empty',
        `${shown} stores ${name}s already in the schema ${schema}; name another database or ?schema=`,
      );
}

async function insert(connection: Connection, table: StoredTable, rows: readonly PlacedRow[]): Promise<void> {
  const { casts, encoded } = keysOf(table);
  const columns = ['place', ...keyColumns(table.keyFields), 'members', 'aside'];
  const types = ['bigint', ...casts, 'text', 'text', ...(table.hasBytes ? ['bytea'] : [])];
  const names = [...columns, ...(table.hasBytes ? ['bytes'] : [])].join(', ');
  const lists = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const values = rows.map(({ place, key, text, aside, bytes }) => [
    place,
    ...encoded(key),
    text,
    aside,
    ...(table.hasBytes ? [bytes] : []),
  ]);
  await connection.query({
    text: `INSERT INTO ${tableOf(table.name)} (${names}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${lists})`,
    values: columnsOf(values, types.length),
  });
}
