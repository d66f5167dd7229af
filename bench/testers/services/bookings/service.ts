import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import Fastify from 'fastify';

const fault = process.env['FAULT'];

interface Booking {
  id: string;
  roomId: string;
  title: string;
  attendees: number;
  startsAt: string;
  endsAt: string;
  owner: string;
  createdAt: string;
}

const rooms = [
  { id: 'atrium', name: 'Atrium', capacity: 20 },
  { id: 'board', name: 'Board room', capacity: 8 },
  { id: 'cabin', name: 'Cabin', capacity: 4 },
];
const users = new Map([
  ['alice-token', 'alice'],
  ['bob-token', 'bob'],
]);
const bookings = new Map<string, Booking>();
const seed = '6f1c2a52-8c0b-4c42-9a3e-0d6a1f0a7b11';
bookings.set(seed, {
  id: seed,
  roomId: 'board',
  title: 'Budget',
  attendees: 5,
  startsAt: '2031-02-01T09:00:00Z',
  endsAt: '2031-02-01T11:00:00Z',
  owner: 'alice',
  createdAt: '2030-12-01T08:00:00Z',
});

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const title = { type: 'string', minLength: 1, maxLength: 100 };
const attendees = { type: 'integer', minimum: 1 };
const time = { type: 'string', format: 'date-time' };
const newBooking = {
  type: 'object',
  additionalProperties: false,
  required: ['roomId', 'title', 'startsAt', 'endsAt'],
  properties: { roomId: { type: 'string' }, title, attendees, startsAt: time, endsAt: time },
};
const changes = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: { title, attendees, startsAt: time, endsAt: time },
};
const params = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } };
const query = {
  type: 'object',
  properties: {
    roomId: { type: 'string' },
    from: time,
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    minCapacity: { type: 'integer', minimum: 1 },
  },
};

function checked(booking: Booking): Booking {
  const room = rooms.find(({ id }) => id === booking.roomId);
  if (room === undefined) throw new Refusal(422, 'unknown_room', 'No such room');
  const isTooMany =
    fault === 'capacity-off-by-one' ? booking.attendees >= room.capacity : booking.attendees > room.capacity;
  if (isTooMany) throw new Refusal(422, 'too_many', 'More attendees than seats');
  const [start, end] = [Date.parse(booking.startsAt), Date.parse(booking.endsAt)];
  if (end <= start && fault !== 'end-before-start') {
    throw new Refusal(422, 'bad_times', 'endsAt must be after startsAt');
  }
  for (const other of bookings.values()) {
    if (other.id === booking.id || other.roomId !== booking.roomId) continue;
    const [from, to] = [Date.parse(other.startsAt), Date.parse(other.endsAt)];
    const overlaps = fault === 'overlap-touching' ? start <= to && end >= from : start < to && end > from;
    if (overlaps && fault !== 'overlap-unchecked') throw new Refusal(409, 'conflict', 'The room is taken');
  }
  return booking;
}

const app = Fastify();
const strict = new Ajv();
const loose = new Ajv({ coerceTypes: true, useDefaults: true });
for (const ajv of [strict, loose]) addFormats.default(ajv);
app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === 'body' ? strict : loose).compile(schema as object),
);
app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
  if (error instanceof Refusal) {
    return reply.status(error.status).send({ code: error.code, message: error.message });
  }
  return reply.status(error.statusCode ?? 500).send({ code: 'invalid', message: error.message });
});
app.addHook('onRequest', async (request) => {
  if (
    fault === 'auth-skipped-on-get' &&
    request.routeOptions.url === '/bookings/:id' &&
    request.method === 'GET'
  )
    return;
  const user = users.get(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
  if (user === undefined) throw new Refusal(401, 'unauthorized', 'Send a valid token');
  request.headers['x-user'] = user;
});

const found = (id: string): Booking => {
  const booking = bookings.get(id.toLowerCase());
  if (booking === undefined) throw new Refusal(404, 'not_found', 'No such booking');
  return booking;
};
const owned = (id: string, user: unknown): Booking => {
  const booking = found(id);
  if (booking.owner !== user && fault !== 'owner-unchecked') throw new Refusal(403, 'forbidden', 'Not yours');
  return booking;
};

app.get('/rooms', { schema: { querystring: query } }, (request) => {
  const { minCapacity = 0 } = request.query as { minCapacity?: number };
  return Promise.resolve(rooms.filter(({ capacity }) => capacity >= minCapacity));
});

app.get('/bookings', { schema: { querystring: query } }, async (request) => {
  const { roomId, from, limit, offset } = request.query as {
    roomId?: string;
    from?: string;
    limit: number;
    offset: number;
  };
  const all = [...bookings.values()]
    .filter((booking) => roomId === undefined || fault === 'room-filter-ignored' || booking.roomId === roomId)
    .filter((booking) => from === undefined || Date.parse(booking.startsAt) >= Date.parse(from));
  if (fault !== 'list-unsorted') all.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
  const items = all.slice(offset, offset + limit + (fault === 'limit-off-by-one' ? 1 : 0));
  return { items, total: fault === 'total-of-page' ? items.length : all.length };
});

app.post('/bookings', { schema: { body: newBooking } }, async (request, reply) => {
  const booking = checked({
    id: randomUUID(),
    attendees: 2,
    ...(request.body as Omit<Booking, 'id' | 'owner' | 'createdAt' | 'attendees'>),
    owner: String(request.headers['x-user']),
    createdAt: new Date().toISOString(),
  });
  bookings.set(booking.id, booking);
  if (fault !== 'location-missing') reply.header('location', `/bookings/${booking.id}`);
  return reply.status(201).send(booking);
});

app.get('/bookings/:id', { schema: { params } }, async (request) =>
  found((request.params as { id: string }).id),
);

app.patch('/bookings/:id', { schema: { params, body: changes } }, async (request) => {
  const before = owned((request.params as { id: string }).id, request.headers['x-user']);
  const reset = fault === 'patch-resets-attendees' ? { attendees: 2 } : {};
  const booking = checked({ ...before, ...reset, ...(request.body as Partial<Booking>) });
  bookings.set(booking.id, booking);
  return booking;
});

app.delete('/bookings/:id', { schema: { params } }, async (request, reply) => {
  const booking = owned((request.params as { id: string }).id, request.headers['x-user']);
  bookings.delete(booking.id);
  return reply.status(204).send();
});

console.log(
  `listening on ${await app.listen({ port: Number(process.env['PORT'] ?? 0), host: '127.0.0.1' })}`,
);
