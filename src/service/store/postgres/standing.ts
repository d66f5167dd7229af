import { FateUnknown, NotKept } from '../store.ts';
import { type Connection, type Line, stateOf } from './open.ts';
import { send, sent } from './statements.ts';

/** How things stand once a transaction has the lock. */
export interface Standing {
  /** The latest time that any process kept, in microseconds since 1970. */
  readonly latest: number;
  /** The transaction's own number, by which it can be asked what became of it. */
  readonly transaction: string;
}

/** How long it is tried to learn what became of a transaction. */
const fateMs = 5000;
const betweenMs = 100;

const standing = sent(
  'SELECT microseconds::float8, generation::text, pg_current_xact_id()::text FROM tacet_latest',
);
const statusOf = sent('SELECT pg_xact_status($1::xid8)');

/** Begins a transaction that holds the lock of the service: the number of an advisory lock. */
function locked(connection: Connection, lock: string): Promise<unknown>[] {
  return [connection.query('BEGIN'), connection.query(`SELECT pg_advisory_xact_lock(${lock})`)];
}

/**
 * Begins a transaction as the one writer that there is.
 *
 * @param generation what the tables were laid out as when this process began
 * @throws NotKept where they were laid out otherwise since
 */
export async function begun(connection: Connection, lock: string, generation: string): Promise<Standing> {
  const sending = [...locked(connection, lock), send(connection, standing)] as const;
  await Promise.allSettled(sending);
  const rows = (await Promise.all(sending)).at(-1) as readonly (readonly unknown[])[];
  const [latest, now, transaction] = rows[0] as readonly [number, string, string];
  if (now === generation) return { latest, transaction };
  await connection.query('ROLLBACK');
  throw new NotKept(
    'a service of another document has laid the tables out anew since this one began; end this one, or start it with that document',
  );
}

/** Whether an error leaves open what became of a transaction: the server did not answer, or ended the connection. */
export function isSilence(error: unknown): boolean {
  const state = stateOf(error);
  return state === undefined || /^(08|57P)/.test(state);
}

/**
 * Whether a transaction was kept whose COMMIT had no answer. It held the lock, so it is over once another has that.
 *
 * @throws FateUnknown where it cannot be learnt
 */
export async function wasKept(line: Line, lock: string, transaction: string): Promise<boolean> {
  let cause: unknown;
  for (const until = performance.now() + fateMs; performance.now() < until; ) {
    line.drop();
    try {
      const connection = await line.get();
      await Promise.all(locked(connection, lock));
      const [[status] = []] = await send(connection, statusOf, [transaction]);
      await connection.query('ROLLBACK');
      if (status === 'committed' || status === 'aborted') return status === 'committed';
      break;
    } catch (error) {
      cause = error;
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
    }
  }
  throw new FateUnknown('the connection was lost at COMMIT', { cause });
}
