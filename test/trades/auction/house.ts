import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';

export interface Account {
  readonly name: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly joinedAt: string;
}

type Status = 'draft' | 'open' | 'sold' | 'unsold' | 'cancelled';

export interface Offer {
  title: string;
  description: string;
  category: string;
  startPrice: number;
  step: number;
  reserve?: number;
  closesAt: string;
}

export interface Lot extends Offer {
  readonly id: string;
  readonly seller: string;
  status: Status;
  price: number | null;
  leader: string | null;
  winner: string | null;
}

export interface Bid {
  readonly id: number;
  readonly lot: string;
  readonly bidder: string;
  readonly amount: number;
  readonly at: string;
}

export interface Event {
  readonly id: number;
  readonly kind: string;
  readonly data: Record<string, unknown>;
}

const overtimeMs = 2_000;
const dayMs = 86_400_000;

function hashed(password: string, salt: Buffer): Buffer {
  return scryptSync(password, salt, 32, { N: 1024 });
}

/** The auction house in memory. Whoever uses it settles first what is due. */
export class House {
  readonly accounts = new Map<string, Account>();
  readonly lots = new Map<string, Lot>();
  readonly bids: Bid[] = [];
  readonly watches: { readonly lot: string; readonly member: string; readonly since: string }[] = [];
  readonly events: Event[] = [];
  readonly now: () => number;
  readonly #broken: (fault: string) => boolean;
  readonly #sessions = new Map<string, { readonly name: string; readonly until: number }>();
  readonly #extended = new Set<string>();
  readonly #listeners = new Set<(event: Event) => void>();

  constructor(broken: (fault: string) => boolean, now: () => number) {
    this.#broken = broken;
    this.now = now;
  }

  time(): string {
    return new Date(this.now()).toISOString();
  }

  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(kind: string, data: Record<string, unknown>): void {
    const event = { id: this.events.length + 1, kind, data };
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  register(name: string, password: string): Account {
    const salt = randomBytes(16);
    const account = { name, salt, hash: hashed(password, salt), joinedAt: this.time() };
    this.accounts.set(name, account);
    return account;
  }

  logIn(name: string, password: string): string | null {
    const account = this.accounts.get(name);
    if (account === undefined || !timingSafeEqual(account.hash, hashed(password, account.salt))) return null;
    const token = randomBytes(24).toString('base64url');
    this.#sessions.set(token, { name, until: this.now() + dayMs });
    return token;
  }

  logOut(token: string): void {
    const name = this.who(token);
    if (this.#broken('logout-keeps-session')) return;
    for (const [other, session] of this.#sessions)
      if (other === token || (this.#broken('logout-everywhere') && session.name === name))
        this.#sessions.delete(other);
  }

  who(token: string): string | null {
    const session = this.#sessions.get(token);
    return session === undefined || session.until <= this.now() ? null : session.name;
  }

  /** Closes the lots whose time has come. */
  settle(): void {
    const due = [...this.lots.values()].filter(
      (lot) => lot.status === 'open' && Date.parse(lot.closesAt) <= this.now(),
    );
    for (const lot of due.sort((a, b) => Date.parse(a.closesAt) - Date.parse(b.closesAt))) {
      if (this.#isSold(lot)) {
        lot.status = 'sold';
        if (!this.#broken('winner-missing')) lot.winner = lot.leader;
        this.emit('lot.sold', { lot: lot.id, price: lot.price, winner: lot.winner });
      } else {
        lot.status = 'unsold';
        if (!this.#broken('unsold-event-missing'))
          this.emit('lot.unsold', { lot: lot.id, bids: this.bidsFor(lot).length });
      }
    }
  }

  #isSold(lot: Lot): boolean {
    return this.#broken('reserve-ignored') ? lot.price !== null : this.#isReached(lot);
  }

  #isReached({ price, reserve = 0 }: Lot): boolean {
    if (this.#broken('reserve-met-without-bids') && reserve === 0) return true;
    return price !== null && (this.#broken('reserve-excluded') ? price > reserve : price >= reserve);
  }

  addLot(seller: string, offer: Offer): Lot {
    const made: Lot = {
      ...offer,
      id: randomUUID(),
      seller,
      status: 'draft',
      price: null,
      leader: null,
      winner: null,
    };
    this.lots.set(made.id, made);
    return made;
  }

  publish(lot: Lot): void {
    lot.status = 'open';
    this.emit('lot.opened', { lot: lot.id, title: lot.title, closesAt: lot.closesAt });
  }

  cancel(lot: Lot): void {
    const wasOpen = lot.status === 'open';
    lot.status = 'cancelled';
    if (wasOpen || this.#broken('cancel-draft-event')) this.emit('lot.cancelled', { lot: lot.id });
  }

  bidsFor(lot: Lot): Bid[] {
    return this.bids.filter((bid) => bid.lot === lot.id);
  }

  minimumBid(lot: Lot): number {
    if (lot.price === null) return lot.startPrice;
    return lot.price + (this.#broken('step-ignored') ? 1 : lot.step);
  }

  bid(lot: Lot, bidder: string, amount: number): Bid {
    const now = this.now();
    const at = new Date(now).toISOString();
    const bid = { id: this.bids.length + 1, lot: lot.id, bidder, amount, at };
    this.bids.push(bid);
    if (!this.#broken('leader-stale') || lot.price === null) lot.leader = bidder;
    lot.price = amount;
    const before = lot.closesAt;
    if (Date.parse(lot.closesAt) - now < overtimeMs) this.#extend(lot, now);
    const closesAt = this.#broken('bid-event-old-time') ? before : lot.closesAt;
    this.emit('bid.placed', { lot: lot.id, amount, bidder, closesAt });
    return bid;
  }

  #extend(lot: Lot, now: number): void {
    if (this.#broken('extension-once') && this.#extended.has(lot.id)) return;
    this.#extended.add(lot.id);
    lot.closesAt = this.#broken('extension-adds')
      ? new Date(Date.parse(lot.closesAt) + overtimeMs).toISOString()
      : new Date(now + overtimeMs).toISOString();
  }

  /** Whether the lot is watched only now. */
  watch(lot: Lot, member: string): boolean {
    const isNew = !this.watches.some((one) => one.lot === lot.id && one.member === member);
    if (isNew) this.watches.push({ lot: lot.id, member, since: this.time() });
    return isNew;
  }

  unwatch(lot: Lot, member: string): void {
    const at = this.watches.findIndex((one) => one.lot === lot.id && one.member === member);
    if (at !== -1) this.watches.splice(at, 1);
  }

  account({ name, joinedAt }: Account): Record<string, unknown> {
    const lots = [...this.lots.values()];
    const won = lots.filter((lot) =>
      this.#broken('won-while-leading') ? lot.leader === name : lot.winner === name,
    );
    return {
      name,
      joinedAt,
      selling: lots.filter(
        ({ seller, status }) =>
          seller === name &&
          (status === 'open' || (this.#broken('selling-counts-drafts') && status === 'draft')),
      ).length,
      won: won.length,
      spent: won.reduce((sum, lot) => sum + (lot.price ?? 0), 0),
    };
  }

  /** A lot as lists show it. */
  summary(lot: Lot): Record<string, unknown> {
    const { description, reserve, step, ...rest } = lot;
    return {
      ...rest,
      bids: this.bidsFor(lot).length,
      minimumBid: this.minimumBid(lot),
      reserveMet: this.#isReached(lot),
    };
  }

  /** A lot by itself, as somebody sees it. */
  lot(lot: Lot, viewer: string | null): Record<string, unknown> {
    const { description, reserve, step } = lot;
    const isShown = viewer === lot.seller || this.#broken('reserve-shown');
    return {
      ...this.summary(lot),
      description,
      step,
      ...(isShown && reserve !== undefined && { reserve }),
      watchers: this.watches.filter((one) => one.lot === lot.id).length,
    };
  }

  ownBid({ id, lot: key, bidder, amount, at }: Bid): Record<string, unknown> {
    const lot = this.lots.get(key) as Lot;
    const isHighest = lot.price === amount || this.#broken('own-bid-leads-twice');
    return {
      id,
      amount,
      at,
      on: { id: lot.id, title: lot.title, status: lot.status },
      leading: lot.leader === bidder && isHighest,
    };
  }
}
