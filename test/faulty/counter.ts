import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { listening, type Running } from '../listening.ts';

/**
 * The service of `test/documents/racing/counter.yaml`, in bare `node:http`. Each fault looks first and writes later:
 * asked for one after the other, nothing is wrong with it.
 */

export const faults = [
  'two get one place',
  'a seat is sold twice',
  'a change is lost over another',
  'a key that comes twice at once makes two',
  'a look is lost over another',
  'an edit is lost over another',
] as const;
export type Fault = (typeof faults)[number];

interface Seat {
  readonly id: string;
  place: string;
  price: number;
  status: 'free' | 'sold';
  looks: number;
  version: number;
}

interface Guest {
  readonly id: string;
  name: string;
  edits: number;
}

interface Answered {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

class Refused extends Error {
  readonly answer: Answered;
  constructor(status: number, code: string) {
    super(code);
    this.answer = { status, body: { code } };
  }
}

type Given = Readonly<Record<string, unknown>>;

const shown = ({ id, place, price, status, looks }: Seat): Given => ({ id, place, price, status, looks });

/** Serves on a free port of this machine. */
export async function startCounter(fault: Fault | null): Promise<Running> {
  const seats = new Map<string, Seat>();
  const guests = new Map<string, Guest>();
  const keys = new Map<string, { readonly content: string; readonly guest: Guest }>();
  /** The time between looking and writing, in which others look, too. */
  const between = async (one: Fault): Promise<void> => void (fault === one && (await setTimeout(20)));

  const take = async (place: unknown, own?: Seat): Promise<void> => {
    if ([...seats.values()].some((one) => one !== own && one.place === place))
      throw new Refused(409, 'taken');
    if (own === undefined) await between('two get one place');
  };

  const answer = async (request: IncomingMessage, content: string): Promise<Answered> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [kind, id, deed, ...more] = pathname.split('/').slice(1).map(decodeURIComponent);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const route = `${method} ${[kind, id && '*', deed].filter((one) => one !== undefined).join('/')}`;
    if (more.length > 0 || !routes.some((one) => one.endsWith(` ${route.split(' ')[1]}`)))
      return { status: 404 };
    if (!routes.includes(route)) {
      const methods = routes.flatMap((one) =>
        one.endsWith(` ${route.split(' ')[1]}`) ? (one.split(' ')[0] ?? '') : [],
      );
      const allow = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
      return { status: 405, headers: { Allow: allow } };
    }
    switch (route) {
      case 'GET seats':
        return { status: 200, body: [...seats.values()].map(shown) };
      case 'GET guests':
        return { status: 200, body: [...guests.values()] };
      case 'GET guests/*':
        return { status: 200, body: guestOf(guests, id) };
      case 'PATCH guests/*': {
        const given = read(request, content, { name: isText(1, 20) }, []);
        const guest = guestOf(guests, id);
        const { name = guest.name } = given;
        if (name === guest.name) return { status: 200, body: guest };
        const { edits } = guest;
        await between('an edit is lost over another');
        guest.name = name as string;
        guest.edits = edits + 1;
        return { status: 200, body: guest };
      }
      case 'POST guests':
        return await addGuest(request, content);
      case 'POST seats': {
        const { place, price } = seatIn(request, content, ['place', 'price']);
        await take(place);
        const seat: Seat = {
          id: randomUUID(),
          place: place as string,
          price: price as number,
          status: 'free',
          looks: 0,
          version: 1,
        };
        seats.set(seat.id, seat);
        return { status: 201, body: shown(seat) };
      }
      default:
        return await ofSeat(route, request, content, id ?? '');
    }
  };

  const addGuest = async (request: IncomingMessage, content: string): Promise<Answered> => {
    const { name } = read(request, content, { name: isText(1, 20) }, ['name']);
    const key = request.headers['idempotency-key'] as string | undefined;
    const known = key === undefined ? undefined : keys.get(key);
    if (known && known.content !== name) throw new Refused(422, 'reused');
    if (known) return { status: 201, body: known.guest };
    await between('a key that comes twice at once makes two');
    const guest = { id: randomUUID(), name: name as string, edits: 0 };
    guests.set(guest.id, guest);
    if (key !== undefined) keys.set(key, { content: guest.name, guest });
    return { status: 201, body: guest };
  };

  const ofSeat = async (
    route: string,
    request: IncomingMessage,
    content: string,
    id: string,
  ): Promise<Answered> => {
    const given = route === 'PATCH seats/*' ? seatIn(request, content, []) : {};
    const seat = seats.get(id);
    if (seat === undefined) throw new Refused(404, 'unknown');
    const tag = `"${seat.version}-${seat.id}"`;
    if (route === 'GET seats/*') {
      const isKnown = matches(request.headers['if-none-match']?.replaceAll('W/', ''), tag);
      if (isKnown) return { status: 304, headers: { ETag: tag } };
      return { status: 200, body: shown(seat), headers: { ETag: tag } };
    }
    if (route === 'POST seats/*/sell') {
      if (seat.status !== 'free') throw new Refused(409, 'sold');
      await between('a seat is sold twice');
      seat.status = 'sold';
      seat.version += 1;
      return { status: 200, body: shown(seat) };
    }
    if (route === 'POST seats/*/look') {
      if (seat.status !== 'free') throw new Refused(409, 'sold');
      const { looks } = seat;
      await between('a look is lost over another');
      seat.looks = looks + 1;
      seat.version += 1;
      return { status: 200, body: shown(seat) };
    }
    const wanted = request.headers['if-match'];
    if (wanted === undefined) throw new Refused(428, 'blind');
    if (!matches(wanted, tag)) throw new Refused(412, 'stale');
    if (given['place'] !== undefined) await take(given['place'], seat);
    await between('a change is lost over another');
    const isChanged = Object.entries(given).some(([name, value]) => Reflect.get(seat, name) !== value);
    Object.assign(seat, given);
    if (isChanged) seat.version += 1;
    return { status: 200, body: shown(seat), headers: { ETag: `"${seat.version}-${seat.id}"` } };
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(request, Buffer.concat(chunks).toString('utf8'))
        .catch((error: unknown) => {
          if (error instanceof Refused) return error.answer;
          throw error;
        })
        .then(({ status, body, headers = {} }) => {
          if (body === undefined) return response.writeHead(status, headers).end();
          const json = Buffer.from(JSON.stringify(body));
          const about = { 'Content-Type': 'application/json', 'Content-Length': json.length };
          return response.writeHead(status, { ...about, ...headers }).end(json);
        });
    });
  });
  return listening(server);
}

const routes = [
  'POST seats',
  'GET seats',
  'GET seats/*',
  'PATCH seats/*',
  'POST seats/*/sell',
  'POST seats/*/look',
  'POST guests',
  'GET guests',
  'GET guests/*',
  'PATCH guests/*',
];

type Fits = (value: unknown) => boolean;

const isText =
  (least: number, most: number, pattern = /^/): Fits =>
  (value) =>
    typeof value === 'string' &&
    [...value].length >= least &&
    [...value].length <= most &&
    pattern.test(value);

const isPrice: Fits = (value) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 100_000;

function guestOf(guests: ReadonlyMap<string, Guest>, id: string | undefined): Guest {
  const guest = guests.get(id ?? '');
  if (guest === undefined) throw new Refused(404, 'unknown');
  return guest;
}

function seatIn(request: IncomingMessage, content: string, required: readonly string[]): Given {
  return read(request, content, { place: isText(4, 20, /^[a-z]+$/), price: isPrice }, required);
}

/** The members of the content. Throws `Refused` where they are not as stated. */
function read(
  request: IncomingMessage,
  content: string,
  fields: Readonly<Record<string, Fits>>,
  required: readonly string[],
): Given {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refused(415, 'unsupported');
  const given = objectIn(content);
  const isRight = Object.entries(given).every(([name, value]) => fields[name]?.(value) === true);
  if (!isRight || required.some((name) => !Object.hasOwn(given, name))) throw new Refused(422, 'invalid');
  return given;
}

/** The object that a content is: no member twice, and nothing that cannot be kept (language §H.4). */
function objectIn(content: string): Given {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new Refused(400, 'malformed');
  }
  const names = [...content.matchAll(/(?<=[{,]\s*)"((?:[^"\\]|\\.)*)"\s*:/g)].map((found) => found[1]);
  if (new Set(names).size < names.length || !canKeep(value)) throw new Refused(400, 'malformed');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refused(400, 'malformed');
  return value as Given;
}

function canKeep(value: unknown): boolean {
  if (typeof value === 'string') return !/[\0\p{Cs}]/u.test(value);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(canKeep);
}

function matches(field: string | undefined, tag: string): boolean {
  return field === '*' || (field ?? '').split(',').some((one) => one.trim() === tag);
}
