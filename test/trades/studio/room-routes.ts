import { createHash, randomUUID } from 'node:crypto';
import { type Context, mergePatch, type Operation, type Version } from './gate.ts';
import {
  atLeast,
  atMost,
  type Body,
  ensure,
  integer,
  longest,
  number,
  patched,
  type Rules,
  shortest,
  string,
  stringOrNull,
} from './request.ts';
import type { Room, Store } from './store.ts';

const shown = (store: Store, room: Room, version: Version): object => {
  const { id, name, floor, capacity, rate, notes } = room;
  const priced = version === '1' ? { euros: rate / 100 } : { rate };
  return { id, name, floor, capacity, ...priced, notes, bookings: store.openBookingsOf(room) };
};

const rulesOf = (version: Version): Rules => ({
  name: [string, shortest(1), longest(60)],
  floor: [integer, atLeast(-2), atMost(9)],
  capacity: [integer, atLeast(1), atMost(30)],
  ...(version === '1'
    ? { euros: [number, atLeast(1), atMost(200)] }
    : { rate: [integer, atLeast(100), atMost(20_000)] }),
  notes: [stringOrNull, longest(300)],
});

const requiredOf = (version: Version): readonly string[] => [
  ...['name', 'floor', 'capacity'],
  version === '1' ? 'euros' : 'rate',
];

/** What a body gives of a room, as it is stored. */
function givenOf(store: Store, { euros, ...body }: Body): Partial<Room> {
  if (typeof euros !== 'number') return body;
  const cents = euros * 100;
  return { ...body, rate: store.broken('euros-cut') ? Math.floor(cents) : Math.round(cents) };
}

function roomOf({ store, path }: Context): Room {
  const room = store.rooms.find(({ id, archived }) => id === path['id'] && !archived);
  ensure(room !== undefined, 'no-room');
  return room;
}

function tagOf({ store, version }: Context, room: Room): string {
  const tagged = store.broken('etag-bookings') ? room : shown(store, room, version);
  const text = JSON.stringify([version, tagged]);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 24)}"`;
}

/** Whether a list of tags in a header field names a tag. */
const names = (field: string, tag: string): boolean =>
  field.trim() === '*' || field.split(',').some((part) => part.trim() === tag);

const addRoom: Operation = {
  ...{ method: 'POST', path: '/rooms', rule: 'keeper' },
  body: { rules: rulesOf, required: requiredOf },
  run: ({ store, body, version }) => {
    const given = givenOf(store, body) as Pick<Room, 'name' | 'floor' | 'capacity' | 'rate'>;
    ensure(store.roomNamed(given.name) === undefined, 'name-taken');
    const room: Room = { id: randomUUID(), notes: null, archived: false, ...given };
    store.rooms.push(room);
    return { status: 201, headers: { Location: `/rooms/${room.id}` }, body: shown(store, room, version) };
  },
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? [];

function isFound(store: Store, { name, notes }: Room, q: string): boolean {
  const words = [...wordsOf(name), ...wordsOf(notes ?? '')];
  const begins = (word: string): boolean => words.some((other) => other.startsWith(word));
  const sought = wordsOf(q);
  return store.broken('search-or') && sought.length > 0 ? sought.some(begins) : sought.every(begins);
}

function isListed({ store, query }: Context, room: Room): boolean {
  const { q, floor, capacity } = query;
  if (room.archived && !(store.broken('archived-found') && q !== undefined)) return false;
  if (q !== undefined && !isFound(store, room, q)) return false;
  if (floor !== undefined && room.floor !== Number(floor)) return false;
  return capacity === undefined || room.capacity >= Number(capacity);
}

const byName = (a: Room, b: Room): number => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));

const orders: Readonly<Record<string, (a: Room, b: Room) => number>> = {
  name: byName,
  rate: (a, b) => a.rate - b.rate,
  capacity: (a, b) => a.capacity - b.capacity,
};

/** How two rooms follow one another, by the text of `sort`. */
function orderOf(store: Store, sort: string): (a: Room, b: Room) => number {
  const keys = sort === '' ? [] : sort.split(',');
  return (a, b) => {
    let sign = 1;
    for (const key of keys) {
      sign = key.startsWith('-') ? -1 : 1;
      const found = orders[key.replace(/^-/, '')]?.(a, b) ?? 0;
      if (found !== 0) return sign * found;
    }
    return byName(a, b) * (store.broken('sort-ties') ? sign : 1);
  };
}

const isSort = (value: unknown): boolean =>
  /^-?(name|rate|capacity)(,-?(name|rate|capacity))*$/.test(`${value}`);

const listRooms: Operation = {
  ...{ method: 'GET', path: '/rooms', rule: 'known' },
  query: {
    q: [string, longest(100)],
    floor: [integer],
    capacity: [integer, atLeast(1)],
    sort: [string, ['sort', isSort]],
    limit: [integer, atLeast(1), atMost(50)],
    offset: [integer, atLeast(0)],
  },
  run: (context) => {
    const { store, query, version } = context;
    const found = store.rooms
      .filter((room) => isListed(context, room))
      .sort(orderOf(store, query['sort'] ?? ''));
    const offset = Number(query['offset'] ?? 0);
    const page = found.slice(offset, offset + Number(query['limit'] ?? 10));
    const total = store.broken('total-page') ? page.length : found.length;
    return { status: 200, body: { rooms: page.map((room) => shown(store, room, version)), total } };
  },
};

const readRoom: Operation = {
  ...{ method: 'GET', path: '/rooms/:id', rule: 'known' },
  find: roomOf,
  run: (context) => {
    const room = roomOf(context);
    const headers = { ETag: tagOf(context, room) };
    const seen = context.headers['if-none-match']?.replaceAll('W/', '');
    if (seen !== undefined && names(seen, headers.ETag)) return { status: 304, headers };
    return { status: 200, headers, body: shown(context.store, room, context.version) };
  },
};

const changeRoom: Operation = {
  ...{ method: 'PATCH', path: '/rooms/:id', rule: 'keeper' },
  body: { rules: rulesOf, required: requiredOf, media: mergePatch },
  find: roomOf,
  run: (context) => {
    const { store, body, headers, version } = context;
    const room = roomOf(context);
    const seen = headers['if-match'];
    ensure(seen !== undefined, 'tag-missing');
    ensure(names(seen, tagOf(context, room)), 'stale');
    const given = givenOf(store, patched(body));
    const named = given.name === undefined ? undefined : store.roomNamed(given.name);
    ensure(named === undefined || (named === room && !store.broken('name-own')), 'name-taken');
    Object.assign(room, given);
    return { status: 200, headers: { ETag: tagOf(context, room) }, body: shown(store, room, version) };
  },
};

const archiveRoom: Operation = {
  ...{ method: 'DELETE', path: '/rooms/:id', rule: 'keeper' },
  find: roomOf,
  run: (context) => {
    roomOf(context).archived = true;
    return { status: 204 };
  },
};

const listInstruments: Operation = {
  ...{ method: 'GET', path: '/instruments', rule: 'known' },
  run: ({ store }) => ({ status: 200, body: { instruments: store.instruments } }),
};

export const roomOperations: readonly Operation[] = [
  ...[addRoom, listRooms, readRoom, changeRoom, archiveRoom],
  listInstruments,
];
