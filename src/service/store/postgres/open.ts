import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { StoreRefused } from '../store.ts';

export type Connection = pg.Client;

/** What a connection is for: what is done at the start may take as long as it takes, and a list as long as it is read. */
export type Use = 'start' | 'ask' | 'list';

/** How connections are made: a seam for tests, in which one may fail. */
export type Connect = (use: Use) => Promise<Connection>;

/** The oldest PostgreSQL that is supported, as `server_version_num` has it. */
const oldest = 130000;

/**
 * How long a statement may take, waiting for other processes included, and how long a process may do nothing amid a
 * transaction, by which others wait for it: the server ends both. `?statement_timeout=` of an address goes before it.
 */
const statementMs = 30_000;

/** How long a connection may take to come about, and an answer of the server's before it counts as gone. */
export interface Patience {
  readonly connectMs: number;
  readonly answerMs: number;
}
export const usualPatience: Patience = { connectMs: 5000, answerMs: 35_000 };

/** Where a database is: an address of `postgres:`, without what it names of our own. */
export interface Place {
  readonly url: string;
  readonly schema: string;
  /** As messages name it: without the password. */
  readonly shown: string;
  /** Whether a pooler stands before it that has another connection for each transaction, so that none keeps settings. */
  readonly isPooled: boolean;
  /** How long a statement may take, where the address says so: no startup parameter passes a pooler. */
  readonly statementMs?: number;
}

/**
 * Takes an address apart: `?schema=NAME` says where in the database the tables stand, `?pool=transaction` that a pooler
 * stands before it. Default: `public`, and none.
 *
 * @param named what messages call it
 */
export function placeOf(address: string, named = 'this'): Place {
  if (!URL.canParse(address) || !/^postgres(ql)?:$/.test(new URL(address).protocol))
    throw new StoreRefused(`${named} is no address of a database: postgres://USER@HOST/DATABASE is wanted`);
  const url = new URL(address);
  const schema = url.searchParams.get('schema') ?? 'public';
  const pool = url.searchParams.get('pool');
  if (pool !== null && pool !== 'transaction')
    throw new StoreRefused(
      `?pool=${pool} is no way to pool connections; ?pool=transaction is wanted, or none`,
    );
  const own = pool === null ? ['schema', 'pool'] : ['schema', 'pool', 'statement_timeout'];
  const timeout = url.searchParams.get('statement_timeout');
  if (pool !== null && timeout !== null && !/^\d+$/.test(timeout))
    throw new StoreRefused(`?statement_timeout=${timeout} is no number of milliseconds, such as 5000`);
  for (const name of own) url.searchParams.delete(name);
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  const place = { url: url.href, schema, shown: shown.href, isPooled: pool !== null };
  return pool !== null && timeout !== null ? { ...place, statementMs: Number(timeout) } : place;
}

/** The number of the lock of all that stands in a schema. */
export function lockOf({ schema }: Place): string {
  const digest = createHash('sha256').update(`tacet ${schema}`).digest();
  return String(digest.readBigInt64BE());
}

/**
 * A connection for durable use: `synchronous_commit` and `fsync` are read back, since without them an acknowledged
 * write can be lost to a power cut. Queries on it do not wait for one another.
 */
export function connecting(place: Place, { connectMs, answerMs } = usualPatience): Connect {
  const { url, schema, shown, isPooled } = place;
  return async (use) => {
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
      application_name: 'tacet',
      ...(use !== 'start' && { query_timeout: answerMs }),
      ...(use !== 'start' && !isPooled && { statement_timeout: statementMs }),
      ...(use === 'ask' && !isPooled && { idle_in_transaction_session_timeout: statementMs }),
    });
    // What fails is told by the query that it fails.
    client.on('error', () => {});
    try {
      await client.connect();
      const settings = [
        'synchronous_commit = on',
        `search_path = ${client.escapeIdentifier(schema)}`,
        'standard_conforming_strings = on',
      ];
      const ofUse = use === 'ask' ? [`idle_in_transaction_session_timeout = ${statementMs}`] : [];
      if (isPooled)
        pooled.set(client, {
          settings: [...settings, ...ofUse],
          isTimed: use !== 'start',
          longestMs: place.statementMs ?? statementMs,
        });
      const [{ rows }] = await Promise.all([
        client.query({
          text: "SELECT current_setting('server_version_num'), current_setting('fsync'), current_setting('server_encoding')",
          rowMode: 'array',
        }),
        ...(isPooled ? [] : settings.map((setting) => client.query(`SET ${setting}`))),
      ]);
      const [version, fsync, encoding] = rows[0] as unknown as readonly [string, string, string];
      if (Number(version) < oldest)
        throw new StoreRefused(
          `${shown} is PostgreSQL ${Math.floor(Number(version) / 10000)}; 13 or later is wanted`,
        );
      if (fsync !== 'on')
        throw new StoreRefused(
          `${shown} runs with fsync off, so that a power cut loses what was answered; set fsync = on`,
        );
      if (encoding !== 'UTF8')
        throw new StoreRefused(`${shown} keeps texts in ${encoding}; make a database with ENCODING 'UTF8'`);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  };
}

/** What the statements of a connection may take by now, where that is not what they may by default. */
const limits = new WeakMap<Connection, number>();

/** How much longer than a request a statement may take, so that it is the request that is over first, in milliseconds. */
const laterMs = 100;

/** Has the server end what takes longer than so many milliseconds, from now on. Default: `statementMs`. */
export function limit(connection: Connection, timeMs: number | undefined): void {
  if (limits.get(connection) === timeMs) return;
  if (timeMs === undefined) limits.delete(connection);
  else limits.set(connection, timeMs);
  // Behind a pooler, each transaction says so itself.
  if (!pooled.has(connection))
    connection.query(`SET statement_timeout ${limitOf(connection, timeMs)}`).catch(() => {});
}

/** The same as a part of a statement. */
export function limitOf(connection: Connection, timeMs: number | undefined): string {
  if (timeMs !== undefined) return `= ${Math.ceil(timeMs) + laterMs}`;
  const { longestMs } = pooled.get(connection) ?? {};
  return longestMs === undefined ? 'TO DEFAULT' : `= ${longestMs}`;
}

/** The connections of a pooler's, and what each of their transactions sets. */
const pooled = new WeakMap<
  Connection,
  { readonly settings: readonly string[]; readonly isTimed: boolean; readonly longestMs: number }
>();

/** Whether a statement may be prepared under a name, which the next transaction finds again. */
export function keepsNames(connection: Connection): boolean {
  return !pooled.has(connection);
}

/**
 * Begins a transaction, in which the settings of a connection hold.
 *
 * @param how default: it reads what is committed
 * @param next what follows in the same message. Default: nothing
 */
export function begin(connection: Connection, how = 'BEGIN', ...next: readonly string[]): Promise<unknown> {
  const { settings = [], isTimed = false } = pooled.get(connection) ?? {};
  const timed = isTimed ? [`statement_timeout ${limitOf(connection, limits.get(connection))}`] : [];
  const all = [...settings, ...timed].map((one) => `SET LOCAL ${one}`);
  return connection.query([how, ...all, ...next].join('; '));
}

/** Asks by itself: behind a pooler in a transaction of its own, whose begin and end nobody waits for. */
export async function alone<T>(connection: Connection, ask: () => Promise<T>): Promise<T> {
  if (!pooled.has(connection)) return ask();
  begin(connection).catch(() => {});
  const asked = ask();
  connection.query('COMMIT').catch(() => {});
  return asked;
}

/** What a connection sends by. */
export function streamOf(connection: Connection): Socket {
  return (connection as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** A connection that is made when it is first wanted, and again where it was lost. */
export interface Line {
  readonly get: () => Promise<Connection>;
  /** Gives the connection up: the next is another one. */
  readonly drop: () => void;
  /** The same, and ends what is under way there. */
  readonly cut: () => void;
  /** Gives it up for good. */
  readonly close: () => Promise<void>;
}

export function line(connectTo: () => Promise<Connection>): Line {
  let made: Promise<Connection> | null = null;
  let isClosed = false;
  const drop = (): void => {
    const old = made;
    made = null;
    void old?.then((client) => client.end()).catch(() => {});
  };
  return {
    drop,
    cut: () => {
      const old = made;
      made = null;
      old?.then((client) => streamOf(client).destroy()).catch(() => {});
    },
    get: () => {
      if (made) return made;
      if (isClosed) return Promise.reject(new Error('the store is closed'));
      const coming = connectTo();
      const forget = (): void => {
        if (made === coming) made = null;
      };
      coming.then((client) => client.once('end', forget).once('error', forget), forget);
      made = coming;
      return coming;
    },
    close: async () => {
      isClosed = true;
      const old = made;
      made = null;
      await old?.then((client) => client.end()).catch(() => {});
    },
  };
}

/**
 * An error of the connection or the server, as what the operator can do about it.
 *
 * @param option what named the place
 */
export function refused(
  { shown, isPooled }: Place,
  error: unknown,
  option: '--store' | '--read-store' = '--store',
): StoreRefused {
  if (error instanceof StoreRefused) return error;
  const message = (error as Error).message || String((error as { code?: unknown }).code);
  const remedies: Readonly<Record<string, string>> = {
    ECONNREFUSED: `no server listens there; start it, or name another with ${option}`,
    ENOTFOUND: `there is no such host; name another with ${option}`,
    '28P01': 'the password is not the right one; give it in PGPASSWORD, or in the address',
    '28000': 'the user may not connect; see pg_hba.conf of the server',
    '3D000': `there is no such database; make it with createdb, or name another with ${option}`,
    '42501': 'the user may not make tables there; grant CREATE on the schema, or name another with ?schema=',
    ...(!isPooled && {
      '08P01': 'a pooler stands before it that passes on no settings; say so with ?pool=transaction',
    }),
    '3F000':
      'there is no such schema for this user; make it, grant USAGE and CREATE on it, or name another with ?schema=',
  };
  return new StoreRefused(
    `${shown} cannot be used as ${option === '--store' ? 'a store' : 'a replica'}: ${remedies[stateOf(error) ?? String((error as { code?: unknown }).code)] ?? message}`,
  );
}

/** What PostgreSQL calls an error (SQLSTATE); undefined where it did not say anything, as when it was not reached. */
export function stateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the server refuses a value or a row, and not the transaction: SQLSTATE classes 22, 23 and 54, and what is no expression's value. */
export function isOfRow(error: unknown): boolean {
  return /^(2[23]|54)|^TACET$/.test(stateOf(error) ?? '');
}

/** Whether the server ended a statement, which took too long or was told to end. */
export function isCancelled(error: unknown): boolean {
  return stateOf(error) === '57014';
}
