import { randomUUID } from 'node:crypto';
import { FateUnknown } from '../../store.ts';
import { begin, type Connection, type Line, stateOf } from '../open.ts';
import { send, sent } from '../statements.ts';
import type { LockedRow, Locks } from './locks.ts';

/** What tells a transaction that wrote from every other: a row that it leaves, of its own. */
export interface Mark {
  readonly process: string;
  readonly number: number;
}

/** How many marks a process leaves before it removes those that nobody asks for any more. */
const mostMarks = 64;

/** The marks of one process, of whose transactions several may be under way. */
export class Marks {
  readonly #process = randomUUID();
  readonly #underway = new Set<number>();
  #number = 0;
  /** The latest time of any of them. */
  #latest = 0;

  next(): Mark {
    this.#number += 1;
    this.#underway.add(this.#number);
    return { process: this.#process, number: this.#number };
  }

  /** Notes that it is known what became of a transaction. */
  over({ number }: Mark): void {
    this.#underway.delete(number);
  }

  /** Leaves the mark of a transaction in it, with the latest time of this process, in microseconds since 1970. */
  leave(connection: Connection, { process, number }: Mark, latest: number): Promise<unknown>[] {
    this.#latest = Math.max(this.#latest, latest);
    return [
      send(connection, leave, [process, number, this.#latest]),
      ...(number % mostMarks === 0
        ? [send(connection, removeBefore, [process, Math.min(...this.#underway)])]
        : []),
    ];
  }
}

/** How long it is tried to learn what became of a transaction. */
const fateMs = 5000;
const betweenMs = 100;

const standing = sent(
  `SELECT generation::text, divisions, greatest(microseconds, (SELECT max(microseconds) FROM tacet_mark))::float8,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 FROM tacet_latest`,
);
const leave = sent('INSERT INTO tacet_mark (process, number, microseconds) VALUES ($1, $2, $3)');
const removeBefore = sent('DELETE FROM tacet_mark WHERE process = $1 AND number < $2');
const rule = sent('INSERT INTO tacet_mark (process, number) VALUES ($1, $2) ON CONFLICT DO NOTHING');
const isLeft = sent('SELECT microseconds IS NOT NULL FROM tacet_mark WHERE process = $1 AND number = $2');

/** How things stand once a transaction holds its locks. */
export interface Standing {
  /** What the tables are laid out as. */
  readonly generation: string;
  /** How tables are divided for locks, as it is told to all processes. */
  readonly divisions: string;
  /** The latest time that any process kept, in microseconds since 1970. */
  readonly latest: number;
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  readonly aheadMs: number;
}

/** Asks how things stand. */
export async function stand(connection: Connection): Promise<Standing> {
  const [row] = await send(connection, standing);
  const [generation, divisions, latest, milliseconds] = row as readonly [string, string, number, number];
  return { generation, divisions, latest, aheadMs: milliseconds - Date.now() };
}

/** How a transaction that holds its locks stands, and the rows that it locked. */
export interface Begun extends Standing {
  readonly rows: readonly LockedRow[];
}

/**
 * Begins a transaction that holds its locks: the lock of the service, the number of an advisory lock, together with
 * others, and what `locks` asks for; or the lock alone, without others (null). What is asked behind it need not wait.
 *
 * @param limits statements of how long all of this may take
 */
export async function begun(
  connection: Connection,
  lock: string,
  locks: Locks | null,
  limits: readonly string[],
): Promise<Begun> {
  const share = locks ? '_shared' : '';
  const before = [
    begin(connection, undefined, ...limits),
    connection.query(`SELECT pg_advisory_xact_lock${share}(${lock})`),
    ...(locks ? locks.tables(connection) : []),
  ];
  const rows = locks ? locks.rows(connection) : [];
  const standing = stand(connection);
  await Promise.allSettled([...before, ...rows, standing]);
  // In the order in which they were sent: behind a statement that failed each fails, and no longer says why.
  await Promise.all(before);
  const locked = (await Promise.all(rows)).flat();
  return { ...(await standing), rows: locked };
}

/** Whether an error leaves open what became of a transaction: the server did not answer, or ended the connection. */
export function isSilence(error: unknown): boolean {
  const state = stateOf(error);
  return state === undefined || /^(08|57P)/.test(state);
}

/**
 * Whether a transaction was kept whose COMMIT had no answer. Its mark is left in its place, which waits until the
 * transaction is over if it has left it already, and otherwise keeps it from being kept.
 *
 * @throws FateUnknown where it cannot be learnt
 */
export async function wasKept(line: Line, { process, number }: Mark): Promise<boolean> {
  let cause: unknown;
  for (const until = performance.now() + fateMs; performance.now() < until; ) {
    line.drop();
    try {
      const connection = await line.get();
      const asking = [
        begin(connection),
        send(connection, rule, [process, number]),
        send(connection, isLeft, [process, number]),
        connection.query('COMMIT'),
      ] as const;
      await Promise.allSettled(asking);
      const [, , [row]] = await Promise.all(asking);
      return (row as readonly [boolean])[0];
    } catch (error) {
      cause = error;
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
    }
  }
  throw new FateUnknown('the connection was lost at COMMIT', { cause });
}
