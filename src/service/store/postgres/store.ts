import { isNews, listing, outdated } from '../outdated.ts';
import {
  type Key,
  type Reads,
  type Replica,
  type Store,
  StoreRefused,
  type StoreTime,
  type Table,
  TablesMissing,
} from '../store.ts';
import type { RowFault } from '../upgrade.ts';
import { conflicts } from './conflict.ts';
import { layOutElements } from './elements.ts';
import { dropIndexes, layOutColumns, makeIndexes } from './indexes.ts';
import { layOut, layoutOf, layoutVersion } from './layout.ts';
import {
  begin,
  type Connect,
  type Connection,
  connecting,
  line,
  lockOf,
  type Place,
  placeOf,
  refused,
} from './open.ts';
import { tableOf } from './printing/expressions.ts';
import { reading } from './reading.ts';
import { committing } from './replay/commit.ts';
import { Divisions } from './replay/divisions.ts';
import { Habits } from './replay/habits.ts';
import { Facts, fetchedAll, lookOnce } from './replay/look.ts';
import type { Gave } from './replay/needs.ts';
import { type Replay, replaying, Taken } from './replay/replay.ts';
import { Marks, type Standing, stand } from './replay/standing.ts';
import type { Primary, Reader, ReplicaReader } from './replica/replica.ts';
import { settling } from './settled.ts';
import { sharing } from './shared.ts';
import { type Finds, finds, type Statements, statements } from './statements.ts';
import { stream } from './stream.ts';
import { addBeside, bringOver, look } from './upgrade.ts';
import { type TableWrites, tableWrites } from './writes.ts';

/**
 * Opens a store in a database of PostgreSQL's: several processes of one specification may have it open.
 *
 * @param address `postgres://USER@HOST/DATABASE`, with `?schema=NAME` for another schema than `public`
 * @param connectTo how connections are made: for tests, in which they may fail
 * @param replica a standby that is read as well. Default: none
 * @throws StoreRefused where the database cannot serve
 */
export async function openPostgres(
  address: string,
  tables: readonly Table[],
  connectTo?: Connect,
  replica?: Replica,
): Promise<Store> {
  const place = placeOf(address);
  return open(place, tables, connectTo ?? connecting(place), bring, replica);
}

/**
 * Opens a store beside the services that use it. Throws `StoreRefused` where it lacks one of the tables.
 */
export async function openPostgresBeside(address: string, tables: readonly Table[]): Promise<Store> {
  const place = placeOf(address);
  return open(place, tables, connecting(place), present);
}

/** How many transactions of one process may be under way at once. */
const mostWriters = 3;

/** @param prepare makes the tables ready to be used, and tells how they stand */
async function open(
  place: Place,
  tables: readonly Table[],
  connect: Connect,
  prepare: (connection: Connection, bringing: Bringing) => Promise<Standing>,
  replica?: Replica,
): Promise<Store> {
  const replay = replaying();
  const asked = statements(tables);
  const found = finds(tables);
  const writes = new Map(tables.map((table) => [table.name, tableWrites(table)]));
  const lock = lockOf(place);
  const writers = Array.from({ length: mostWriters }, () => line(() => connect('ask')));
  const starter = line(() => connect('start'));
  let heard: (time: StoreTime) => void = () => {};
  try {
    const bringing = { place, tables, replay, asked, found, writes, lock };
    const { generation, divisions: told, ...time } = await prepare(await starter.get(), bringing);
    const divisions = new Divisions(tables);
    divisions.learn(told);
    await starter.close();
    const shared = sharing(connect);
    const { read, close } = reading(connect, shared, replay, asked, found);
    await shared.connect();
    const primary: Reader = {
      read,
      stream: (made, parameters, asker) => stream(connect, asked, made, parameters, asker?.timeMs),
    };
    const standby = replica
      ? await readReplica(replica, { ...primary, place, shared, replay, asked, finds: found })
      : null;
    const { commit, close: closeCommits } = committing(writers, {
      replay,
      statements: asked,
      finds: found,
      writes,
      conflictOf: conflicts(tables),
      keyOf: (name) => tables.find((table) => table.name === name)?.keyFields ?? [],
      lock,
      habits: new Habits(),
      divisions,
      generation,
      heard: (told) => heard(told),
      marks: new Marks(),
    });
    return {
      ...(standby ? { read: standby.read, stream: standby.stream } : primary),
      settled: settling(shared),
      isShared: true,
      steady: replay.steady,
      prepare: asked.prepare,
      commit,
      latest: time.latest,
      onTime: (told) => {
        heard = told;
        told(time);
      },
      close: async () => {
        await closeCommits();
        await standby?.close();
        await close();
      },
    };
  } catch (error) {
    await Promise.all([...writers, starter].map((one) => one.close()));
    throw refused(place, error);
  }
}

/** What reads a replica is loaded only where there is one. */
async function readReplica(replica: Replica, primary: Primary): Promise<ReplicaReader> {
  const { openReplica } = await import('./replica/replica.ts');
  return openReplica(replica, primary);
}

interface Bringing {
  readonly place: Place;
  readonly tables: readonly Table[];
  readonly replay: Replay;
  readonly asked: Statements;
  readonly found: Finds;
  readonly writes: ReadonlyMap<string, TableWrites>;
  readonly lock: string;
}

/** Finds the tables as they are. */
async function present(connection: Connection, { place, tables }: Bringing): Promise<Standing> {
  await begin(connection);
  const { rows } = await connection.query<{ place: number }>({
    text: 'SELECT place::int FROM unnest($1::text[]) WITH ORDINALITY AS t (name, place) WHERE to_regclass(name) IS NULL ORDER BY place',
    values: [tables.map(({ name }) => tableOf(name))],
  });
  const missing = rows.map((row) => tables[row.place - 1]?.name ?? '');
  if (missing.length > 0) throw new TablesMissing(place.shown, missing);
  if ((await layoutOf(connection)) !== layoutVersion)
    throw new StoreRefused(
      `${place.shown} was laid out by an earlier tacet or a later one; start the service with this one first, or use that one`,
    );
  const now = await stand(connection);
  await connection.query('COMMIT');
  return now;
}

/** Lays the tables out and brings their rows over, all or nothing, one process at a time. */
async function bring(
  connection: Connection,
  { place, tables, replay, asked, found, writes, lock }: Bringing,
): Promise<Standing> {
  await begin(connection);
  await connection.query(`SELECT pg_advisory_xact_lock(${lock})`);
  const notes = await layOut(connection, tables, place);
  let isOther = false;
  for (const table of tables) {
    isOther = (await dropIndexes(connection, table)) || isOther;
    isOther = (await layOutColumns(connection, table)) || isOther;
  }
  const changed = outdated(tables, notes);
  const faulty = listing(place.shown, 'name another database or ?schema= with --store');
  await bringOver(connection, changed, faulty);
  faulty.end();
  for (const table of tables) {
    const refuse = (key: Key, faults: readonly RowFault[]): void => faulty.add(table, key, faults);
    isOther = (await makeIndexes(connection, table, refuse)) || isOther;
    isOther = (await layOutElements(connection, table)) || isOther;
  }
  const read = async <T>(one: (reads: Reads) => T): Promise<T> => {
    const taken = new Taken();
    const facts = new Facts();
    for (;;) {
      const came = lookOnce(replay, asked, taken, facts, one);
      if ('value' in came) return came.value;
      await connection.query('SAVEPOINT look');
      const all = await fetchedAll(connection, came.lacks, found);
      await connection.query('RELEASE look');
      for (const [index, need] of came.lacks.entries()) facts.learn(need, all[index] as Gave);
    }
  };
  await look(connection, changed, read, faulty);
  faulty.end();
  await addBeside(connection, changed, read, writes);
  const news = tables.filter((table) => isNews(table, notes));
  for (const table of news) await notes.keep(table);
  if (isOther || news.length > 0)
    await connection.query("UPDATE tacet_latest SET generation = generation + 1, divisions = ''");
  const now = await stand(connection);
  await connection.query('COMMIT');
  return now;
}
