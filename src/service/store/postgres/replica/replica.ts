import {
  type Asker,
  NotRead,
  type Replica,
  type Row,
  type Statement,
  type Store,
  StoreRefused,
} from '../../store.ts';
import {
  begin,
  type Connect,
  type Connection,
  connecting,
  isCancelled,
  limitOf,
  type Place,
  placeOf,
  refused,
  stateOf,
  usualPatience,
} from '../open.ts';
import { type Answer, type Lines, lines, readingIn, snapshot } from '../reading.ts';
import { fetched } from '../replay/look.ts';
import type { Need } from '../replay/needs.ts';
import type { Replay } from '../replay/replay.ts';
import { isSilence } from '../replay/standing.ts';
import { gather, type Shared } from '../shared.ts';
import { type Finds, type Statements, send, sent } from '../statements.ts';
import { stream } from '../stream.ts';
import { Moments, NoMoment, type Shown } from './moments.ts';

/** How many transactions read at once. */
const mostTransactions = 8;

/** How long a replica may keep silent, in milliseconds. */
const silenceMs = 2000;

/**
 * Tells what a snapshot shows: each transaction that keeps something leaves a mark, and marks go only once their
 * transaction is over, by one that leaves a mark or changes the row of `tacet_latest`.
 */
const version = `(SELECT l.xmin::text || ' ' || (SELECT coalesce(sum(hashtextextended(m.process::text || ' ' || m.number, 0)), 0)
  FROM tacet_mark AS m) FROM tacet_latest AS l)`;
const versionOf = sent(`SELECT ${version}`);
const showing = sent(`SELECT pg_is_in_recovery(), ${version}`);

/** What a standby has in common with its primary alone. */
const identity = sent(
  `SELECT (SELECT system_identifier FROM pg_control_system()) || ' ' || oid, pg_is_in_recovery()
    FROM pg_database WHERE datname = current_database()`,
);

/** What a store reads by. */
export type Reader = Pick<Store, 'read' | 'stream'>;

/** The store of the primary, and how it asks. */
export interface Primary extends Reader {
  readonly place: Place;
  readonly shared: Shared;
  readonly replay: Replay;
  readonly asked: Statements;
  readonly finds: Finds;
}

/**
 * Opens a replica. What only reads is read there, at moments at which it shows what the primary shows; else the primary
 * is read.
 *
 * @throws StoreRefused where it is no standby of the primary. One that does not answer is read once it does
 */
export async function openReplica(replica: Replica, primary: Primary): Promise<ReplicaReader> {
  const place = standbyAt(replica.place, primary.place);
  const [expected = []] = await primary.shared.ask(undefined, (connection) => send(connection, identity));
  const connect = connecting(place, { ...usualPatience, connectMs: silenceMs });
  const checked: Connect = async (use) => {
    const connection = await connect(use);
    const [[system, isStandby] = []] = await send(connection, identity);
    if (system === expected[0] && isStandby === true) return connection;
    void connection.end();
    throw new StoreRefused(
      `${place.shown} is no standby of ${primary.place.shown}; name a standby of it with --read-store, or leave that out`,
    );
  };
  const reader = new ReplicaReader(replica, primary, place, checked);
  await reader.begin();
  return reader;
}

/** The place of a standby: its tables stand in the same schema. */
function standbyAt(address: string, { schema }: Place): Place {
  const place = placeOf(address, '--read-store');
  if (new URL(address).searchParams.has('schema') && place.schema !== schema)
    throw new StoreRefused(
      `--read-store names the schema ${place.schema}, and --store ${schema}; leave it out of --read-store`,
    );
  return { ...place, schema };
}

export class ReplicaReader implements Reader {
  readonly #replica: Replica;
  readonly #primary: Primary;
  readonly #place: Place;
  readonly #connect: Connect;
  readonly #lines: Lines;
  readonly #moments: Moments;
  readonly #standby: Store['read'];
  #isAway = false;
  #isClosed = false;

  constructor(replica: Replica, primary: Primary, place: Place, connect: Connect) {
    this.#replica = replica;
    this.#primary = primary;
    this.#place = place;
    this.#connect = connect;
    this.#lines = lines(connect, mostTransactions);
    this.#moments = new Moments({ primary: this.#version, replica: () => this.#shown() });
    this.#standby = readingIn(
      async (timeMs, act) => {
        const { connection, over } = await this.#moments.next();
        return act((needs) => fetchedIn(connection, timeMs, needs, primary.finds)).finally(over);
      },
      primary.replay,
      primary.asked,
    );
  }

  /** Finds out whether it is a standby, where it answers. */
  async begin(): Promise<void> {
    try {
      await this.#lines.with(async () => {});
    } catch (error) {
      const { cause } = error as NotRead;
      if (isForGood(cause)) {
        await this.close();
        throw refused(this.#place, cause, '--read-store');
      }
      this.#away(cause);
    }
  }

  readonly read: Store['read'] = (look, asker) => {
    if (!asker?.onlyReads) return this.#primary.read(look, asker);
    if (this.#moments.isPaused) return this.#ofPrimary(look, asker);
    const came = this.#standby(look, asker);
    if (!(came instanceof Promise)) return came;
    return came.then(
      (value) => {
        this.#replica.onRead?.('replica');
        return value;
      },
      (error: unknown) => {
        if (!(error instanceof NotRead) && !(error instanceof NoMoment)) throw error;
        this.#heed(error);
        return this.#ofPrimary(look, asker);
      },
    );
  };

  readonly #ofPrimary: Store['read'] = (look, asker) => {
    const came = this.#primary.read(look, asker);
    if (came instanceof Promise) this.#replica.onRead?.('primary');
    return came;
  };

  readonly stream: Store['stream'] = (made, parameters, asker) => {
    const ofPrimary = () => this.#primary.stream(made, parameters, asker);
    return asker?.onlyReads ? this.#streamed(made, parameters, asker, ofPrimary) : ofPrimary();
  };

  /** A list that the replica does not begin, the primary sends. */
  async *#streamed(
    made: Statement,
    parameters: readonly unknown[],
    { timeMs }: Asker,
    ofPrimary: () => AsyncIterable<readonly Row[]>,
  ): AsyncIterable<readonly Row[]> {
    // It reads longer than others, and so by a transaction of its own.
    const enter = (connection: Connection): Promise<unknown> =>
      new Moments({ primary: this.#version, replica: () => shownOn(connection, this.#place) }).next();
    const pieces = stream(this.#connect, this.#primary.asked, made, parameters, timeMs, enter);
    const first = this.#moments.isPaused
      ? null
      : await pieces.next().catch((error: unknown) => {
          this.#heed(error);
          return null;
        });
    this.#replica.onRead?.(first ? 'replica' : 'primary');
    if (first === null) yield* ofPrimary();
    else if (!first.done) {
      yield first.value;
      yield* pieces;
    }
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    this.#lines.cut();
    await this.#lines.close();
  };

  readonly #version = async (): Promise<string> => {
    const { shared } = this.#primary;
    const [[shown] = []] = await shared.ask(undefined, (connection) => send(connection, versionOf));
    return shown as string;
  };

  /** A transaction of the replica's, on a connection that others get once it is over. */
  #shown(): Promise<Shown> {
    const { promise, resolve, reject } = Promise.withResolvers<Shown>();
    this.#lines
      .with(async (connection) => {
        const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
        const shown = await shownOn(connection, this.#place);
        resolve({ ...shown, over });
        await isOver;
        shown.over();
      })
      .catch(reject);
    return promise.then(
      (shown) => {
        if (this.#isAway) this.#replica.onReplica?.(null);
        this.#isAway = false;
        return shown;
      },
      (error: unknown) => {
        this.#away(error instanceof NotRead ? error.cause : error);
        throw error;
      },
    );
  }

  /** Sees why the primary is to be read. Throws what took too long, as it would there. */
  #heed(error: unknown): void {
    const cause = error instanceof NotRead ? error.cause : error;
    if (isCancelled(cause)) throw error;
    if (!(cause instanceof NoMoment) && isSilence(cause)) this.#away(cause);
  }

  /** What waits for the replica hears that it is not read any more, and reads the primary. */
  #away(error: unknown): void {
    this.#moments.pause();
    this.#lines.cut();
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#replica.onReplica?.(refused(this.#place, error, '--read-store').message);
  }
}

/** Begins a transaction on a connection to the replica, and tells what it shows. */
async function shownOn(connection: Connection, { shown }: Place): Promise<Shown> {
  gather(connection);
  begin(connection, snapshot).catch(() => {});
  lasting.delete(connection);
  const over = (): void => void connection.query('ROLLBACK').catch(() => {});
  try {
    const [row] = await send(connection, showing, [], silenceMs);
    const [isStandby, is] = row as readonly [boolean, string];
    if (!isStandby) throw new StoreRefused(`${shown} is no standby any more; name one with --read-store`);
    return { version: is, connection, over };
  } catch (error) {
    // The tables are not there yet: it shows nothing that the primary shows.
    if (stateOf(error) === '42P01') return { version: '', connection, over };
    over();
    throw error;
  }
}

/** How long statements may take in the transactions under way, where that is not what they may by default. */
const lasting = new WeakMap<Connection, number>();

/**
 * Fetches what is needed in a transaction that others read by, too. What fails there fails what stands behind it, so
 * that the primary is to be read.
 */
async function fetchedIn(
  connection: Connection,
  timeMs: number | undefined,
  needs: readonly Need[],
  finds: Finds,
): Promise<readonly Answer[]> {
  gather(connection);
  if (lasting.get(connection) !== timeMs) {
    connection.query(`SET LOCAL statement_timeout ${limitOf(connection, timeMs)}`).catch(() => {});
    if (timeMs === undefined) lasting.delete(connection);
    else lasting.set(connection, timeMs);
  }
  const answers = await Promise.all(needs.map((need) => fetched(connection, need, finds)));
  if (answers.some((one) => one !== null && 'error' in one)) throw new NoMoment('it cannot be worked out');
  return answers;
}

/** Whether an error tells that another replica, or none, is to be named. */
function isForGood(error: unknown): boolean {
  return error instanceof StoreRefused || /^(28|3D|42)/.test(stateOf(error) ?? '');
}
