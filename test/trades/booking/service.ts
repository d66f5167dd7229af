import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import * as take from './request.ts';
import { Problem, query } from './request.ts';
import {
  type Booking,
  isActive,
  type Person,
  type Room,
  type RoomContent,
  Rooms,
  type Slot,
} from './rooms.ts';

const people = new Map<string, Person>([
  ['ida-a93b05f1', { login: 'ida', role: 'manager' }],
  ['jon-46e7cc20', { login: 'jon', role: 'employee' }],
  ['kim-d80f91b7', { login: 'kim', role: 'employee' }],
]);

interface Options {
  readonly port: number;
  readonly fault: string | null;
  readonly now?: () => number;
}

type Broken = (id: string) => boolean;

const known: RequestHandler = (request, response, next) => {
  const key = request.get('X-Key') ?? '';
  if (key === '') throw new Problem('no_key');
  const person = people.get(key);
  if (person === undefined) throw new Problem('bad_key');
  response.locals['person'] = person;
  next();
};

const managers: RequestHandler = (_request, response, next) => {
  if (personOf(response).role !== 'manager') throw new Problem('managers_only');
  next();
};

function personOf(response: Response): Person {
  return response.locals['person'] as Person;
}

/** At most six holds in two seconds: a window begins with its first hold. */
function holdRate(now: () => number, broken: Broken): RequestHandler {
  const windows = new Map<string, { readonly since: number; count: number }>();
  return (_request, response, next) => {
    const who = broken('rate-of-all') ? '' : personOf(response).login;
    const open = windows.get(who);
    const window = open !== undefined && now() < open.since + 2_000 ? open : { since: now(), count: 0 };
    windows.set(who, window);
    if (window.count >= 6) {
      if (!broken('rate-refusal-without-header')) response.set('X-Holds-Left', '0');
      throw new Problem('too_many_holds');
    }
    window.count += 1;
    response.set('X-Holds-Left', String(6 - window.count));
    next();
  };
}

const clockRules = { day: take.date, from: take.clock, to: take.clock };

/** A body with a slot that ends after it begins. */
function slotOf(body: Record<string, unknown>): Slot {
  const { day, from, to } = body as unknown as Slot;
  if (from >= to) throw new Problem('invalid');
  return { day, from, to };
}

function roomOf(rooms: Rooms, request: Request): Room {
  const room = rooms.rooms.get(String(request.params['id']));
  if (room === undefined) throw new Problem('no_room');
  return room;
}

function bookingOf(rooms: Rooms, request: Request): Booking {
  const id = String(request.params['id']);
  const booking = /^[1-9]\d*$/.test(id) ? rooms.bookings.get(Number(id)) : undefined;
  if (booking === undefined) throw new Problem('no_booking');
  return booking;
}

const roomRules = {
  name: take.text(40),
  floor: take.integer(-2, 30),
  seats: take.integer(1, 200),
  equipment: take.listOf('screen', 'phone', 'whiteboard'),
  opens: take.clock,
  closes: take.clock,
  inService: take.bool,
};

function routeRooms(app: Express, rooms: Rooms, broken: Broken): void {
  app
    .route('/v1/rooms')
    .get(known, take.content, take.coded, (request, response) => {
      const asked = query<{
        seats: number;
        floor: number;
        equipment: string;
        inService: boolean;
        sort: string[];
        start: number;
        count: number;
      }>(request, {
        seats: take.number(1),
        floor: take.number(),
        equipment: take.that(take.matching(/^(screen|phone|whiteboard)$/)),
        inService: take.flag,
        sort: take.sorting('name', 'seats', 'floor'),
        start: take.number(1),
        count: take.number(1),
      });
      const { seats = 0, floor, equipment, inService, sort = ['name'], start = 1 } = asked;
      const count = take.pageSize(asked.count);
      const found = [...rooms.rooms.values()].filter(
        (room) =>
          (broken('seats-excluded') ? room.seats > seats : room.seats >= seats) &&
          (floor === undefined || room.floor === floor) &&
          (equipment === undefined || room.equipment.includes(equipment)) &&
          (inService === undefined || room.inService === inService),
      );
      const order = [...sort, 'name', 'id'];
      const rows = found.map(({ id, name, seats, floor }) => ({
        id,
        name,
        floor,
        seats: broken('seats-as-text') ? String(seats) : seats,
      }));
      const all = take.sorted(rows, order);
      const first = broken('start-from-zero') ? start : start - 1;
      const page = all.slice(first, first + count).map(({ id }) => rooms.room(rooms.rooms.get(id) as Room));
      response.set('X-Total', String(broken('total-of-page') ? page.length : all.length)).json(page);
    })
    .all(take.only('GET, HEAD'));
}

function routeFreeRooms(app: Express, rooms: Rooms): void {
  app
    .route('/v1/free-rooms')
    .get(known, take.content, take.coded, (request, response) => {
      const clock = take.that(take.clock);
      const asked = query<Slot & { seats: number }>(
        request,
        { day: take.that(take.date), from: clock, to: clock, seats: take.number(1) },
        ['day', 'from', 'to'],
      );
      const { day = '', from = '', to = '', seats = 0 } = asked;
      const found = rooms.free({ day, from, to }).filter((room) => room.seats >= seats);
      response.json({ rooms: take.sorted(found, ['seats', 'id']).map(({ id }) => id) });
    })
    .all(take.only('GET, HEAD'));
}

function routeRoom(app: Express, rooms: Rooms, broken: Broken): void {
  const managing = broken('room-by-employee') ? [] : [managers];

  app
    .route('/v1/rooms/:id')
    .put(known, take.content, take.coded, take.json, ...managing, (request, response) => {
      const id = String(request.params['id']);
      query(request);
      if (!/^[a-z][a-z0-9-]{1,19}$/.test(id)) throw new Problem('invalid');
      const given = take.check(request.body, roomRules, ['name', 'floor', 'seats']) as Partial<RoomContent>;
      const room = rooms.rooms.get(id);
      const tag = room === undefined ? null : rooms.tag(room);
      const [match, unless] = [request.get('If-Match'), request.get('If-None-Match')];
      if (match !== undefined && !names(match, tag)) throw new Problem('stale');
      if (unless !== undefined && names(unless, tag) && !broken('put-over-existing'))
        throw new Problem('stale');
      const isNew = rooms.put(id, given);
      response.status(isNew ? 201 : 200).json(rooms.room(roomOf(rooms, request)));
    })
    .get(known, take.content, take.coded, (request, response) => {
      const room = roomOf(rooms, request);
      query(request);
      const tag = rooms.tag(room);
      response.set('ETag', tag);
      const unless = request.get('If-None-Match');
      if (unless !== undefined && names(unless.replaceAll('W/', ''), tag)) response.status(304).end();
      else response.json(rooms.room(room));
    })
    .delete(known, take.content, take.coded, (request, response) => {
      if (broken('unknown-before-forbidden')) roomOf(rooms, request);
      if (personOf(response).role !== 'manager') throw new Problem('managers_only');
      const room = roomOf(rooms, request);
      query(request);
      rooms.remove(room);
      response.status(204).end();
    })
    .all(take.only('DELETE, GET, HEAD, PUT'));
}

/** Whether a list of entity tags names a tag, or anything at all. */
function names(field: string, tag: string | null): boolean {
  const tags = field.split(',').map((one) => one.trim());
  return tag !== null && tags.some((one) => one === '*' || one === tag);
}

function routeRoomBookings(app: Express, rooms: Rooms, now: () => number, broken: Broken): void {
  app
    .route('/v1/rooms/:id/bookings')
    .get(known, take.content, take.coded, (request, response) => {
      const room = roomOf(rooms, request);
      const day = take.that(take.date);
      const { since = '', until = '9999-99-99' } = query<{ since: string; until: string }>(request, {
        since: day,
        until: day,
      });
      const found = rooms
        .bookingsIn(room.id)
        .filter(isActive)
        .filter((one) => one.day >= since && one.day <= until);
      const bookings = take
        .sorted(found, ['day', 'from'])
        .map((one) => (broken('private-in-room') ? one : rooms.booking(one, personOf(response))));
      response.json({ room: room.id, bookings });
    })
    .post(known, holdRate(now, broken), take.content, take.coded, take.json, (request, response) => {
      const room = roomOf(rooms, request);
      query(request);
      const body = take.check(
        request.body,
        { ...clockRules, title: take.text(60), private: take.bool, attendees: take.integer(1, 200) },
        ['day', 'from', 'to', 'title'],
      );
      const given = { ...body, ...slotOf(body) } as Slot & { title: string };
      const booking = rooms.hold(room, personOf(response), given);
      response
        .status(201)
        .set('Location', `/v1/bookings/${booking.id}`)
        .json(rooms.booking(booking, personOf(response)));
    })
    .all(take.only('GET, HEAD, POST'));
}

function listBookings(
  rooms: Rooms,
  request: Request,
  person: Person,
  broken: Broken,
): Record<string, unknown> {
  const statuses = take.words('held', 'confirmed', 'cancelled', 'expired');
  const asked = query<{
    room: string;
    booker: string;
    status: string[];
    day: string;
    limit: number;
    after: number;
  }>(request, {
    room: take.word,
    booker: take.word,
    status: statuses,
    day: take.that(take.date),
    limit: take.number(1),
    after: take.number(),
  });
  const { room, booker, status, day, after } = asked;
  const seen = [...rooms.bookings.values()].filter(
    (one) => one.booker === person.login || person.role === 'manager' || broken('list-of-everybody'),
  );
  const order = ['day', 'from', 'id'];
  const last = seen.find(({ id }) => id === after);
  if (after !== undefined && last === undefined) throw new Problem('invalid');
  const limit = take.pageSize(asked.limit);
  const found = take.sorted(
    seen.filter(
      (one) =>
        (room === undefined || one.room === room) &&
        (booker === undefined || one.booker === booker) &&
        (status === undefined ||
          (broken('first-status-alone') ? status[0] === one.status : status.includes(one.status))) &&
        (day === undefined || one.day === day),
    ),
    order,
  );
  const beyond =
    last === undefined
      ? found
      : found.filter((one) => one !== last && take.sorted([one, last], order)[0] === last);
  const page = (broken('after-repeats') && last !== undefined ? [last, ...beyond] : beyond).slice(0, limit);
  const next = beyond.length > limit ? nextOf(request, page.at(-1)?.id ?? 0) : null;
  return { bookings: page.map((one) => rooms.booking(one, person)), total: found.length, next };
}

/** The same address, from after another booking on. */
function nextOf(request: Request, after: number): string {
  const [path = '', search = ''] = request.originalUrl.split(/\?(.*)/s, 2);
  const part = `after=${after}`;
  if (/(^|&)after=/.test(search)) return `${path}?${search.replace(/(^|&)after=[^&]*/, `$1${part}`)}`;
  return `${path}?${search === '' ? part : `${search}&${part}`}`;
}

/** The booking of the path, if it is the client's. */
function ownBooking(rooms: Rooms, request: Request, response: Response, managersToo: boolean): Booking {
  const booking = bookingOf(rooms, request);
  const person = personOf(response);
  if (booking.booker !== person.login && !(managersToo && person.role === 'manager'))
    throw new Problem('not_yours');
  return booking;
}

function show(rooms: Rooms, response: Response, booking: Booking): void {
  response.json(rooms.booking(booking, personOf(response)));
}

function routeBookings(app: Express, rooms: Rooms, broken: Broken): void {
  app
    .route('/v1/bookings')
    .get(known, take.content, take.coded, (request, response) => {
      response.json(listBookings(rooms, request, personOf(response), broken));
    })
    .all(take.only('GET, HEAD'));

  app
    .route('/v1/bookings/:id')
    .get(known, take.content, take.coded, (request, response) => {
      const booking = bookingOf(rooms, request);
      query(request);
      show(rooms, response, booking);
    })
    .patch(known, take.content, take.coded, take.json, (request, response) => {
      const booking = ownBooking(rooms, request, response, false);
      query(request);
      const rules = { title: take.text(60), private: take.bool, attendees: take.integer(1, 200) };
      const given = take.check(request.body, rules, []);
      if (Object.keys(given).length === 0) throw new Problem('invalid');
      rooms.edit(booking, given);
      show(rooms, response, booking);
    })
    .all(take.only('GET, HEAD, PATCH'));
}

/** What becomes of a booking. */
function routeBookingMoves(app: Express, rooms: Rooms, broken: Broken): void {
  app
    .route('/v1/bookings/:id/slot')
    .post(known, take.content, take.coded, take.json, (request, response) => {
      const booking = ownBooking(rooms, request, response, false);
      query(request);
      rooms.move(booking, slotOf(take.check(request.body, clockRules, ['day', 'from', 'to'])));
      show(rooms, response, booking);
    })
    .all(take.only('POST'));

  app
    .route('/v1/bookings/:id/confirmation')
    .post(known, take.content, take.coded, (request, response) => {
      const booking = ownBooking(rooms, request, response, broken('confirm-by-manager'));
      query(request);
      rooms.confirm(booking);
      show(rooms, response, booking);
    })
    .all(take.only('POST'));

  app
    .route('/v1/bookings/:id/cancellation')
    .post(known, take.content, take.coded, take.json, (request, response) => {
      const booking = broken('cancel-by-anyone')
        ? bookingOf(rooms, request)
        : ownBooking(rooms, request, response, true);
      query(request);
      const { reason } = take.check(request.body, { reason: take.text(100) }, ['reason']);
      rooms.cancel(booking, personOf(response), String(reason));
      show(rooms, response, booking);
    })
    .all(take.only('POST'));
}

/** The service as an application of Express, with one planted fault or none. */
export function application({ fault, now = Date.now }: Omit<Options, 'port'>): Express {
  const broken: Broken = (id) => id === fault;
  const rooms = new Rooms(broken, now);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.use((_request, _response, next) => {
    rooms.settle();
    next();
  });
  routeRooms(app, rooms, broken);
  routeFreeRooms(app, rooms);
  routeRoom(app, rooms, broken);
  routeRoomBookings(app, rooms, now, broken);
  routeBookings(app, rooms, broken);
  routeBookingMoves(app, rooms, broken);
  app.use((_request, response) => void response.status(404).end());
  app.use(take.onProblem);
  return app;
}

export function start({
  port,
  ...options
}: Options): Promise<{ address: string; close: () => Promise<void> }> {
  return new Promise((resolve) => {
    const server = application(options).listen(port, '127.0.0.1', () =>
      resolve({
        address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      }),
    );
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, fault: { type: 'string' } } });
  const { address } = await start({ port: Number(values.port ?? 0), fault: values.fault ?? null });
  console.log(address);
}
