import { createHmac, randomBytes } from 'node:crypto';
import { type Answer, type Context, mergePatch, type Operation } from './gate.ts';
import {
  atLeast,
  atMost,
  type Body,
  ensure,
  Failures,
  integer,
  longest,
  oneOf,
  patched,
  Refused,
  type Rules,
  string,
  stringOrNull,
  time,
} from './request.ts';
import { type Booking, type Instrument, isOpen, type Room, type Store } from './store.ts';
import { day, hour, instantOf, shownInstant } from './time.ts';

const shown = (store: Store, booking: Booking): object => {
  const { id, number, room, band, startsAt, hours, endsAt, note, rate, fee, paidAt, status } = booking;
  return {
    ...{ id, number, room: room.id, band: band.id, startsAt: shownInstant(startsAt), hours },
    ...{ endsAt: shownInstant(endsAt), note, rate, price: store.priceOf(booking) },
    ...{ deposit: store.depositOf(booking), fee, paidAt: paidAt === null ? null : shownInstant(paidAt) },
    status,
  };
};

export const slotRules: Rules = {
  startsAt: [string, time],
  hours: [integer, atLeast(1), atMost(8)],
};

const note: Rules = { note: [stringOrNull, longest(200)] };

/** The room, if there is one, and the time, if it is still to come. */
export function slotOf(store: Store, body: Body): { room: Room; startsAt: number; hours: number } {
  const failures = new Failures();
  const room = store.rooms.find(({ id }) => id === body['room']);
  const startsAt = instantOf(String(body['startsAt'])) ?? 0;
  if (room === undefined) failures.add('room', 'refers');
  if (startsAt <= store.now) failures.add('startsAt', 'holds');
  failures.end();
  return { room: room as Room, startsAt, hours: Number(body['hours']) };
}

/** Lets through what is not there, and what the client may see. */
function bookingOf({ store, path }: Context): Booking {
  const booking = store.bookings.find(({ id }) => id === path['id']);
  ensure(booking !== undefined, 'no-booking');
  return booking;
}

function admitOwner(context: Context): void {
  ensure(bookingOf(context).band === context.actor, 'no-booking');
}

function admitOwnerOrKeeper(context: Context): void {
  const { actor } = context;
  ensure(bookingOf(context).band === actor || actor.role === 'keeper', 'no-booking');
}

/** The first answers, by the keys of their requests. */
class Repeats {
  readonly #first = new Map<
    string,
    { readonly until: number; readonly sent: string; readonly answer: Answer }
  >();

  /** Answers a repeat as the request was answered at first. */
  once({ store, actor, headers, body }: Context, judged: () => void, act: () => Answer): Answer {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') {
      judged();
      return act();
    }
    const own = store.broken('keys-shared') ? key : `${actor.id} ${key}`;
    const sent = JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
    const found = this.#first.get(own);
    const isKnown = found !== undefined && store.now < found.until;
    if (isKnown && found.sent === sent)
      return { ...found.answer, headers: { ...found.answer.headers, 'Idempotent-Replayed': 'true' } };
    judged();
    ensure(!isKnown, 'key-reused');
    const answer = act();
    this.#first.set(own, { until: store.now + day, sent, answer });
    return answer;
  }
}

const bookOf = (repeats: Repeats): Operation => ({
  ...{ method: 'POST', path: '/bookings', rule: 'band', isCounted: true },
  body: { rules: { room: [string], ...slotRules, ...note }, required: ['room', 'startsAt', 'hours'] },
  run: (context) =>
    repeats.once(
      context,
      () => void slotOf(context.store, context.body),
      () => {
        const { store, actor, body } = context;
        const slot = slotOf(store, body);
        const endsAt = slot.startsAt + slot.hours * hour;
        ensure(!store.isOccupied(slot.room, { startsAt: slot.startsAt, endsAt }, null), 'occupied');
        ensure(!slot.room.archived, 'closed');
        const noted = (body['note'] ?? null) as string | null;
        const booking = store.addBooking({ ...slot, band: actor, note: noted });
        const headers = { Location: `/bookings/${booking.id}` };
        return { status: 201, headers, body: shown(store, booking) };
      },
    ),
});

/** Which list a cursor is of: who asks, and what is left out of it. */
const listOf = ({ actor, query: { status, room, from } }: Context): string =>
  JSON.stringify([actor.id, status, room, from]);

/** Cursors that nobody else can make. */
class Cursors {
  readonly #key = randomBytes(16);

  #signed(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 16);
  }

  after({ startsAt, number }: Booking, list: string): string {
    const text = `${startsAt}.${number}`;
    return `${text}.${this.#signed(`${text}.${list}`)}`;
  }

  /** The place that a cursor names; null if this list did not give it. */
  placeOf(cursor: string, list: string): Pick<Booking, 'startsAt' | 'number'> | null {
    const [startsAt, number, signed] = cursor.split('.');
    if (signed !== this.#signed(`${startsAt}.${number}.${list}`)) return null;
    return { startsAt: Number(startsAt), number: Number(number) };
  }
}

const inOrder = (a: Pick<Booking, 'startsAt' | 'number'>, b: Pick<Booking, 'startsAt' | 'number'>): number =>
  b.startsAt - a.startsAt || a.number - b.number;

function isListed({ store, actor, query }: Context, booking: Booking): boolean {
  const { status, room, from } = query;
  if (actor.role !== 'keeper' && booking.band !== actor) return false;
  if (from !== undefined && booking.startsAt < (instantOf(from) ?? 0)) return false;
  const hasStatus = booking.status === status;
  const hasRoom = booking.room.id === room;
  if (store.broken('filters-or') && status !== undefined && room !== undefined) return hasStatus || hasRoom;
  return (status === undefined || hasStatus) && (room === undefined || hasRoom);
}

const statuses = ['held', 'confirmed', 'played', 'cancelled', 'expired'];

const pagesOf = (cursors: Cursors): Operation => ({
  ...{ method: 'GET', path: '/bookings', rule: 'known' },
  query: {
    status: [string, oneOf(statuses)],
    room: [string],
    from: [string, time],
    limit: [integer, atLeast(1), atMost(50)],
    cursor: [string],
  },
  run: (context) => {
    const { store, query } = context;
    const list = listOf(context);
    const place = query['cursor'] === undefined ? null : cursors.placeOf(query['cursor'], list);
    ensure(query['cursor'] === undefined || place !== null, 'invalid');
    const isAfter = (booking: Booking): boolean => {
      if (place === null) return true;
      if (store.broken('cursor-ties')) return booking.startsAt < place.startsAt;
      return inOrder(booking, place) > 0;
    };
    const found = store.bookings
      .filter((booking) => isListed(context, booking) && isAfter(booking))
      .sort(inOrder);
    const page = found.slice(0, Number(query['limit'] ?? 10));
    const last = page.at(-1);
    const next = last !== undefined && found.length > page.length ? cursors.after(last, list) : null;
    return { status: 200, body: { bookings: page.map((booking) => shown(store, booking)), next } };
  },
});

const readBooking: Operation = {
  ...{ method: 'GET', path: '/bookings/:id', rule: 'known' },
  find: bookingOf,
  admit: admitOwnerOrKeeper,
  run: (context) => ({ status: 200, body: shown(context.store, bookingOf(context)) }),
};

interface Moved {
  readonly startsAt?: string;
  readonly hours?: number;
  readonly note?: string;
}

const moveBooking: Operation = {
  ...{ method: 'PATCH', path: '/bookings/:id', rule: 'band' },
  body: { rules: { ...slotRules, ...note }, required: ['startsAt', 'hours'], media: mergePatch },
  find: bookingOf,
  admit: admitOwner,
  run: (context) => {
    const { store, body } = context;
    const booking = bookingOf(context);
    const given = patched(body) as Moved;
    const startsAt = given.startsAt === undefined ? booking.startsAt : (instantOf(given.startsAt) ?? 0);
    if (given.startsAt !== undefined && startsAt <= store.now)
      throw new Refused('invalid', { fields: { startsAt: ['is over'] } });
    const hours = given.hours ?? booking.hours;
    const isKept = store.broken('end-stale') && given.startsAt === undefined;
    const endsAt = isKept ? booking.endsAt : startsAt + hours * hour;
    const isOccupied = isOpen(booking) && store.isOccupied(booking.room, { startsAt, endsAt }, booking);
    ensure(!isOccupied, 'occupied');
    ensure(booking.status === 'held', 'settled');
    Object.assign(booking, {
      startsAt,
      hours,
      endsAt,
      note: 'note' in given ? given.note : booking.note,
    });
    if (store.broken('hold-moved')) booking.heldAt = store.now;
    return { status: 200, body: shown(store, booking) };
  },
};

function instrumentOf({ store, path }: Context): Instrument {
  const instrument = store.instruments.find(({ id }) => id === path['instrument']);
  ensure(instrument !== undefined, 'no-instrument');
  return instrument;
}

const hire: Operation = {
  ...{ method: 'PUT', path: '/bookings/:id/instruments/:instrument', rule: 'known' },
  body: { rules: { count: [integer, atLeast(1), atMost(4)] }, required: [] },
  find: (context) => {
    bookingOf(context);
    instrumentOf(context);
  },
  admit: (context) => {
    if (!context.store.broken('hire-owner')) admitOwner(context);
  },
  run: (context) => {
    const booking = bookingOf(context);
    const instrument = instrumentOf(context);
    ensure(booking.status === 'held', 'settled');
    const count = Number(context.body['count'] ?? 1);
    const status = booking.hires.has(instrument.id) ? 200 : 201;
    booking.hires.set(instrument.id, { instrument, count });
    return { status, body: { booking: booking.id, instrument: instrument.id, count, fee: instrument.fee } };
  },
};

const payDeposit: Operation = {
  ...{ method: 'POST', path: '/bookings/:id/deposit', rule: 'band' },
  body: { rules: { amount: [integer] }, required: ['amount'] },
  find: bookingOf,
  admit: admitOwner,
  run: (context) => {
    const { store, body, actor } = context;
    const booking = bookingOf(context);
    ensure(booking.status === 'held', 'wrong-status');
    ensure(store.now < booking.startsAt, 'started');
    ensure(body['amount'] === store.depositOf(booking), 'wrong-amount');
    store.confirm(booking, actor);
    return { status: 200, body: shown(store, booking) };
  },
};

const cancelBooking: Operation = {
  ...{ method: 'POST', path: '/bookings/:id/cancellation', rule: 'known' },
  find: bookingOf,
  admit: admitOwnerOrKeeper,
  run: (context) => {
    const { store, actor } = context;
    const booking = bookingOf(context);
    ensure(isOpen(booking), 'wrong-status');
    ensure(store.now < booking.startsAt, 'started');
    store.cancel(booking, actor);
    return { status: 200, body: shown(store, booking) };
  },
};

export const bookingOperations = (): readonly Operation[] => [
  ...[bookOf(new Repeats()), pagesOf(new Cursors()), readBooking, moveBooking],
  ...[hire, payDeposit, cancelBooking],
];
