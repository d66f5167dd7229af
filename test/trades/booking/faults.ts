import type { Fault, Json, Pattern, Step, Trade } from '../witness.ts';
import { start } from './service.ts';

const day = '2031-05-12';

type Members = Record<string, Json>;

/** A manager makes a room, or changes it. */
const room = (id: string, more: Members = {}, status = 201, shows: Pattern = {}): Step => ({
  ask: `PUT /v1/rooms/${id}`,
  as: 'ida',
  body: { name: id, floor: 1, seats: 4, ...more },
  status,
  shows,
});

const slot = (from: string, to: string, more: Members = {}): Members => ({
  day,
  from,
  to,
  title: 'talk',
  ...more,
});

/** Somebody holds the room `oak`, and the booking is kept by their name. */
const hold = (as: string, from: string, to: string, more: Members = {}, at = 'oak'): Step => ({
  ask: `POST /v1/rooms/${at}/bookings`,
  as,
  body: slot(from, to, more),
  status: 201,
  keep: as,
});

const refused = (as: string, ask: string, status: number, code: string, body?: Members): Step => ({
  ask,
  as,
  ...(body !== undefined && { body }),
  status,
  shows: { code },
});

const noHold = (
  as: string,
  from: string,
  to: string,
  status: number,
  code: string,
  more: Members = {},
): Step => refused(as, 'POST /v1/rooms/oak/bookings', status, code, slot(from, to, more));

const confirm = (as: string): Step => ({
  ask: `POST /v1/bookings/{${as}.id}/confirmation`,
  as,
  status: 200,
  shows: { status: 'confirmed' },
});

const cancel = (as: string, booking = as): Step => ({
  ask: `POST /v1/bookings/{${booking}.id}/cancellation`,
  as,
  body: { reason: 'ill' },
  status: 200,
  shows: { status: 'cancelled', reason: 'ill' },
});

const sees = (as: string, path: string, shows: Pattern): Step => ({
  ask: `GET /v1${path}`,
  as,
  status: 200,
  shows,
});

const free = (from: string, to: string, rooms: readonly string[]): Step =>
  sees('jon', `/free-rooms?day=${day}&from=${from}&to=${to}`, { rooms });

const oak = room('oak');

const ofRooms: readonly Fault[] = [
  {
    id: 'room-by-employee',
    statement: 'authentication.authorization.putRoom',
    what: 'Every employee may make rooms.',
    witness: [refused('jon', 'PUT /v1/rooms/oak', 403, 'managers_only', { name: 'oak', floor: 1, seats: 4 })],
  },
  {
    id: 'unknown-before-forbidden',
    statement: 'errors.order',
    what: 'An employee who may not delete rooms is told which rooms exist.',
    witness: [refused('jon', 'DELETE /v1/rooms/oak', 403, 'managers_only')],
  },
  {
    id: 'replace-keeps-equipment',
    statement: 'endpoints["PUT /rooms/{id}"].does.present',
    what: 'Equipment that the new content does not list stays.',
    witness: [room('oak', { equipment: ['phone'] }), room('oak', {}, 200, { equipment: [] })],
  },
  {
    id: 'equal-hours',
    statement: 'resources.Room.invariants["a room opens before it closes"]',
    what: 'A room may close at the time at which it opens.',
    witness: [room('oak', { opens: '09:00', closes: '09:00' }, 409, { code: 'bad_hours' })],
  },
  {
    id: 'hours-without-bookings',
    statement: 'resources.Booking.invariants["an active booking is within the opening hours"]',
    what: 'The opening hours may change although an active booking is then outside.',
    witness: [oak, hold('jon', '08:00', '09:00'), room('oak', { opens: '09:00' }, 409, { code: 'misfit' })],
  },
  {
    id: 'cancelled-keeps-hours',
    statement: 'resources.Booking.invariants["an active booking is within the opening hours"]',
    what: 'A cancelled booking still keeps the opening hours from changing.',
    witness: [
      oak,
      hold('jon', '08:00', '09:00'),
      cancel('jon'),
      room('oak', { opens: '09:00' }, 200, { opens: '09:00', revision: 2 }),
    ],
  },
  {
    id: 'delete-with-old-bookings',
    statement: 'resources.Booking.fields.room.ifDeleted',
    what: 'A room may be deleted if none of its bookings is active.',
    witness: [
      oak,
      hold('jon', '08:00', '09:00'),
      cancel('jon'),
      refused('ida', 'DELETE /v1/rooms/oak', 409, 'in_use'),
    ],
  },
  {
    id: 'put-over-existing',
    statement: 'endpoints["PUT /rooms/{id}"].conditional.ifNoneMatch',
    what: 'A room is replaced although the client asks for a new one.',
    witness: [
      oak,
      { ...room('oak', { seats: 5 }, 412, { code: 'stale' }), headers: { 'If-None-Match': '*' } } as Step,
    ],
  },
  {
    id: 'etag-without-active',
    statement: 'endpoints["GET /rooms/{id}"].conditional.etag',
    what: 'The entity tag of a room stays the same when the number of its active bookings changes.',
    witness: [
      oak,
      { ...sees('jon', '/rooms/oak', { active: 0 }), keep: 'seen' } as Step,
      hold('jon', '08:00', '09:00'),
      { ...sees('jon', '/rooms/oak', { active: 1 }), headers: { 'If-None-Match': '{seen#etag}' } } as Step,
    ],
  },
  {
    id: 'seats-excluded',
    statement: 'endpoints["GET /rooms"].request.query.seats.filter',
    what: 'The filter by seats leaves out rooms with exactly so many.',
    witness: [oak, sees('jon', '/rooms?seats=4', [{ id: 'oak' }])],
  },
  {
    id: 'seats-as-text',
    statement: 'endpoints["GET /rooms"].request.query.sort.sort',
    what: 'Numbers of seats are sorted as texts, so 10 comes before 4.',
    witness: [
      oak,
      room('elm', { seats: 10 }),
      sees('jon', '/rooms?sort=seats', [{ id: 'oak' }, { id: 'elm' }]),
    ],
  },
  {
    id: 'start-from-zero',
    statement: 'endpoints["GET /rooms"].request.query.start.page',
    what: 'The place of the first room is counted from 0.',
    witness: [oak, sees('jon', '/rooms?start=1', [{ id: 'oak' }])],
  },
  {
    id: 'total-of-page',
    statement: 'endpoints["GET /rooms"].response.headers["X-Total"]',
    what: 'The total counts the rooms of the page alone.',
    witness: [
      oak,
      room('elm'),
      { ...sees('jon', '/rooms?count=1', [{ id: 'elm' }]), fields: { 'x-total': '2' } } as Step,
    ],
  },
];

const findingRooms: readonly Fault[] = [
  {
    id: 'free-out-of-service',
    statement: 'endpoints["GET /free-rooms"].does.where',
    what: 'Rooms out of service are found as free.',
    witness: [room('oak', { inService: false }), free('09:00', '10:00', [])],
  },
  {
    id: 'free-when-closed',
    statement: 'endpoints["GET /free-rooms"].does.where',
    what: 'A room is found as free although it is closed then.',
    witness: [oak, free('17:30', '18:30', [])],
  },
  {
    id: 'free-counts-expired',
    statement: 'endpoints["GET /free-rooms"].does.where',
    what: 'A booking that expired still keeps the room from being found.',
    witness: [oak, hold('jon', '09:00', '10:00'), { wait: 3 }, free('09:00', '10:00', ['oak'])],
  },
];

const holding: readonly Fault[] = [
  {
    id: 'overlap-around',
    statement: 'resources.Booking.guards.create',
    what: 'A slot that begins before another one and ends after it does not count as overlapping.',
    witness: [oak, hold('jon', '09:00', '10:00'), noHold('kim', '08:30', '10:30', 409, 'occupied')],
  },
  {
    id: 'touching-overlaps',
    statement: 'resources.Booking.guards.create',
    what: 'A slot that begins when another one ends counts as overlapping.',
    witness: [oak, hold('jon', '09:00', '10:00'), hold('kim', '10:00', '11:00')],
  },
  {
    id: 'overlap-of-other-rooms',
    statement: 'resources.Booking.guards.create',
    what: 'The bookings of every room are looked at for an overlap.',
    witness: [oak, room('elm'), hold('jon', '09:00', '10:00'), hold('kim', '09:00', '10:00', {}, 'elm')],
  },
  {
    id: 'held-is-free',
    statement: 'resources.Booking.guards.create',
    what: 'A slot that is held and not yet confirmed may be held by somebody else.',
    witness: [oak, hold('jon', '09:00', '10:00'), noHold('kim', '09:00', '10:00', 409, 'occupied')],
  },
  {
    id: 'last-slot-refused',
    statement: 'resources.Booking.invariants["an active booking is within the opening hours"]',
    what: 'A booking may not end at the time at which the room closes.',
    witness: [oak, hold('jon', '17:30', '18:00')],
  },
  {
    id: 'quota-bound',
    statement: 'limits.quotas.bookings.allow',
    what: 'One booking too many is allowed.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      hold('jon', '10:00', '11:00'),
      hold('jon', '11:00', '12:00'),
      hold('jon', '12:00', '13:00'),
      noHold('jon', '13:00', '14:00', 409, 'too_many'),
    ],
  },
  {
    id: 'expired-counts',
    statement: 'limits.quotas.bookings.when',
    what: 'Bookings that expired count against the number of bookings.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      hold('jon', '10:00', '11:00'),
      hold('jon', '11:00', '12:00'),
      hold('jon', '12:00', '13:00'),
      { wait: 3 },
      hold('jon', '13:00', '14:00'),
    ],
  },
  {
    id: 'rate-of-all',
    statement: 'limits.rates.holds.per',
    what: 'The holds of everybody are counted together.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      { ...hold('kim', '10:00', '11:00'), fields: { 'x-holds-left': '5' } } as Step,
    ],
  },
  {
    id: 'rate-refusal-without-header',
    statement: 'limits.rates.holds.headers["X-Holds-Left"]',
    what: 'A refusal because of the rate does not tell what is left.',
    witness: [
      oak,
      ...Array.from({ length: 6 }, () => noHold('jon', '09:00', '10:00', 422, 'invalid', { title: '' })),
      {
        ...noHold('jon', '09:00', '10:00', 429, 'too_many_holds'),
        fields: { 'x-holds-left': '0' },
      } as Step,
    ],
  },
];

const changing: readonly Fault[] = [
  {
    id: 'expire-late',
    statement: 'states["Booking.status"].transitions.expire.after',
    what: 'A booking is held for twice as long.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      { wait: 3 },
      sees('jon', '/bookings/{jon.id}', { status: 'expired' }),
    ],
  },
  {
    id: 'confirmed-expires',
    statement: 'states["Booking.status"].transitions.expire.from',
    what: 'A booking expires although it was confirmed.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      confirm('jon'),
      { wait: 4 },
      sees('jon', '/bookings/{jon.id}', { status: 'confirmed' }),
    ],
  },
  {
    id: 'edit-over',
    statement: 'errors.codes.over',
    what: 'A cancelled booking may be changed.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      cancel('jon'),
      refused('jon', 'PATCH /v1/bookings/{jon.id}', 409, 'over', { title: 'chat' }),
    ],
  },
  {
    id: 'edit-beyond-seats',
    statement: 'resources.Booking.invariants["an active booking has enough seats"]',
    what: 'A booking may get more attendees than the room has seats.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      refused('jon', 'PATCH /v1/bookings/{jon.id}', 409, 'misfit', { attendees: 5 }),
    ],
  },
  {
    id: 'move-to-taken',
    statement: 'resources.Booking.guards.update',
    what: 'A booking may be moved to where another one is.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      hold('kim', '10:00', '11:00'),
      refused('kim', 'POST /v1/bookings/{kim.id}/slot', 409, 'occupied', { day, from: '09:30', to: '10:30' }),
    ],
  },
  {
    id: 'move-overlaps-itself',
    statement: 'resources.Booking.guards.update',
    what: 'A booking that moves by half an hour is in its own way.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      {
        ask: 'POST /v1/bookings/{jon.id}/slot',
        as: 'jon',
        body: { day, from: '09:30', to: '10:30' },
        status: 200,
        shows: { from: '09:30', to: '10:30' },
      },
    ],
  },
  {
    id: 'confirm-by-manager',
    statement: 'authentication.authorization.confirmBooking.items',
    what: 'A manager may confirm the booking of somebody else.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      refused('ida', 'POST /v1/bookings/{jon.id}/confirmation', 403, 'not_yours'),
    ],
  },
  {
    id: 'cancel-by-anyone',
    statement: 'authentication.authorization.cancelBooking.items',
    what: 'Everybody may cancel every booking.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      refused('kim', 'POST /v1/bookings/{jon.id}/cancellation', 403, 'not_yours', { reason: 'ill' }),
    ],
  },
  {
    id: 'cancel-expired',
    statement: 'states["Booking.status"].transitions.cancel.from',
    what: 'A booking that expired may still be cancelled.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      { wait: 3 },
      refused('jon', 'POST /v1/bookings/{jon.id}/cancellation', 409, 'wrong_status', { reason: 'ill' }),
    ],
  },
  {
    id: 'cancelled-by-booker',
    statement: 'endpoints["POST /bookings/{id}/cancellation"].does.with.cancelledBy',
    what: 'Where a manager cancels a booking, it tells that the booker did.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      { ...cancel('ida', 'jon'), shows: { booker: 'jon', cancelledBy: 'ida' } } as Step,
    ],
  },
];

const listing: readonly Fault[] = [
  {
    id: 'private-in-room',
    statement: 'resources.Booking.fields.title.readable',
    what: 'The list of a room shows the titles of private bookings to everybody.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00', { private: true }),
      sees('kim', '/rooms/oak/bookings', {
        bookings: [(booking: unknown) => booking instanceof Object && !('title' in booking)],
      }),
    ],
  },
  {
    id: 'private-for-managers',
    statement: 'resources.Booking.fields.title.readable',
    what: 'Managers do not see the titles of private bookings.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00', { private: true }),
      sees('ida', '/bookings/{jon.id}', { title: 'talk' }),
    ],
  },
  {
    id: 'list-of-everybody',
    statement: 'endpoints["GET /bookings"].does.where',
    what: 'Everybody sees the bookings of everybody in the list.',
    witness: [oak, hold('jon', '09:00', '10:00'), sees('kim', '/bookings', { bookings: [], total: 0 })],
  },
  {
    id: 'first-status-alone',
    statement: 'endpoints["GET /bookings"].request.query.status.filter',
    what: 'Of several statuses in the filter, only the first counts.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      confirm('jon'),
      hold('jon', '10:00', '11:00'),
      sees('jon', '/bookings?status=held,confirmed', { total: 2 }),
    ],
  },
  {
    id: 'after-repeats',
    statement: 'endpoints["GET /bookings"].request.query.after.page',
    what: 'A page begins with the booking after which it should begin.',
    witness: [
      oak,
      hold('jon', '09:00', '10:00'),
      hold('kim', '10:00', '11:00'),
      sees('ida', '/bookings?after={jon.id}', { bookings: [{ id: '{kim.id}' }], next: null }),
    ],
  },
];

export const booking: Trade = {
  name: 'booking',
  document: new URL('booking.md', import.meta.url),
  start: ({ fault, now }) => start({ port: 0, fault, now }),
  credentials: {
    ida: { 'X-Key': 'ida-a93b05f1' },
    jon: { 'X-Key': 'jon-46e7cc20' },
    kim: { 'X-Key': 'kim-d80f91b7' },
  },
  faults: [...ofRooms, ...findingRooms, ...holding, ...changing, ...listing],
};
