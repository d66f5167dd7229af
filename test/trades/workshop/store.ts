import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { ensure, Refused } from './request.ts';

export type Broken = (fault: string) => boolean;

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'customer' | 'mechanic';
  readonly joinedAt: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export interface Bike {
  readonly id: number;
  readonly owner: string;
  readonly frame: string;
  label: string;
  kind: string;
  year: number | null;
}

export type Status = 'received' | 'quoted' | 'approved' | 'ready' | 'cancelled' | 'lapsed';

export interface Job {
  readonly id: number;
  readonly bike: number;
  readonly customer: string;
  complaint: string;
  urgent: boolean;
  due: string | null;
  note: string;
  status: Status;
  quotedAt: string | null;
  readonly openedAt: string;
  /** When its quote lapses, in microseconds since 1970. */
  lapsesAt: number | null;
  /** What its lines cost. */
  parts: number;
}

export interface Line {
  readonly id: number;
  readonly job: number;
  readonly text: string;
  readonly kind: string;
  readonly quantity: number;
  readonly price: number;
}

interface Session {
  readonly account: string;
  readonly endsAt: number;
}

const dayUs = 86_400_000_000;
const open: readonly Status[] = ['received', 'quoted', 'approved'];
const hashOf = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, 32, { N: 1024 });

/** All that the workshop keeps. */
export class Store {
  readonly accounts = new Map<string, Account>();
  readonly bikes = new Map<number, Bike>();
  readonly jobs = new Map<number, Job>();
  readonly lines = new Map<number, Line>();
  readonly #sessions = new Map<string, Session>();
  readonly #broken: Broken;
  readonly #clock: () => number;
  readonly #last = { time: 0, bike: 0, job: 0, line: 0 };

  constructor(broken: Broken, clock: () => number) {
    this.#broken = broken;
    this.#clock = clock;
    const id = '00000000-0000-4000-8000-00000000000a';
    this.#keep({ id, email: 'mia@workshop.example', name: 'Mia', role: 'mechanic' }, 'spanner-and-oil');
  }

  /** The time in microseconds: no two requests have the same. */
  now(): number {
    this.#last.time = Math.max(this.#last.time + 1, Math.floor(this.#clock() * 1000));
    return this.#last.time;
  }

  #stamp(time: number): string {
    const milliseconds = Math.floor(time / 1000);
    return new Date(milliseconds).toISOString().replace('Z', `${String(time % 1000).padStart(3, '0')}Z`);
  }

  // Accounts and their sessions

  #keep(of: Pick<Account, 'id' | 'email' | 'name' | 'role'>, password: string): Account {
    const salt = randomBytes(16);
    const account = { ...of, joinedAt: this.#stamp(this.now()), salt, hash: hashOf(password, salt) };
    this.accounts.set(account.id, account);
    return account;
  }

  accountOf(email: string): Account | undefined {
    const [plain, isExact] = [email.toLowerCase(), this.#broken('email-case')];
    return [...this.accounts.values()].find((one) =>
      isExact ? one.email === email : one.email.toLowerCase() === plain,
    );
  }

  signUp(email: string, name: string, password: string, role: Account['role']): Account {
    ensure(this.accountOf(email) === undefined, 'taken');
    return this.#keep({ id: randomUUID(), email, name, role }, password);
  }

  logIn(email: string, password: string): { readonly token: string; readonly account: string } {
    const account = this.accountOf(email);
    ensure(
      account !== undefined && timingSafeEqual(hashOf(password, account.salt), account.hash),
      'wrong-log-in',
    );
    const token = randomBytes(24).toString('base64url');
    this.#sessions.set(token, { account: account.id, endsAt: this.now() + 14 * dayUs });
    return { token, account: account.id };
  }

  logOut(token: string): void {
    if (!this.#broken('log-out-forgotten')) this.#sessions.delete(token);
  }

  holderOf(token: string): Account | undefined {
    const session = this.#sessions.get(token);
    if (session === undefined) return undefined;
    if (session.endsAt <= this.now() && !this.#broken('session-without-end')) return undefined;
    return this.accounts.get(session.account);
  }

  openJobsOf(account: string): number {
    const counted = this.#broken('approved-not-counted') ? open.slice(0, 2) : open;
    return [...this.jobs.values()].filter((job) => job.customer === account && counted.includes(job.status))
      .length;
  }

  // Bikes

  addBike(given: Omit<Bike, 'id'>): Bike {
    const isTaken = [...this.bikes.values()].some(
      (one) =>
        one.frame === given.frame && (one.owner === given.owner || !this.#broken('frame-taken-by-others')),
    );
    ensure(!isTaken, 'taken');
    this.#last.bike += 1;
    const bike = { id: this.#last.bike, ...given };
    this.bikes.set(bike.id, bike);
    return bike;
  }

  jobsOf(bike: Bike): Job[] {
    return [...this.jobs.values()].filter((job) => job.bike === bike.id);
  }

  removeBike(bike: Bike): void {
    const using = this.jobsOf(bike).filter(
      (job) => open.includes(job.status) || !this.#broken('bike-of-old-jobs-removed'),
    );
    ensure(using.length === 0, 'bike-in-use');
    this.bikes.delete(bike.id);
  }

  // Jobs

  openJob(given: Pick<Job, 'bike' | 'customer' | 'complaint' | 'urgent' | 'due'>): Job {
    const counted = this.#broken('quota-with-lapsed') ? [...open, 'lapsed'] : open;
    const used = [...this.jobs.values()].filter(
      (job) => job.customer === given.customer && counted.includes(job.status),
    ).length;
    if (used >= 3) throw new Refused('too-many-open', { message: `You have ${used} of 3 open jobs` });
    this.#last.job += 1;
    const { bike, customer, complaint, urgent, due } = given;
    const job: Job = {
      ...{ id: this.#last.job, bike, customer, complaint, urgent, due, note: '', status: 'received' },
      ...{ quotedAt: null, openedAt: this.#stamp(this.now()), lapsesAt: null, parts: 0 },
    };
    this.jobs.set(job.id, job);
    return job;
  }

  /** Whether a day is over, in UTC. */
  isOver(day: string): boolean {
    const begins = Date.parse(`${day}T00:00:00Z`) * 1000;
    return (this.#broken('due-today') ? begins : begins + dayUs) <= this.now();
  }

  /** Moves a job that is in one of some states to another. */
  move(job: Job, from: readonly Status[], to: Status): void {
    ensure(from.includes(job.status), 'wrong-status');
    job.status = to;
  }

  quote(job: Job): void {
    ensure(job.status === 'received', 'wrong-status');
    ensure(this.linesOf(job).length > 0, 'nothing-to-quote');
    const now = this.now();
    job.status = 'quoted';
    job.quotedAt = this.#stamp(now);
    if (job.lapsesAt === null || !this.#broken('first-quote-lapses')) job.lapsesAt = now + 7 * dayUs;
  }

  revise(job: Job): void {
    this.move(job, ['quoted'], 'received');
    if (!this.#broken('quoted-at-kept')) job.quotedAt = null;
  }

  /** Lets quotes lapse whose time has come. */
  settle(): void {
    const now = this.now();
    for (const job of this.jobs.values())
      if (job.status === 'quoted' && job.lapsesAt !== null && job.lapsesAt <= now) job.status = 'lapsed';
  }

  // Lines

  linesOf(job: Job): Line[] {
    return [...this.lines.values()].filter((line) => line.job === job.id);
  }

  addLine(job: Job, given: Omit<Line, 'id' | 'job'>): Line {
    this.#last.line += 1;
    const line = { id: this.#last.line, job: job.id, ...given };
    this.lines.set(line.id, line);
    job.parts += line.quantity * line.price;
    return line;
  }

  removeLine(job: Job, line: Line): void {
    this.lines.delete(line.id);
    if (!this.#broken('removed-line-costs')) job.parts -= line.quantity * line.price;
  }
}
