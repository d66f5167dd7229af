import type { Reads, Row } from '../../store.ts';
import type { Connection } from '../open.ts';
import { ask, type Find, type Finds, type Statements } from '../statements.ts';
import { failureOf } from '../values.ts';
import type { Gave, Need } from './needs.ts';
import { type Known, type Pass, type Replay, reads, type Taken } from './replay.ts';

/** What was fetched for a look. */
export class Facts implements Known {
  readonly #rows = new Map<string, Row | null>();
  readonly #gave = new Map<string, Gave>();

  find(name: string): Row | null | undefined {
    return this.#rows.get(name);
  }
  asked(name: string): Gave | undefined {
    return this.#gave.get(name);
  }
  learn(need: Need, found: Row | null | Gave): void {
    if (need.kind === 'find') this.#rows.set(need.name, found as Row | null);
    else this.#gave.set(need.name, found as Gave);
  }
}

/** What is remembered, taken for what is known: the answers count alone. */
export class Guesses extends Facts {
  /** What was taken so, in order. */
  readonly needs: Need[] = [];
  readonly guess: NonNullable<Known['guess']>;

  constructor(remembered: (need: Need) => Row | null | Gave | undefined) {
    super();
    this.guess = (need) => {
      const answer = remembered(need);
      if (answer === undefined) return undefined;
      this.needs.push(need);
      this.learn(need, answer);
      return answer;
    };
  }
}

/** What a look comes to over what is known, or what it lacks. */
export function lookOnce<T>(
  replay: Replay,
  { asking }: Pick<Statements, 'asking'>,
  taken: Taken,
  facts: Known,
  look: (reads: Reads) => T,
): { readonly value: T } | { readonly lacks: readonly Need[] } {
  const lacks: Need[] = [];
  const nothing = (): never => {
    throw new TypeError('a look changes nothing');
  };
  const pass: Pass = {
    ...reads(lacks, facts, asking),
    taken,
    lacks,
    insert: nothing,
    update: nothing,
    remove: nothing,
    removeEvery: nothing,
  };
  return replay.run(pass, look) ?? { lacks };
}

/**
 * Fetches what is lacked, in a transaction whose savepoint `look` stands before whatever is read. A query that cannot
 * be worked out fails those behind it, so that then each is asked by itself.
 */
export async function fetchedAll(
  connection: Connection,
  needs: readonly Need[],
  finds: Finds,
): Promise<readonly (Row | null | Gave)[]> {
  const together = await Promise.allSettled(needs.map((need) => fetched(connection, need, finds)));
  const found = together.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (!found.some((one) => one && 'error' in one)) {
    const failed = together.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return found;
  }
  const each: (Row | null | Gave)[] = [];
  for (const need of needs) {
    await connection.query('ROLLBACK TO look');
    each.push(await fetched(connection, need, finds));
  }
  await connection.query('ROLLBACK TO look');
  return each;
}

export async function fetched(connection: Connection, need: Need, finds: Finds): Promise<Row | null | Gave> {
  if (need.kind === 'ask') return answerOf(() => ask(connection, need.asked));
  return (await (finds.get(need.table) as Find).find(connection, [need.key]))[0] ?? null;
}

/** What a query gave, or that it could not be worked out, which is for who asked to deal with. */
export async function answerOf(answer: () => Promise<Gave>): Promise<Gave> {
  try {
    return await answer();
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return { error: failure };
    throw error;
  }
}
