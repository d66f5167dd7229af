import type { Reply } from '../../../message/reply.ts';
import type { Conflict } from '../../conflict.ts';
import type { Plan } from '../../plan.ts';
import { NotKept, type StoreTime } from '../../store.ts';
import { type Connection, isCancelled, isOfRow, stateOf } from '../open.ts';
import { ask, type Finds, type Statements } from '../statements.ts';
import { sendEach, sendNet, type TableWrites } from '../writes.ts';
import type { Divisions } from './divisions.ts';
import { answersOf, fetching, grouped } from './fetching.ts';
import { Footprint, footprintOf, type Relied } from './footprint.ts';
import type { Habits } from './habits.ts';
import { locksOf } from './locks.ts';
import { answerOf } from './look.ts';
import type { Asked, Gave, Need } from './needs.ts';
import { Met, Overlay, type PlanPass, planPass, type Write } from './overlay.ts';
import { limiting, longest, type Planned } from './planned.ts';
import { type Replay, rowName } from './replay.ts';
import { type Begun, begun, isSilence, type Mark, type Marks } from './standing.ts';

/** How many plans are asked what they lack before it is their turn. */
const mostAhead = 64;

/** What carrying plans out takes. */
export interface Carrying {
  readonly replay: Replay;
  readonly statements: Statements;
  readonly finds: Finds;
  readonly writes: ReadonlyMap<string, TableWrites>;
  readonly conflictOf: (error: unknown) => Conflict | null;
  readonly keyOf: (table: string) => readonly string[];
  /** The number of the lock of the service, which all writers share, unless one is to be alone. */
  readonly lock: string;
  readonly divisions: Divisions;
  readonly habits: Habits;
  /** What the tables were laid out as when this process began. */
  readonly generation: string;
  /** Told what the time is, before plans are carried out. */
  readonly heard: (time: StoreTime) => void;
  readonly marks: Marks;
}

/** Together they do not go: they are carried out one by one, while nobody else writes. */
export class OneByOne extends Error {}

/** A plan read or wrote more than locks were taken for: its footprint is larger by now, and all begins anew. */
export class Grown extends Error {}

/** The server did not answer COMMIT; what the plans came to, where it was carried out. */
export class Unanswered extends Error {
  readonly mark: Mark;
  readonly replies: readonly Reply[];

  constructor(mark: Mark, replies: readonly Reply[]) {
    super('COMMIT was not answered');
    this.mark = mark;
    this.replies = replies;
  }
}

/** A query took longer than its plan may. */
class Overrun extends Error {}

/** One transaction. */
export class Batch {
  readonly #connection: Connection;
  readonly #carrying: Carrying;
  readonly #planned: readonly Planned[];
  /** Whether each plan is sent by itself, to tell which one a row is in the way of. */
  readonly #isOneByOne: boolean;
  readonly #overlay = new Overlay();
  /** What was sent and is not awaited yet. */
  #underway: Promise<unknown>[] = [];
  #hasSavepoint = false;
  /** What its queries may take. */
  #timeMs: number | undefined;
  /** What locks are taken for; null: there is nobody else. */
  readonly #footprint: Footprint | null;
  /** The rows that are locked, and those that plans made, by name. */
  readonly #locked = new Set<string>();
  readonly #made = new Set<string>();
  readonly #relied: Relied[] = [];
  #isGrown = false;

  constructor(connection: Connection, carrying: Carrying, planned: readonly Planned[], isOneByOne: boolean) {
    this.#connection = connection;
    this.#carrying = carrying;
    this.#planned = planned;
    this.#isOneByOne = isOneByOne;
    this.#footprint = isOneByOne ? null : new Footprint();
    for (const { footprint } of planned) this.#footprint?.add(footprint);
    this.#footprint?.coarsen();
  }

  /** Throws `OneByOne` or `Grown` where it is to begin anew. */
  async carryOut(latest: () => number): Promise<readonly Reply[]> {
    const replies: Reply[] = [];
    try {
      await this.#begin();
      for (const [index, { plan }] of this.#planned.entries()) replies.push(await this.#settled(plan, index));
      // The other plans are gone through, too, so that all that is to be locked shows at once.
      if (this.#isGrown) throw new Grown();
    } catch (error) {
      await this.#rollBack();
      // What was read without locks may be no reason.
      throw this.#isGrown && error instanceof OneByOne ? new Grown() : error;
    }
    return this.#committed(replies, latest);
  }

  /** What plans lack as far as that can be told before the locks are held is fetched as soon as they are. */
  async #begin(): Promise<void> {
    const { finds, lock } = this.#carrying;
    const locks = this.#footprint && locksOf(this.#footprint, finds, lock);
    if (!this.#isOneByOne) this.#timeMs = longest(this.#planned);
    const limits = this.#timeMs === undefined ? [] : [limiting(this.#connection, this.#timeMs)];
    const begins = begun(this.#connection, lock, locks, limits);
    this.#underway.push(begins);
    const ahead = this.#lackedFrom(0).filter(({ name }) => !this.#footprint?.rows.has(name));
    await this.#ofPlans(() => this.#fetch(ahead));
    this.#go(await begins);
  }

  /** Goes on by how things stand: plans are given the time anew. */
  #go({ generation, divisions, rows, ...time }: Begun): void {
    const { heard, replay } = this.#carrying;
    if (generation !== this.#carrying.generation)
      throw new NotKept(
        'a service of another document has laid the tables out anew since this one began; end this one, or start it with that document',
      );
    heard(time);
    this.#carrying.divisions.learn(divisions);
    for (const { taken } of this.#planned) replay.forgetTimes(taken);
    for (const { name, row } of rows) {
      this.#locked.add(name);
      this.#overlay.learnRow(name, row);
    }
    // Those that are not there are to be locked otherwise where they decide.
    for (const name of this.#footprint?.rows.keys() ?? []) this.#overlay.learnRow(name, null);
  }

  /** Whether others may have changed meanwhile what a plan went by: then its footprint is larger than it was. */
  #checked<T>(pass: PlanPass, index: number, came: T, isKept: boolean): T {
    if (this.#footprint === null) return came;
    const { footprint, relied } = footprintOf(pass, this.#overlay, this.#carrying.divisions, isKept);
    const inserted = new Set(
      pass.own.flatMap((one) => (one.kind === 'insert' ? [rowName(one.table, one.row.key)] : [])),
    );
    const isLocked = (name: string): boolean => this.#locked.has(name);
    const isMade = (name: string): boolean => this.#made.has(name) || inserted.has(name);
    const planned = this.#planned[index] as Planned;
    const isCovered = footprint.isCovered(this.#footprint, isLocked, isMade);
    this.#carrying.habits.note(planned, footprint, isCovered);
    if (!isCovered) {
      planned.footprint.add(footprint);
      this.#isGrown = true;
    }
    this.#relied.push(...relied);
    if (isKept) for (const name of inserted) this.#made.add(name);
    return came;
  }

  /** What its queries may take from now on. */
  #limit(timeMs: number | undefined): void {
    if (timeMs === this.#timeMs) return;
    this.#timeMs = timeMs;
    this.#underway.push(this.#connection.query(limiting(this.#connection, timeMs)));
  }

  async #committed(replies: readonly Reply[], latest: () => number): Promise<readonly Reply[]> {
    const { writes } = this.#overlay;
    const { marks } = this.#carrying;
    const gone = this.#relied.filter(({ table, isStill }) => !this.#footprint?.isAlone(table) && !isStill());
    if (gone.length > 0) {
      for (const { table } of gone) this.#planned[0]?.footprint.lock(table, table, true);
      await this.#rollBack();
      throw new Grown();
    }
    const mark = marks.next();
    this.#limit(undefined);
    this.#send(writes.slice(this.#overlay.sent));
    if (writes.length > 0) this.#underway.push(...marks.leave(this.#connection, mark, latest()));
    const committing = this.#connection.query('COMMIT');
    const failures = (await Promise.allSettled(this.#underway)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
    // What the server said against a statement, it says against the transaction.
    const refused = failures.find((error) => !isSilence(error));
    try {
      const { command } = await committing;
      marks.over(mark);
      if (command === 'COMMIT' && failures.length === 0) return replies;
    } catch (error) {
      if (isSilence(error) && refused === undefined) throw new Unanswered(mark, replies);
      marks.over(mark);
      throw new NotKept('the transaction failed', { cause: refused ?? error });
    }
    if (isOfRow(refused) && !this.#isOneByOne) throw new OneByOne();
    throw new NotKept('the transaction failed', { cause: refused });
  }

  /** The answer of a plan, once it has been carried out, or has left nothing. */
  async #settled(plan: Plan, index: number): Promise<Reply> {
    const pass = await this.#through(index);
    if ('error' in pass) {
      await this.#undo();
      if (isOfBatch(pass.error)) throw pass.error;
      if (pass.error instanceof Met)
        return plan.conflict(pass.error.table, this.#carrying.keyOf(pass.error.table));
      const met = this.#carrying.conflictOf(pass.error);
      return met ? plan.conflict(met.table, met.fields) : plan.fault(pass.error);
    }
    const { reply, keep, own } = pass;
    if (!keep) {
      await this.#undo();
      return reply;
    }
    if (!this.#isOneByOne) {
      this.#overlay.keep(own);
      if (this.#hasSavepoint) this.#underway.push(this.#connection.query('RELEASE plan'));
      this.#hasSavepoint = false;
      return reply;
    }
    try {
      await this.#flush(own);
    } catch (error) {
      if (!isOfRow(error) && !this.#isOverrun(error)) throw error;
      await this.#undo();
      const met = this.#carrying.conflictOf(error);
      return met ? plan.conflict(met.table, met.fields) : plan.fault(error);
    }
    this.#overlay.keep(own);
    await this.#connection.query('RELEASE plan');
    this.#hasSavepoint = false;
    return reply;
  }

  /** Runs a plan until it lacks nothing. */
  async #through(
    index: number,
  ): Promise<
    | { readonly reply: Reply; readonly keep: boolean; readonly own: readonly Write[] }
    | { readonly error: unknown }
  > {
    if (this.#isOneByOne) {
      this.#limit(this.#planned[index]?.plan.timeMs);
      await this.#savepoint();
    }
    for (;;) {
      const { plan, taken } = this.#planned[index] as Planned;
      const pass = planPass(this.#overlay, this.#carrying.statements, taken);
      try {
        const decided = this.#carrying.replay.run(pass, plan.decide);
        if (decided) {
          const { value } = decided;
          return this.#checked(pass, index, { ...value, own: pass.own }, value.keep);
        }
      } catch (error) {
        return this.#checked(pass, index, { error }, false);
      }
      const failed = await this.#ofPlans(async () => {
        if (pass.isBehindWrites()) await this.#flush(pass.own.slice(0, pass.sure()));
        const wanted = pass.wanted(this.#overlay.sent);
        if (wanted[0] !== pass.lacks[0]) throw new TypeError('what a plan lacks first is never asked');
        await this.#fetch([...wanted, ...this.#lackedFrom(index + 1)]);
      });
      if (failed) return failed;
    }
  }

  /** What is asked for plans; where they go one by one, gives the error that is this one's. */
  async #ofPlans(ask: () => Promise<void>): Promise<{ readonly error: unknown } | null> {
    try {
      await ask();
      return null;
    } catch (error) {
      const isOfPlan = isOfRow(error) || error instanceof Overrun;
      if (this.#isOneByOne && isOfPlan) return { error };
      throw isOfPlan ? new OneByOne() : error;
    }
  }

  /** What the plans from one on lack, as far as that can be told now. */
  #lackedFrom(index: number): Need[] {
    if (this.#isOneByOne) return [];
    return this.#planned.slice(index, index + mostAhead).flatMap(({ plan, taken }) => {
      const pass = planPass(this.#overlay, this.#carrying.statements, taken);
      try {
        this.#carrying.replay.run(pass, plan.decide);
      } catch {
        // What it comes to, it comes to when it is its turn.
      }
      return pass.wanted(Math.min(this.#overlay.sent, this.#overlay.writes.length));
    });
  }

  /** Fetches what is lacked in one round trip. */
  async #fetch(needs: readonly Need[]): Promise<void> {
    const answers = {
      groups: (asks: Parameters<typeof grouped>[0]) =>
        this.#isOneByOne ? asks.map((one) => [one]) : grouped(asks),
      of: (asks: readonly Asked[]) => this.#answers(asks),
    };
    const { sent } = this.#overlay;
    await this.#all(fetching(this.#connection, this.#carrying, needs, this.#overlay, sent, answers));
  }

  async #answers(asks: readonly Asked[]): Promise<readonly Gave[]> {
    const [only, second] = asks;
    if (only && second === undefined) return [await this.#answer(only)];
    try {
      return await answersOf(this.#connection, this.#carrying, asks);
    } catch (error) {
      throw this.#isOverrun(error) ? new Overrun('a query took too long', { cause: error }) : error;
    }
  }

  /** What a query gives; where plans go one by one, one that cannot be worked out leaves the rest as it was. */
  async #answer(asked: Asked): Promise<Gave> {
    if (!this.#isOneByOne) return this.#inTime(asked);
    await this.#connection.query('SAVEPOINT query');
    const gave = await answerOf(() => this.#inTime(asked));
    await this.#connection.query('ROLLBACK TO query');
    return gave;
  }

  async #inTime(asked: Asked): Promise<Gave> {
    try {
      return await ask(this.#connection, asked);
    } catch (error) {
      throw this.#isOverrun(error) ? new Overrun('a query took too long', { cause: error }) : error;
    }
  }

  #isOverrun(error: unknown): boolean {
    return this.#timeMs !== undefined && isCancelled(error);
  }

  /** Sends what is written by now, so that a query sees it: what a plan wrote so far behind a savepoint. */
  async #flush(own: readonly Write[]): Promise<void> {
    const { writes } = this.#overlay;
    if (this.#overlay.sent < writes.length) {
      this.#send(writes.slice(this.#overlay.sent));
      this.#overlay.sent = writes.length;
    }
    const rest = own.slice(this.#overlay.sent - writes.length);
    if (rest.length > 0) {
      if (!this.#hasSavepoint) this.#underway.push(this.#connection.query('SAVEPOINT plan'));
      this.#hasSavepoint = true;
      this.#send(rest);
      this.#overlay.sent += rest.length;
    }
    if (this.#isOneByOne) await this.#all([]);
  }

  #send(writes: readonly Write[]): void {
    const how = this.#isOneByOne ? sendEach : sendNet;
    const { writes: of } = this.#carrying;
    this.#underway.push(...how(this.#connection, writes, (table) => of.get(table) as TableWrites));
  }

  async #savepoint(): Promise<void> {
    this.#hasSavepoint = true;
    this.#underway.push(this.#connection.query('SAVEPOINT plan'));
    await this.#all([]);
  }

  /** Undoes what was sent of a plan. */
  async #undo(): Promise<void> {
    if (!this.#hasSavepoint) return;
    this.#hasSavepoint = false;
    const { length } = this.#overlay.writes;
    this.#overlay.forget(length);
    this.#underway.push(this.#connection.query('ROLLBACK TO plan'), this.#connection.query('RELEASE plan'));
    await this.#all([]);
  }

  /** Awaits what was sent, all of it, so that nothing is left behind; throws what failed first. */
  async #all(others: readonly Promise<unknown>[]): Promise<void> {
    const underway = [...this.#underway, ...others];
    this.#underway = [];
    const failed = (await Promise.allSettled(underway)).find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #rollBack(): Promise<void> {
    await Promise.allSettled([...this.#underway, this.#connection.query('ROLLBACK')]);
    this.#underway = [];
  }
}

/** Whether an error that came out of a plan is of the whole transaction's. */
function isOfBatch(error: unknown): boolean {
  return error instanceof OneByOne || (stateOf(error) !== undefined && !isOfRow(error));
}
