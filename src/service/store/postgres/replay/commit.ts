import { setTimeout } from 'node:timers/promises';
import type { Reply } from '../../../message/reply.ts';
import type { Plan } from '../../plan.ts';
import { NotKept } from '../../store.ts';
import { type Connection, type Line, stateOf } from '../open.ts';
import { Batch, type Carrying, Grown, OneByOne, Unanswered } from './batch.ts';
import { Footprint } from './footprint.ts';
import { learn } from './learn.ts';
import { type Planned, plannedOf } from './planned.ts';
import { wasKept } from './standing.ts';

/** Transactions of several plans, side by side where they have nothing to do with each other. */
export interface Committing {
  readonly commit: (plans: readonly Plan[], latest: () => number) => Promise<readonly Reply[]>;
  /** Ends once those under way have. */
  readonly close: () => Promise<void>;
}

/** How many plans go into one transaction, unless they come together. */
const mostTogether = 64;

/** How often a transaction begins anew because a plan read or wrote more than before, until it is alone. */
const mostTimes = 3;

/** How long plans wait for a transaction under way to end, so that more of them go together, in milliseconds. */
const patienceMs = 1;

/** Plans that come together, and stay together. */
interface Group {
  readonly planned: readonly Planned[];
  readonly latest: () => number;
  readonly footprint: Footprint;
  isOneByOne: boolean;
  readonly settle: (replies: readonly Reply[]) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Carries plans out, as many at once as there are connections. What plans read and write is learnt first, from a
 * snapshot. Those that meet one under way wait for it, and then go together; the others take locks, run again over what
 * is so by then, and what they write is sent at the end, in few statements.
 */
export function committing(lines: readonly Line[], carrying: Carrying): Committing {
  const dispatch = new Dispatch(lines, carrying);
  return {
    commit: (plans, latest) =>
      new Promise((settle, fail) => {
        const planned = plans.map(plannedOf);
        const footprint = new Footprint();
        dispatch.add({ planned, latest, footprint, isOneByOne: false, settle, fail });
      }),
    close: async () => {
      await dispatch.ended();
      await Promise.all(lines.map((one) => one.close()));
    },
  };
}

/** Gives plans that wait to connections that have nothing to do. */
class Dispatch {
  readonly #carrying: Carrying;
  /** Those first that came first. */
  readonly #waiting: Group[] = [];
  readonly #underway = new Set<Footprint>();
  readonly #idle: Set<Line>;
  #isRunning = false;
  /** How many went together last. */
  #last = 0;
  /** Told where there is something else to do, and where a transaction is over. */
  readonly #news = signal();
  readonly #over = signal();

  constructor(lines: readonly Line[], carrying: Carrying) {
    this.#carrying = carrying;
    this.#idle = new Set(lines);
  }

  add(group: Group): void {
    this.#waiting.push(group);
    this.#news.tell();
    if (this.#isRunning) return;
    this.#isRunning = true;
    // All plans of one turn of the event loop are there when it begins.
    setImmediate(() => void this.#run());
  }

  /** Resolved once nothing waits, nor is under way. */
  async ended(): Promise<void> {
    while (this.#isRunning || this.#underway.size > 0) await this.#news.next();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Those who were answered together come again together.
      if (this.#underway.size > 0 || this.#waiting.length < this.#last)
        await Promise.race([this.#over.next(), setTimeout(patienceMs)]);
      const [line] = this.#idle;
      if (line) await this.#goOn(line);
      else await this.#over.next();
    }
    this.#isRunning = false;
    this.#news.tell();
  }

  async #goOn(line: Line): Promise<void> {
    this.#idle.delete(line);
    const groups = await learnt(line, this.#carrying, someOf(this.#waiting));
    const going = this.#free(groups);
    if (going.length > 0) {
      void this.#carryOut(line, going);
      return;
    }
    this.#idle.add(line);
    if (groups.length > 0) await this.#news.next();
  }

  /** Those that meet none under way, nor one that waits for longer; the others wait on. */
  #free(groups: readonly Group[]): readonly Group[] {
    const left: Group[] = [];
    const going = groups.filter((group) => {
      const before = [...this.#underway, ...left.map(({ footprint }) => footprint)];
      const isMet = before.some((one) => one.meets(group.footprint));
      if (isMet) left.push(group);
      return !isMet;
    });
    this.#waiting.unshift(...left);
    return going;
  }

  async #carryOut(line: Line, groups: readonly Group[]): Promise<void> {
    const footprint = new Footprint();
    for (const group of groups) footprint.add(group.footprint);
    this.#underway.add(footprint);
    this.#last = groups.length;
    await carryOut(line, this.#carrying, groups);
    this.#underway.delete(footprint);
    this.#over.tell();
    await told(line, this.#carrying);
    this.#idle.add(line);
    this.#over.tell();
    this.#news.tell();
  }
}

/** What is told again and again, and waited for. */
function signal(): { readonly next: () => Promise<void>; readonly tell: () => void } {
  let waits = Promise.withResolvers<void>();
  return {
    next: () => waits.promise,
    tell: () => {
      waits.resolve();
      waits = Promise.withResolvers();
    },
  };
}

/** Those at the head, as many as go into one transaction. */
function someOf(waiting: Group[]): readonly Group[] {
  let count = 0;
  let plans = 0;
  for (const { planned } of waiting) {
    plans += planned.length;
    if (count > 0 && plans > mostTogether) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Those that are to be carried out still, once it is learnt what they read and write. */
async function learnt(line: Line, carrying: Carrying, groups: readonly Group[]): Promise<readonly Group[]> {
  const unknown = groups.filter(({ planned }) => planned.some(({ isLearnt }) => !isLearnt));
  if (unknown.length === 0) return groups;
  try {
    const planned = unknown.flatMap((group) => group.planned);
    const isLearnt = await learn(await connected(line), carrying, planned);
    for (const group of unknown) {
      for (const one of group.planned) {
        group.isOneByOne ||= !isLearnt;
        group.footprint.add(one.footprint);
        one.isLearnt = true;
      }
      group.footprint.isAll ||= group.isOneByOne;
    }
  } catch (error) {
    line.drop();
    for (const { fail } of unknown) fail(notKept(error));
    return groups.filter((group) => !unknown.includes(group));
  }
  return groups.filter(({ planned: [only, second], settle }) => {
    // One of several may keep nothing by what those before it keep.
    const refusal = second === undefined ? only?.refusal : null;
    if (refusal) settle([refusal]);
    return !refusal;
  });
}

/** Tells of divisions of tables by which plans were found to read. */
async function told(line: Line, { divisions, lock }: Carrying): Promise<void> {
  const connection = await line.get().catch(() => null);
  if (connection) await divisions.tell(connection, lock);
}

/** Carries groups out in one transaction, and settles them. */
async function carryOut(line: Line, carrying: Carrying, groups: readonly Group[]): Promise<void> {
  const planned = groups.flatMap((group) => group.planned);
  const latest = (): number => Math.max(...groups.map((group) => group.latest()));
  try {
    const replies = await tried(
      line,
      carrying,
      planned,
      latest,
      groups.some(({ isOneByOne }) => isOneByOne),
    );
    let from = 0;
    for (const { planned: own, settle } of groups) {
      settle(replies.slice(from, from + own.length));
      from += own.length;
    }
  } catch (error) {
    for (const { fail } of groups) fail(error);
  }
}

async function tried(
  line: Line,
  carrying: Carrying,
  planned: readonly Planned[],
  latest: () => number,
  begins: boolean,
): Promise<readonly Reply[]> {
  let isOneByOne = begins;
  for (let times = 1; ; times += 1) {
    try {
      return await new Batch(await connected(line), carrying, planned, isOneByOne).carryOut(latest);
    } catch (error) {
      if (error instanceof Grown && !isOneByOne) {
        isOneByOne = times >= mostTimes;
        continue;
      }
      if ((error instanceof OneByOne || isMet(error)) && !isOneByOne) {
        isOneByOne = true;
        continue;
      }
      line.drop();
      if (!(error instanceof Unanswered)) throw notKept(error);
      try {
        return await outcome(line, error);
      } finally {
        carrying.marks.over(error.mark);
      }
    }
  }
}

/** Whether transactions waited for each other, so that the server ended one of them. */
function isMet(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf((error as Error).cause ?? error) ?? '');
}

function notKept(error: unknown): NotKept {
  return error instanceof NotKept ? error : new NotKept('the transaction failed', { cause: error });
}

async function connected(line: Line): Promise<Connection> {
  try {
    return await line.get();
  } catch (error) {
    throw new NotKept('the transaction did not begin', { cause: error });
  }
}

/** What a transaction came to whose COMMIT was not answered. */
async function outcome(line: Line, { mark, replies }: Unanswered): Promise<readonly Reply[]> {
  if (await wasKept(line, mark)) return replies;
  throw new NotKept('the connection was lost, and the transaction with it');
}
