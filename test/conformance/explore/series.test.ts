import { expect, it } from 'vitest';
import { Series } from '../../../src/conformance/explore/series.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { Ways } from '../../../src/semantics/world/ways.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { specificationOf } from '../../service/served.ts';

const notes = (limits: string, query = ''): Specification =>
  specificationOf(`
resources:
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  GET /notes:
    operation: list
    does: list Note
    request: { query: { q: { type: string, filter: text }, ${query} } }
    response: { status: 200, body: "\${Note(page.items)}" }
${limits}`);

/** The operations that one series asks, in their order. */
function askedIn(specification: Specification): readonly string[] {
  const [series, pool] = [new Series(specification), new Pool(specification, seeded(1))];
  const world = begunWorld(specification);
  const asked: string[] = [];
  for (let count = 0; count < 1000 && (asked.length === 0 || series.isOn); count++) {
    const next = series.next(pool, world, () => true);
    if (next) asked.push(next.operation.name);
  }
  return asked;
}

it('has one request more than a quota, or a page of the usual size, has room for, and then lists', () => {
  const quota = notes('limits: { quotas: { notes: { of: Note, allow: 5 } } }');
  expect(askedIn(quota)).toEqual([...Array(6).fill('add'), 'list']);
  const page = notes('', 'size: { page: size, default: 7 }');
  expect(askedIn(page)).toEqual([...Array(8).fill('add'), 'list']);
});

it('is none where few items show all, or more are needed than a walk makes', () => {
  expect(askedIn(notes(''))).toEqual([]);
  expect(askedIn(notes('limits: { quotas: { notes: { of: Note, allow: 2 } } }'))).toEqual([]);
  expect(askedIn(notes('limits: { quotas: { notes: { of: Note, allow: 1000 } } }'))).toEqual([]);
});

/** What walks in memory are refused with. */
function codesIn(specification: Specification): ReadonlySet<string | undefined> {
  const codes = [1, 2, 3, 4].flatMap((seed) => {
    const { requests, worlds } = walk(begunWorld(specification), [], seeded(seed), 160);
    return requests.map((request, place) => step(worlds[place] as World, request).at(-1)?.prediction.code);
  });
  return new Set(codes);
}

const rooms = specificationOf(`
complete: true
resources:
  User: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } } } }
  Room: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } } } }
  Member:
    identifier: [room, user]
    fields:
      room: { refers: Room, ifDeleted: delete, writable: false }
      user: { refers: User, ifDeleted: delete }
    required: [user]
endpoints:
  POST /users: { operation: addUser, does: create User, response: { status: 201, body: User } }
  POST /rooms: { operation: addRoom, does: create Room, response: { status: 201, body: Room } }
  GET /users:  { operation: users, does: list User, response: { status: 200, body: "\${User(page.items)}" } }
  POST /rooms/{id}/members:
    operation: join
    does: { create: Member, with: ["\${request.body}", { room: "\${room}" }] }
    request: { path: { id: Room.id as room }, body: Member }
    response: 201
errors:
  codes:
    full:    { when: quota exceeded seats, status: 409 }
    already: { when: not unique Member, status: 409 }
    wrong:   { when: [invalid, malformed, unsupported media, unknown Room], status: 400 }
limits: { quotas: { seats: { of: Member, per: "\${this.room}", allow: 5 } } }
`);

it('walks exceed a quota of one place', () => {
  expect(codesIn(rooms)).toContain('full');
});

it('is of one sender, or in one place, or both', () => {
  const operation = rooms.operations.find(({ name }) => name === 'join');
  if (operation === undefined) throw new TypeError('no operation');
  const request = (room: string, sender: string): Request => ({
    ...{ operation, path: { id: room }, query: {}, headers: {}, content: {}, url: 'http://localhost' },
    credentials: [{ scheme: 'key', value: sender }],
  });
  const world = begunWorld(rooms).fork(new Ways());
  for (const resource of ['User', 'Room'])
    for (let id = 1; id <= 6; id++) world.create(resource, new Map([['id', id]]));
  const same = Array.from({ length: 60 }, (_, seed) => {
    const [series, pool] = [new Series(rooms), new Pool(rooms, seeded(seed))];
    const next = () => series.next(pool, world, ({ name }) => name === 'join');
    for (let count = 0; count < 1000 && !series.isOn; count++) next()?.like(request('1', 'ann'));
    if (!series.isOn) return 'none';
    series.note(request('1', 'ann'), true);
    const { path, credentials } = next()?.like(request('2', 'bob')) ?? request('none', 'none');
    return `${credentials[0]?.value} ${path['id']}`;
  });
  expect(new Set(same)).toEqual(new Set(['ann 1', 'ann 2', 'bob 1']));
});

it('has four requests where a list is sorted by two members: half of what is made is alike in the first', () => {
  const sorted = specificationOf(`
resources:
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string, minLength: 8 } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  GET /notes: { operation: list, does: { list: Note, order: [text, id] }, response: { status: 200, body: "\${Note(page.items)}" } }
`);
  expect(askedIn(sorted)).toEqual([...Array(4).fill('add'), 'list']);
  const [add] = sorted.operations as [Request['operation']];
  const [series, pool] = [new Series(sorted), new Pool(sorted, seeded(1))];
  const texts: unknown[] = [];
  for (let count = 0; count < 1000 && texts.length < 4; count++) {
    const next = series.next(pool, begunWorld(sorted), () => true);
    if (next?.operation.name !== 'add') continue;
    const usual = { path: {}, query: {}, headers: {}, credentials: [], url: 'http://localhost' };
    const request = next.like({ ...usual, operation: add, content: { text: `text number ${texts.length}` } });
    series.note(request, true);
    texts.push((request.content as { readonly text: string }).text);
  }
  expect(new Set(texts).size).toBeLessThan(4);
});
