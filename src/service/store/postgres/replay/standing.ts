import { randomUUID } from 'node:crypto';
import { FateUnknown, NotKept } from '../../store.ts';
import { begin, type Connection, type Line, stateOf } from '../open.ts';
import { send, sent } from '../statements.ts';
import { failureCode } from '../values.ts';

/** The transactions of one process that were kept, each of which leaves a mark of its own. */
export class Marks {
  /** The mark of the last. */
  last = '';
  /** Whether, as far as this process knows, nobody has kept anything since. */
  isLatest = false;
  readonly #process = randomUUID();
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#process} ${this.#count}`;
  }
  kept(mark: string): void {
    this.last = mark;
    this.isLatest = true;
  }
}

/** A transaction that is to be kept: its number, where the server has told it, and the mark that it leaves. */
export interface Marked {
  readonly transaction: string | null;
  readonly mark: string;
}

/** Another process has kept something since this one did, so that what went ahead begins anew. */
export class Behind extends Error {}

/** How long it is tried to learn what became of a transaction. */
const fateMs = 5000;
const betweenMs = 100;

const standing = sent(
  'SELECT microseconds::float8, generation::text, writer, pg_current_xact_id()::text FROM tacet_latest',
);
const unchanged = sent(
  `SELECT CASE WHEN generation::text = $1 AND writer = $2 THEN pg_current_xact_id()::text ELSE tacet_fail('behind') END
    FROM tacet_latest`,
);
const keepLatest = sent('UPDATE tacet_latest SET microseconds = greatest(microseconds, $1), writer = $2');
const writerNow = sent('SELECT writer FROM tacet_latest');
const statusOf = sent('SELECT pg_xact_status($1::xid8)');

/** Begins a transaction that holds the lock of the service: the number of an advisory lock. */
function locked(connection: Connection, lock: string): Promise<unknown>[] {
  return [begin(connection), connection.query(`SELECT pg_advisory_xact_lock(${lock})`)];
}

/**
 * Begins a transaction as the one writer that there is; `latest` is the latest time that any process kept, in
 * microseconds since 1970.
 *
 * @param generation what the tables were laid out as when this process began
 * @throws NotKept where they were laid out otherwise since
 */
export async function begun(
  connection: Connection,
  lock: string,
  generation: string,
  marks: Marks,
): Promise<{ readonly latest: number; readonly transaction: string }> {
  const sending = [...locked(connection, lock), send(connection, standing)] as const;
  await Promise.allSettled(sending);
  const rows = (await Promise.all(sending)).at(-1) as readonly (readonly unknown[])[];
  const [latest, now, writer, transaction] = rows[0] as readonly [number, string, string, string];
  marks.isLatest = writer === marks.last;
  if (now === generation) return { latest, transaction };
  await connection.query('ROLLBACK');
  throw new NotKept(
    'a service of another document has laid the tables out anew since this one began; end this one, or start it with that document',
  );
}

/**
 * The same where this process was the last to keep anything, so that it knows how things stand: what follows is sent
 * without waiting for the answer, the transaction's number. It fails with `Behind`, and all that follows with it,
 * where somebody else was in between.
 */
export function begunAhead(
  connection: Connection,
  lock: string,
  generation: string,
  { last }: Marks,
): readonly [Promise<string>, ...Promise<unknown>[]] {
  const before = locked(connection, lock);
  const asked = send(connection, unchanged, [generation, last]).then(
    ([row]) => (row as readonly [string])[0],
    (error: unknown) => {
      throw stateOf(error) === failureCode ? new Behind('another process kept something') : error;
    },
  );
  return [asked, ...before];
}

/** Keeps the latest time, and the mark of the transaction. */
export function marked(connection: Connection, latest: number, mark: string): Promise<unknown> {
  return send(connection, keepLatest, [latest, mark]);
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
export async function wasKept(
  line: Line,
  lock: string,
  { transaction, mark }: Marked,
  { last }: Marks,
): Promise<boolean> {
  let cause: unknown;
  for (const until = performance.now() + fateMs; performance.now() < until; ) {
    line.drop();
    try {
      const connection = await line.get();
      await Promise.all(locked(connection, lock));
      const [[told] = []] = await (transaction === null
        ? send(connection, writerNow)
        : send(connection, statusOf, [transaction]));
      await connection.query('ROLLBACK');
      if (told === mark || told === 'committed') return true;
      if (told === last || told === 'aborted') return false;
      break;
    } catch (error) {
      cause = error;
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
    }
  }
  throw new FateUnknown('the connection was lost at COMMIT', { cause });
}
