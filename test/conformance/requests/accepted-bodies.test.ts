import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { AcceptedBodies } from '../../../src/conformance/requests/accepted-bodies.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { usualRequest } from '../../../src/conformance/requests/requests.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
endpoints:
  POST /bookings:
    does: (none)
    request:
      body:
        fields:
          room: { type: string }
          size: { type: integer }
          from: { type: string, format: date-time }
          to: { type: string, format: date-time }
          day: { type: string, format: date }
        required: [room, size, from, to, day]
    response: 204
authentication: (none)
`);
const [operation] = specification.operations as [Operation];
const good = {
  room: 'atrium',
  size: 4,
  from: '2031-03-04T09:00:00.000Z',
  to: '2031-03-04T10:00:00.000Z',
  day: '2031-03-04',
};

type Booking = typeof good;

/** The bodies of requests, after these answers to the good one. */
function bodiesAfter(...statuses: readonly number[]): readonly Booking[] {
  const accepted = new AcceptedBodies();
  for (const status of statuses) accepted.note(operation, good, status);
  const pool = new Pool(specification, seeded(1), 0, undefined, accepted);
  return Array.from(
    { length: 100 },
    () => usualRequest(operation, begunWorld(specification), pool, 'http://localhost').content as Booking,
  );
}

const members = Object.keys(good) as (keyof Booking)[];
const spanOf = ({ from, to }: Booking): number => Date.parse(to) - Date.parse(from);

describe('where most of what fits is refused', () => {
  const bodies = bodiesAfter(204, 422, 409);

  it('bodies are one that was accepted, but for one member', () => {
    const near = bodies.filter((each) => members.filter((name) => each[name] === good[name]).length === 4);
    expect(near.length).toBeGreaterThan(10);
    for (const name of members) expect(near.some((each) => each[name] !== good[name])).toBe(true);
    expect(bodies).not.toContainEqual(good);
  });

  it('times of it are moved together, so that what begins still ends later', () => {
    const moved = bodies.filter((each) => each.from !== good.from && spanOf(each) === spanOf(good));
    expect(moved.length).toBeGreaterThan(10);
    expect(
      moved.every(({ from, day }) => Date.parse(from) > Date.parse(good.from) && day.length === 10),
    ).toBe(true);
  });
});

it('where most is accepted, or nothing was, bodies are made anew', () => {
  for (const bodies of [bodiesAfter(), bodiesAfter(204), bodiesAfter(422, 422)])
    expect(bodies.every(({ room }) => room !== good.room)).toBe(true);
});
