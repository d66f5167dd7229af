import { type Asker, NotRead, type Reads, type Row, type Store } from '../store.ts';
import { type Connect, type Connection, type Line, limit, line } from './open.ts';
import { answerOf, Facts, fetchedAll, lookOnce } from './replay/look.ts';
import type { Asked, Gave, Need } from './replay/needs.ts';
import { type Replay, rowName, Taken } from './replay/replay.ts';
import { ask, type Find, type Statements } from './statements.ts';

/** How many looks that take several statements read at once. */
const mostSnapshots = 8;

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SAVEPOINT look';

/**
 * Looks at what is kept. One that takes a single statement is asked together with those of the same turn; one that
 * takes more sees one snapshot, by a connection of its own.
 */
export interface Reading {
  readonly read: Store['read'];
  /** Connects now, rather than with the first look. */
  readonly connect: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export function reading(
  connectTo: Connect,
  replay: Replay,
  asked: Statements,
  finds: ReadonlyMap<string, Find>,
): Reading {
  const shared = line(() => connectTo('ask'));
  const together = gathering(shared, finds);
  const snapshots = lines(connectTo, mostSnapshots);
  const read: Store['read'] = (look, asker = { timeMs: undefined, takesSeveral: false }) => {
    const taken = new Taken();
    const first = lookOnce(replay, asked, taken, new Facts(), look);
    if ('value' in first) return first.value;
    // What took several statements before sees one snapshot from the first on.
    return (asker.takesSeveral || first.lacks.length > 1 ? whole : single)(look, taken, first.lacks, asker);
  };
  const single = async <T>(
    look: (reads: Reads) => T,
    taken: Taken,
    lacks: readonly Need[],
    asker: Asker,
  ): Promise<T> => {
    const [need] = lacks as [Need];
    const facts = new Facts();
    facts.learn(need, await orNotRead(() => together(need, asker.timeMs)));
    const again = lookOnce(replay, asked, taken, facts, look);
    return 'value' in again ? again.value : whole(look, taken, [need, ...again.lacks], asker);
  };
  /** What was read before is read again, of one moment with the rest. */
  const whole = <T>(
    look: (reads: Reads) => T,
    taken: Taken,
    lacks: readonly Need[],
    asker: Asker,
  ): Promise<T> =>
    snapshots.with((connection) =>
      within(connection, asker.timeMs, async () => {
        const facts = new Facts();
        let count = 0;
        for (let needs = lacks; ; ) {
          count += needs.length;
          const found = await orNotRead(() => fetchedAll(connection, needs, finds));
          for (const [index, need] of needs.entries()) facts.learn(need, found[index] as Row | null | Gave);
          const next = lookOnce(replay, asked, taken, facts, look);
          if ('value' in next) {
            asker.takesSeveral = count > 1;
            return next.value;
          }
          needs = next.lacks;
        }
      }),
    );
  return {
    read,
    connect: shared.get,
    close: async () => {
      await Promise.all([shared.close(), snapshots.close()]);
    },
  };
}

/** Reads in one transaction. Nobody waits for its begin and its end, behind which the next query stands. */
async function within<T>(
  connection: Connection,
  timeMs: number | undefined,
  act: () => Promise<T>,
): Promise<T> {
  limit(connection, timeMs);
  connection.query(begin).catch(() => {});
  try {
    return await act();
  } finally {
    connection.query('ROLLBACK').catch(() => {});
  }
}

interface Group {
  readonly wanted: Map<string, Need & { kind: 'find' }>;
  readonly found: Promise<ReadonlyMap<string, Row>>;
}

/**
 * Fetches what was asked for in one turn of the event loop together: the rows of one table by one statement, and what
 * several ask alike once.
 */
function gathering(
  shared: Line,
  finds: ReadonlyMap<string, Find>,
): (need: Need, timeMs: number | undefined) => Promise<Row | null | Gave> {
  const waiting = new Map<string, Group>();
  const asking = new Map<string, Promise<Gave>>();
  const connection = async (timeMs: number | undefined): Promise<Connection> => {
    const one = await shared.get();
    limit(one, timeMs);
    return one;
  };
  const answer = (name: string, asked: Asked, timeMs: number | undefined): Promise<Gave> =>
    turn().then(() => {
      asking.delete(name);
      return answerOf(async () => ask(await connection(timeMs), asked));
    });
  const gather = (name: string, table: string, timeMs: number | undefined): Group => {
    const wanted: Group['wanted'] = new Map();
    const found = turn().then(async () => {
      waiting.delete(name);
      const find = finds.get(table) as Find;
      const rows = await find(
        await connection(timeMs),
        [...wanted.values()].map(({ key }) => key),
      );
      return new Map(rows.map((row) => [rowName(table, row.key), row]));
    });
    return { wanted, found };
  };
  return async (need, timeMs) => {
    if (need.kind === 'ask') {
      const name = `${timeMs} ${need.name}`;
      const answered = asking.get(name) ?? answer(name, need.asked, timeMs);
      asking.set(name, answered);
      return answered;
    }
    const name = `${timeMs} ${need.table}`;
    const group = waiting.get(name) ?? gather(name, need.table, timeMs);
    waiting.set(name, group);
    group.wanted.set(need.name, need);
    return (await group.found).get(need.name) ?? null;
  };
}

/** The end of this turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Lines {
  readonly with: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** So many connections, each of one at a time. */
function lines(connectTo: Connect, most: number): Lines {
  const all = Array.from({ length: most }, () => line(() => connectTo('ask')));
  const free = [...all];
  const waiting: ((one: Line) => void)[] = [];
  return {
    with: async (use) => {
      const one = free.pop() ?? (await new Promise<Line>((resolve) => waiting.push(resolve)));
      try {
        return await use(await orNotRead(() => one.get()));
      } finally {
        const next = waiting.shift();
        if (next) next(one);
        else free.push(one);
      }
    },
    close: async () => {
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

async function orNotRead<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new NotRead('what is kept cannot be read', { cause: error });
  }
}
