import type { Fault, Step } from '../witness.ts';
import {
  books,
  cancels,
  day,
  does,
  hires,
  hour,
  opened,
  opens,
  type Person,
  patches,
  pays,
  refused,
  sees,
} from './steps.ts';

const oneBand = 'resources.Booking.invariants["a room has one band at a time"]';

/** A band books from when another booking begins or ends. */
const booksAt = (as: Person, startsAt: string, keep: string): Step =>
  does(as, 'POST /bookings', 201, {
    body: { room: '{cellar.id}', startsAt, hours: 1 },
    shows: { status: 'held' },
    keep,
  });

/** What may go wrong with bookings and their prices. */
export const bookingFaults: readonly Fault[] = [
  {
    id: 'touching',
    statement: oneBand,
    what: 'a band cannot begin when another ends',
    witness: [...opened, books('ann', 'cellar', 'first'), booksAt('bob', '{first.endsAt}', 'second')],
  },
  {
    id: 'enclosing',
    statement: oneBand,
    what: 'a booking around another one is taken',
    witness: [
      ...opened,
      books('ann', 'cellar', 'inner', 2 * day + hour, 1),
      refused('bob', 'POST /bookings', 409, 'occupied', {
        body: { room: '{cellar.id}', startsAt: `{now+${2 * day}}`, hours: 3 },
      }),
    ],
  },
  {
    id: 'end-stale',
    statement: 'resources.Booking.fields.endsAt.set.update',
    what: 'a booking of more hours ends when it ended before',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal', 2 * day, 1),
      patches('ann', '/bookings/{rehearsal.id}', 200, { hours: 2 }, { shows: { hours: 2 } }),
      refused('bob', 'POST /bookings', 409, 'occupied', {
        body: { room: '{cellar.id}', startsAt: `{now+${2 * day + hour}}`, hours: 1 },
      }),
    ],
  },
  {
    id: 'price-count',
    statement: 'resources.Booking.fields.price.derived',
    what: 'two instruments of a kind cost as much as one',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal'),
      hires('ann', 'rehearsal', 'drums', 1),
      sees('ann', '/bookings/{rehearsal.id}', { price: 3900 }),
      hires('ann', 'rehearsal', 'keys', 2),
      sees('ann', '/bookings/{rehearsal.id}', { price: 5200 }),
    ],
  },
  {
    id: 'deposit-round',
    statement: 'resources.Booking.fields.deposit.derived',
    what: 'the deposit is rounded to the nearest cent, not up',
    witness: [
      ...opened,
      opens('attic', { rate: 1501 }),
      does('ann', 'POST /bookings', 201, {
        body: { room: '{attic.id}', startsAt: `{now+${day}}`, hours: 1 },
        shows: { price: 1501, deposit: 451 },
      }),
    ],
  },
  {
    id: 'rate-live',
    statement: 'resources.Booking.fields.rate.set.create',
    what: 'the price of a booking follows the rate of its room',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal'),
      sees('kit', '/rooms/{cellar.id}', { rate: 1500 }, { keep: 'seen' }),
      patches('kit', '/rooms/{cellar.id}', 200, { rate: 1800 }, { headers: { 'If-Match': '{seen#etag}' } }),
      sees('ann', '/bookings/{rehearsal.id}', { rate: 1500, price: 3000 }),
    ],
  },
  {
    id: 'fee-unpaid',
    statement: 'states["Booking.status"].transitions.cancel.set.fee',
    what: 'who cancels late owes a fee, though nothing was paid',
    witness: [
      ...opened,
      books('ann', 'cellar', 'early', 3 * hour),
      pays('ann', 'early'),
      cancels('ann', 'early', { shows: { fee: 1500 } }),
      books('ann', 'cellar', 'late', 3 * hour),
      cancels('ann', 'late', { shows: { fee: 0 } }),
    ],
  },
  {
    id: 'hold-moved',
    statement: 'states["Booking.status"].transitions.expire.after',
    what: 'a hold begins anew when the booking is moved',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal'),
      { wait: 20 * 60 },
      patches('ann', '/bookings/{rehearsal.id}', 200, { hours: 3 }, { shows: { status: 'held' } }),
      { wait: 20 * 60 },
      sees('ann', '/bookings/{rehearsal.id}', { status: 'expired' }),
    ],
  },
  {
    id: 'finish-start',
    statement: 'states["Booking.status"].transitions.finish.at',
    what: 'a booking is over when it begins',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal', hour, 2),
      pays('ann', 'rehearsal'),
      { wait: 2 * hour },
      sees('ann', '/bookings/{rehearsal.id}', { status: 'confirmed' }),
    ],
  },
  {
    id: 'cursor-ties',
    statement: 'endpoints["GET /bookings"].request.query.cursor.page',
    what: 'the next page leaves out what begins when the last one ended',
    witness: [
      ...opened,
      opens('attic'),
      books('ann', 'cellar', 'first'),
      books('ann', 'attic', 'second'),
      sees('ann', '/bookings?limit=1', { bookings: [{ id: '{first.id}' }], next: /./ }, { keep: 'page' }),
      sees('ann', '/bookings?limit=1&cursor={page.next}', { bookings: [{ id: '{second.id}' }] }),
    ],
  },
  {
    id: 'filters-or',
    statement: 'endpoints["GET /bookings"].request.query.room.filter',
    what: 'bookings are listed that have the status or the room',
    witness: [
      ...opened,
      opens('attic'),
      books('ann', 'cellar', 'first', 3 * day),
      books('ann', 'attic', 'second'),
      sees('ann', '/bookings?status=held', { bookings: [{ id: '{first.id}' }, { id: '{second.id}' }] }),
      sees('ann', '/bookings?status=held&room={attic.id}', { bookings: [{ id: '{second.id}' }] }),
    ],
  },
  {
    id: 'keys-shared',
    statement: 'endpoints["POST /bookings"].idempotency.per',
    what: 'a band that uses the key of another gets its answer',
    witness: [
      ...opened,
      does('ann', 'POST /bookings', 201, {
        headers: { 'Idempotency-Key': 'one' },
        body: { room: '{cellar.id}', startsAt: `{now+${day}}`, hours: 1 },
        keep: 'first',
      }),
      refused('bob', 'POST /bookings', 409, 'occupied', {
        headers: { 'Idempotency-Key': 'one' },
        body: { room: '{cellar.id}', startsAt: `{now+${day}}`, hours: 1 },
      }),
    ],
  },
  {
    id: 'hire-owner',
    statement: 'authentication.authorization.hire.rule',
    what: 'a band may hire instruments for the booking of another',
    witness: [
      ...opened,
      books('ann', 'cellar', 'rehearsal'),
      refused('bob', 'PUT /bookings/{rehearsal.id}/instruments/drums', 404, 'no-booking', {
        body: { count: 1 },
      }),
    ],
  },
];
