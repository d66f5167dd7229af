import { type Asker, NotRead, type Reads, type Row, type Store } from '../store.ts';
import { begin, type Connect, type Connection, type Line, limit, line } from './open.ts';
import { answerOf, Facts, fetchedAll, Guesses, lookOnce } from './replay/look.ts';
import type { Asked, Gave, Need } from './replay/needs.ts';
import { type Replay, rowName, Taken } from './replay/replay.ts';
import { askTogether, Remembered, together } from './replay/together.ts';
import type { Shared } from './shared.ts';
import { ask, type Find, type Finds, type Statements } from './statements.ts';

/** How many looks that take several statements read at once. */
const mostSnapshots = 8;

export const snapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * Looks at what is kept. One that takes a single statement is asked together with those of the same turn; one that
 * takes more sees one snapshot, by a connection of its own.
 */
export interface Reading {
  readonly read: Store['read'];
  readonly close: () => Promise<void>;
}

export function reading(
  connectTo: Connect,
  shared: Shared,
  replay: Replay,
  asked: Statements,
  finds: Finds,
): Reading {
  const own = lines(connectTo, mostSnapshots);
  const looks = new Looks({
    replay,
    asked,
    inSnapshot: (timeMs, act) =>
      own.with((connection) =>
        within(connection, timeMs, () => act((needs) => fetchedAll(connection, needs, finds))),
      ),
    single: { fetch: gathering(shared, finds), fetchTogether: gatheringTogether(shared, finds, asked) },
  });
  return {
    read: looks.reads,
    close: async () => {
      await Promise.all([shared.close(), own.close()]);
    },
  };
}

/** Looks at what is kept as snapshots show it that are come by otherwise. */
export function readingIn(inSnapshot: InSnapshot, replay: Replay, asked: Statements): Store['read'] {
  return new Looks({ replay, asked, inSnapshot, single: null }).reads;
}

/** Reads what one snapshot shows. */
export type InSnapshot = <T>(
  timeMs: number | undefined,
  act: (fetch: (needs: readonly Need[]) => Promise<readonly Answer[]>) => Promise<T>,
) => Promise<T>;

/** What looks take. */
interface Means {
  readonly replay: Replay;
  readonly asked: Statements;
  readonly inSnapshot: InSnapshot;
  /** How a look is taken that takes a single statement. Null: as any other. */
  readonly single: {
    readonly fetch: ReturnType<typeof gathering>;
    readonly fetchTogether: ReturnType<typeof gatheringTogether>;
  } | null;
}

/** A look, and who takes it. */
interface Look<T> {
  readonly look: (reads: Reads) => T;
  readonly asker: Asker;
}

/** A look under way, with what it took of clocks and chance. */
interface Taking<T> extends Look<T> {
  readonly taken: Taken;
}

export type Answer = Row | null | Gave;
type Single = NonNullable<Means['single']>;

class Looks {
  readonly #means: Means;
  readonly #remembered = new Remembered();
  readonly reads: Store['read'] = (
    look,
    asker = { timeMs: undefined, takesSeveral: false, onlyReads: false },
  ) => this.read({ look, asker });

  constructor(means: Means) {
    this.#means = means;
  }

  /** What others hang on is taken to be as it was, to see what else is needed. */
  read<T>(of: Look<T>): T | Promise<T> {
    const taking = { ...of, taken: new Taken() };
    const guesses = new Guesses((need) => this.#remembered.get(need));
    const first = this.#lacks(taking, guesses);
    if ('value' in first) return first.value;
    const all = [...guesses.needs, ...first.lacks];
    const { single } = this.#means;
    if (single === null) return this.#whole(taking, all);
    if (all.length > 1) return this.#several(single, taking, all, guesses.needs);
    // What took several statements before sees one snapshot from the first on.
    return guesses.needs.length === 0 && of.asker.takesSeveral
      ? this.#whole(taking, all)
      : this.#single(single, taking, all[0] as Need);
  }

  /** What a look comes to that guesses nothing; else what it lacks besides. */
  #lacks<T>(taking: Taking<T>, guesses: Guesses): ReturnType<typeof lookOnce<T>> {
    try {
      const first = this.#once(taking, guesses);
      return 'value' in first && guesses.needs.length > 0 ? { lacks: [] } : first;
    } catch (error) {
      // What it comes to by the answers counts alone.
      if (guesses.needs.length > 0) return { lacks: [] };
      throw error;
    }
  }

  #once<T>({ look, taken }: Taking<T>, facts: Facts): ReturnType<typeof lookOnce<T>> {
    const { replay, asked } = this.#means;
    return lookOnce(replay, asked, taken, facts, look);
  }

  async #single<T>({ fetch }: Single, taking: Taking<T>, need: Need): Promise<T> {
    const facts = new Facts();
    const answer = await orNotRead(() => fetch(need, taking.asker.timeMs));
    facts.learn(need, answer);
    const again = this.#once(taking, facts);
    if ('value' in again) return again.value;
    this.#remembered.note(need, answer);
    return this.#whole(taking, [need, ...again.lacks]);
  }

  /** What is needed together is asked by one statement, so of one moment. */
  async #several<T>(
    { fetchTogether }: Single,
    taking: Taking<T>,
    needs: readonly Need[],
    guessed: readonly Need[],
  ): Promise<T> {
    const answers = await orNotRead(() => fetchTogether(needs, taking.asker.timeMs));
    if (answers === undefined) return this.#whole(taking, needs);
    const facts = new Facts();
    learn(facts, needs, answers);
    for (const [index, need] of guessed.entries()) this.#remembered.note(need, answers[index] as Answer);
    const again = this.#once(taking, facts);
    return 'value' in again ? again.value : this.#whole(taking, [...needs, ...again.lacks]);
  }

  /** What was read before is read again, of one moment with the rest. */
  #whole<T>(taking: Taking<T>, lacks: readonly Need[]): Promise<T> {
    const { asker } = taking;
    return this.#means.inSnapshot(asker.timeMs, async (fetch) => {
      const facts = new Facts();
      let count = 0;
      for (let needs = lacks; ; ) {
        count += needs.length;
        const found = await orNotRead(() => fetch(needs));
        learn(facts, needs, found);
        const next = this.#once(taking, facts);
        if ('value' in next) {
          asker.takesSeveral = count > 1;
          return next.value;
        }
        for (const [index, need] of needs.entries()) this.#remembered.note(need, found[index] as Answer);
        needs = next.lacks;
      }
    });
  }
}

function learn(facts: Facts, needs: readonly Need[], answers: readonly Answer[]): void {
  for (const [index, need] of needs.entries()) facts.learn(need, answers[index] as Answer);
}

/** Reads in one transaction. Nobody waits for its begin and its end, behind which the next query stands. */
async function within<T>(
  connection: Connection,
  timeMs: number | undefined,
  act: () => Promise<T>,
): Promise<T> {
  limit(connection, timeMs);
  begin(connection, snapshot, 'SAVEPOINT look').catch(() => {});
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
  shared: Shared,
  finds: Finds,
): (need: Need, timeMs: number | undefined) => Promise<Row | null | Gave> {
  const waiting = new Map<string, Group>();
  const asking = new Map<string, Promise<Gave>>();
  const answer = (name: string, asked: Asked, timeMs: number | undefined): Promise<Gave> =>
    turn().then(() => {
      asking.delete(name);
      return answerOf(() => shared.ask(timeMs, (connection) => ask(connection, asked)));
    });
  const gather = (name: string, table: string, timeMs: number | undefined): Group => {
    const wanted: Group['wanted'] = new Map();
    const found = turn().then(async () => {
      waiting.delete(name);
      const { find } = finds.get(table) as Find;
      const keys = [...wanted.values()].map(({ key }) => key);
      const rows = await shared.ask(timeMs, (connection) => find(connection, keys));
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

/** Fetches what one look asks for by one statement: what several ask alike in one turn, once. Undefined: it cannot be. */
function gatheringTogether(
  shared: Shared,
  finds: Finds,
  { named }: Statements,
): (
  needs: readonly Need[],
  timeMs: number | undefined,
) => Promise<readonly (Row | null | Gave)[] | undefined> {
  const asking = new Map<string, ReturnType<typeof askTogether>>();
  const joined = together(finds, named);
  return async (needs, timeMs) => {
    const asked = joined(needs);
    if (asked === null) return undefined;
    const name = `${timeMs} ${needs.map((need) => need.name).join(' ')}`;
    const answered =
      asking.get(name) ??
      turn().then(async () => {
        asking.delete(name);
        return shared.ask(timeMs, (connection) => askTogether(connection, asked));
      });
    asking.set(name, answered);
    return answered;
  };
}

/** The end of this turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface Lines {
  readonly with: <T>(use: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Gives all up, with what is under way: those that are wanted next are others. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/** So many connections, each of one at a time. */
export function lines(connectTo: Connect, most: number): Lines {
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
    cut: () => {
      for (const one of all) one.cut();
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
