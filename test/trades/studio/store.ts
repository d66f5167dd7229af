import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { day, hour, minute } from './time.ts';

export type Broken = (id: string) => boolean;

export interface Account {
  readonly id: string;
  readonly email: string;
  name: string;
  /** Null if it was not given, and nothing once it was taken away. */
  phone: string | null | undefined;
  readonly role: 'band' | 'keeper';
  readonly salt: string;
  readonly hash: string;
}

export interface Room {
  readonly id: string;
  name: string;
  floor: number;
  capacity: number;
  rate: number;
  notes: string | null | undefined;
  archived: boolean;
}

export interface Instrument {
  readonly id: string;
  readonly name: string;
  readonly fee: number;
}

export interface Hire {
  readonly instrument: Instrument;
  count: number;
}

/** Times are in microseconds since 1970. */
export interface Booking {
  readonly id: string;
  readonly number: number;
  readonly room: Room;
  readonly band: Account;
  startsAt: number;
  hours: number;
  endsAt: number;
  note: string | null | undefined;
  readonly rate: number;
  readonly hires: Map<string, Hire>;
  fee: number;
  paidAt: number | null;
  status: 'held' | 'confirmed' | 'played' | 'cancelled' | 'expired';
  heldAt: number;
}

export interface Wish {
  readonly id: string;
  readonly number: number;
  readonly room: Room;
  readonly band: Account;
  readonly startsAt: number;
  readonly hours: number;
  readonly endsAt: number;
  status: 'waiting' | 'offered' | 'taken' | 'lapsed' | 'closed';
  offeredAt: number;
}

export interface Hook {
  readonly id: string;
  readonly owner: Account;
  readonly url: string;
  readonly secret: string;
}

export type Move = 'confirm' | 'cancel' | 'expire' | 'finish';

/** Hears of each move of a booking, and who asked for it. */
export type Heard = (booking: Booking, by: Move, actor: Account | null, at: number) => void;

const hashOf = (salt: string, password: string): string =>
  createHash('sha256').update(`${salt}:${password}`).digest('hex');

interface Timer {
  readonly at: number;
  readonly fire: (at: number) => void;
}

/** What the studio keeps, and what moves in it by itself. */
export class Store {
  readonly broken: Broken;
  readonly #now: () => number;
  readonly accounts: Account[] = [];
  readonly rooms: Room[] = [];
  readonly bookings: Booking[] = [];
  readonly wishes: Wish[] = [];
  readonly hooks: Hook[] = [];
  readonly tokens = new Map<string, { readonly account: Account; until: number }>();
  readonly instruments: readonly Instrument[] = [
    { id: 'bass', name: 'Bass amplifier', fee: 199 },
    { id: 'drums', name: 'Drum kit', fee: 450 },
    { id: 'keys', name: 'Stage piano', fee: 325 },
  ];
  heard: Heard = () => {};

  constructor(broken: Broken, now: () => number) {
    this.broken = broken;
    this.#now = now;
    this.#admit('7a3d6f0e-52c1-4b8e-9d27-0c4f1e6b8a90', 'keeper', {
      ...{ email: 'kit@studio.example', name: 'Kit', phone: null, password: 'loud-but-tuned' },
    });
  }

  get now(): number {
    return Math.floor(this.#now() * 1000);
  }

  #admit(
    id: string,
    role: Account['role'],
    { password, ...given }: Pick<Account, 'email' | 'name' | 'phone'> & { readonly password: string },
  ): Account {
    const salt = randomUUID();
    const account: Account = { id, role, ...given, salt, hash: hashOf(salt, password) };
    this.accounts.push(account);
    return account;
  }

  register(given: Pick<Account, 'email' | 'name' | 'phone'> & { readonly password: string }): Account {
    return this.#admit(randomUUID(), 'band', given);
  }

  accountOf(email: string): Account | undefined {
    return this.accounts.find((account) => account.email.toLowerCase() === email.toLowerCase());
  }

  /** A new token, if the password is right; null otherwise. */
  logIn(email: string, password: string): string | null {
    const account = this.accountOf(email);
    if (account === undefined || hashOf(account.salt, password) !== account.hash) return null;
    const token = randomBytes(24).toString('base64url');
    this.tokens.set(token, { account, until: this.now + 12 * hour });
    return token;
  }

  /** Whose token it is, as long as it holds. */
  holderOf(token: string): Account | null {
    const found = this.tokens.get(token);
    if (found === undefined || this.now >= found.until) return null;
    if (this.broken('token-slides')) found.until = this.now + 12 * hour;
    return found.account;
  }

  logOut(token: string): void {
    const account = this.tokens.get(token)?.account;
    for (const [other, held] of this.tokens)
      if (other === token || (this.broken('logout-all') && held.account === account))
        this.tokens.delete(other);
  }

  roomNamed(name: string): Room | undefined {
    return this.rooms.find((room) => room.name.toLowerCase() === name.toLowerCase());
  }

  priceOf({ hours, rate, hires, room }: Booking): number {
    const byCount = !this.broken('price-count');
    const fees = [...hires.values()].map(({ instrument, count }) => instrument.fee * (byCount ? count : 1));
    const hourly = this.broken('rate-live') ? room.rate : rate;
    return hours * fees.reduce((sum, fee) => sum + fee, hourly);
  }

  depositOf(booking: Booking): number {
    const price = this.priceOf(booking);
    return this.broken('deposit-round') ? Math.round(price * 0.3) : Math.floor((price * 3 + 9) / 10);
  }

  /** Whether another band has the room at that time. */
  isOccupied(
    room: Room,
    { startsAt, endsAt }: Pick<Booking, 'startsAt' | 'endsAt'>,
    except: Booking | null,
  ): boolean {
    const meets = (other: Booking): boolean => {
      if (this.broken('touching')) return other.startsAt <= endsAt && other.endsAt >= startsAt;
      const holds = (time: number): boolean => other.startsAt < time && time < other.endsAt;
      if (this.broken('enclosing')) return holds(startsAt) || holds(endsAt) || other.startsAt === startsAt;
      return other.startsAt < endsAt && other.endsAt > startsAt;
    };
    return this.bookings.some(
      (other) => other !== except && other.room === room && isOpen(other) && meets(other),
    );
  }

  openBookingsOf(room: Room): number {
    return this.bookings.filter((booking) => booking.room === room && isOpen(booking)).length;
  }

  addBooking(given: Pick<Booking, 'room' | 'band' | 'startsAt' | 'hours' | 'note'>): Booking {
    const booking: Booking = {
      ...given,
      id: randomUUID(),
      number: this.bookings.length + 1,
      endsAt: given.startsAt + given.hours * hour,
      rate: given.room.rate,
      hires: new Map(),
      fee: 0,
      paidAt: null,
      status: 'held',
      heldAt: this.now,
    };
    this.bookings.push(booking);
    return booking;
  }

  addWish(given: Pick<Wish, 'room' | 'band' | 'startsAt' | 'hours'>): Wish {
    const wish: Wish = {
      ...given,
      id: randomUUID(),
      number: this.wishes.length + 1,
      endsAt: given.startsAt + given.hours * hour,
      status: 'waiting',
      offeredAt: 0,
    };
    this.wishes.push(wish);
    return wish;
  }

  confirm(booking: Booking, actor: Account): void {
    booking.status = 'confirmed';
    booking.paidAt = this.now;
    this.heard(booking, 'confirm', actor, this.now);
  }

  cancel(booking: Booking, actor: Account): void {
    const isPaid = booking.paidAt !== null || this.broken('fee-unpaid');
    const isLate = booking.startsAt - this.now < day;
    booking.status = 'cancelled';
    booking.fee = isPaid && isLate ? Math.floor(this.priceOf(booking) / 2) : 0;
    this.#offer(booking, this.now);
    this.heard(booking, 'cancel', actor, this.now);
  }

  #expire(booking: Booking, at: number): void {
    booking.status = 'expired';
    if (!this.broken('expire-silent')) this.#offer(booking, at);
    this.heard(booking, 'expire', null, at);
  }

  #offer({ room, startsAt, endsAt }: Booking, at: number): void {
    for (const wish of this.wishes)
      if (wish.status === 'waiting' && wish.room === room)
        if (wish.startsAt >= startsAt && wish.endsAt <= endsAt) {
          wish.status = 'offered';
          wish.offeredAt = at;
        }
  }

  *#timers(): Iterable<Timer> {
    for (const booking of this.bookings) {
      if (booking.status === 'held')
        yield { at: booking.heldAt + 30 * minute, fire: (at) => this.#expire(booking, at) };
      if (booking.status === 'confirmed')
        yield {
          at: this.broken('finish-start') ? booking.startsAt : booking.endsAt,
          fire: (at) => {
            booking.status = 'played';
            this.heard(booking, 'finish', null, at);
          },
        };
    }
    for (const wish of this.wishes) {
      if (wish.status === 'waiting') yield { at: wish.startsAt, fire: () => ends(wish, 'closed') };
      if (wish.status === 'offered')
        yield { at: wish.offeredAt + 15 * minute, fire: () => ends(wish, 'lapsed') };
    }
  }

  #next(): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers()) if (first === null || timer.at < first.at) first = timer;
    return first;
  }

  /** When something moves by itself next; null if nothing does. */
  get due(): number | null {
    return this.#next()?.at ?? null;
  }

  /** Moves whatever is due, one after the other. */
  settle(): void {
    for (let timer = this.#next(); timer !== null && timer.at <= this.now; timer = this.#next())
      timer.fire(timer.at);
  }
}

function ends(wish: Wish, status: 'closed' | 'lapsed'): void {
  wish.status = status;
}

export const isOpen = ({ status }: Booking): boolean => status === 'held' || status === 'confirmed';
