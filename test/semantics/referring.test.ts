import { describe, expect, it } from 'vitest';
import { step } from '../../src/semantics/request/request.ts';
import { Forgotten, Item, Unknown } from '../../src/semantics/value/value.ts';
import { Moment } from '../../src/semantics/world/moment.ts';
import { always, Touched } from '../../src/semantics/world/timer.ts';
import { Ways } from '../../src/semantics/world/ways.ts';
import { World } from '../../src/semantics/world/world.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Room:
    identifier: id
    fields:
      id:    { type: string }
      seats: { type: integer }
      used:  { type: integer, derived: "\${Booking.filter(b, b.room == this && b.on).size()}" }
      free:  { type: boolean, derived: "\${!Booking.exists(b, this == b.room && b.on)}" }
  Booking:
    identifier: id
    fields:
      id:   { type: integer }
      room: { refers: Room, ifDeleted: clear }
      for:  { type: integer, default: 1 }
      on:   { type: boolean, default: true }
    invariants: { there are enough seats: "\${this.room == null || this.for <= this.room.seats}" }
endpoints:
  PUT /rooms/{id}:    { operation: putRoom, does: { create: Room, present: replace }, request: { body: Room }, response: 204 }
  PUT /bookings/{id}: { operation: putBooking, does: { create: Booking, present: replace }, request: { body: Booking }, response: 204 }
errors: { codes: { crowded: { when: invariant broken, status: 409 } } }
`);

/** Two rooms, and bookings of them. */
function stored(bookings: readonly (string | null | Forgotten)[]): World {
  const world = new World(specification).fork(new Ways());
  const rooms = ['oak', 'elm'].map((id) =>
    world.create(
      'Room',
      new Map<string, string | number>([
        ['id', id],
        ['seats', 4],
      ]),
    ),
  );
  for (const [id, of] of bookings.entries()) {
    const at = rooms.find(({ members }) => members.get('id') === of);
    const room = at ? new Item('Room', at.handle, 'id', of as string) : (of as null | Forgotten);
    world.create(
      'Booking',
      new Map<string, boolean | number | null | Item | Forgotten>([
        ['id', id],
        ['room', room],
        ['for', 2],
        ['on', true],
      ]),
    );
  }
  return world;
}

/** What a derived field of a room comes to. */
function derived(world: World, field: string, id: string): unknown {
  const moment = new Moment(world, {});
  const of = specification.resourcesByName.get('Room')?.fields.get(field)?.derived;
  const template = of && stated(of);
  const room = world.all('Room').find(({ members }) => members.get('id') === id);
  if (!template || !room) throw new TypeError('no such field');
  return moment.value(template, { this: new Item('Room', room.handle, 'id', id) });
}

describe('items that refer to one', () => {
  const world = stored(['oak', 'elm', 'oak', null]);

  it('are found whatever the others refer to', () => {
    expect(['oak', 'elm'].map((id) => derived(world, 'used', id))).toEqual([2, 1]);
    expect(['oak', 'elm'].map((id) => derived(world, 'free', id))).toEqual([false, false]);
    expect(derived(stored(['elm']), 'free', 'oak')).toBe(true);
  });

  it('are not known where it is not known what an item refers to', () => {
    const unsure = stored(['oak', new Forgotten()]);
    expect(derived(unsure, 'used', 'oak')).toBeInstanceOf(Unknown);
    expect(derived(unsure, 'free', 'oak')).toBe(false);
    expect(derived(unsure, 'free', 'elm')).toBeInstanceOf(Unknown);
  });

  it('are not known where an item may refer to another one by now, by itself', () => {
    const world = stored(['oak', 'elm', 'oak']);
    const [first] = world.all('Booking');
    if (first === undefined) throw new TypeError('no booking');
    const { resource, handle } = first;
    const timer = { kind: 'at', resource, handle, move: 'away', due: always, time: null } as const;
    const watched = { timer, isDeleted: false, others: new Set<string>(), isIdle: false };
    world.watched = [{ ...watched, names: new Set(['room']) }];
    expect(() => derived(world, 'used', 'elm')).toThrow(Touched);
    world.watched = [{ ...watched, names: new Set(['for']) }];
    expect(['oak', 'elm'].map((id) => derived(world, 'used', id))).toEqual([2, 1]);
  });
});

describe('an invariant (language §2.1, rule 6)', () => {
  const statusOf = (
    name: string,
    id: string | number,
    content: Readonly<Record<string, string | number>>,
    world = stored(['oak', 'oak']),
  ): unknown => {
    const operation = specification.operations.find((each) => each.name === name);
    if (operation === undefined) throw new TypeError(`no operation ${name}`);
    const steps = step(world, {
      ...{ operation, path: { id }, query: {}, headers: {}, credentials: [], url: 'http://localhost' },
      content,
    });
    return steps.map(({ prediction }) => prediction.status);
  };

  it('is judged of every item that refers to what is written', () => {
    expect(statusOf('putRoom', 'oak', { seats: 1 })).toEqual([[409]]);
    expect(statusOf('putRoom', 'elm', { seats: 1 })).toEqual([[204]]);
    expect(statusOf('putRoom', 'oak', { seats: 2 })).toEqual([[204]]);
  });

  it('is judged of what is written itself', () => {
    expect(statusOf('putBooking', 7, { room: 'oak', for: 5 })).toEqual([[409]]);
    expect(statusOf('putBooking', 7, { room: 'oak', for: 4 })).toEqual([[204]]);
  });

  it('is decided once for all items of which that is not known', () => {
    const many = stored(Array.from({ length: 100 }, () => new Forgotten()));
    expect(statusOf('putRoom', 'oak', { seats: 1 }, many)).toEqual([[204], [409]]);
  });

  it('is broken for certain by one item, whatever is known of those before it', () => {
    const some = stored([new Forgotten(), 'oak']);
    expect(statusOf('putRoom', 'oak', { seats: 1 }, some)).toEqual([[409]]);
  });
});
