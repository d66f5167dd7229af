import { describe, expect, it } from 'vitest';
import type { Deviation } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { exploring } from '../../../src/conformance/explore/explorer.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { type Asked, begunWorld, url } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { holding, withTellingValue } from '../../../src/conformance/search/telling-values.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Value } from '../../../src/semantics/value/value.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { type Said, stated } from '../../../src/specification/reading/said.ts';
import { specificationOf } from '../../service/served.ts';
import { askedIn } from './asked.ts';

const specification = specificationOf(`
complete: true
resources:
  Clock: { identifier: (none), type: string, pattern: "^[0-2][0-9]:[03]0$" }
  Booking: { identifier: (none), fields: { hours: { type: integer, minimum: 1 }, by: { type: string } }, required: [by] }
  Room:
    identifier: id
    fields:
      id: { type: string, pattern: "^[a-z]{2,6}$" }
      seats: { type: integer, minimum: 1, maximum: 200 }
      opens: Clock
    required: [seats, opens]
endpoints:
  POST /bookings: { operation: book, does: (open) what does it do?, request: { body: Booking }, response: 201 }
  PUT /rooms/{id}: { operation: put, does: { create: Room, present: replace }, request: { body: Room }, response: { status: 200, body: Room } }
  GET /rooms: { operation: list, does: list Room, request: { query: { count: { page: size, minimum: 1, maximum: 30, default: 5 } } }, response: { status: 200, body: "\${Room(page.items)}" } }
authentication: (none)
errors: { codes: { wrong: { when: invalid, status: 422 }, unread: { when: malformed, status: 400 } } }
`);

const found = (address: string, says: string): Deviation => {
  const all = deviationsOf(specification).filter((each) => each.said.address === address);
  const deviation = all.find((each) => each.says === says);
  if (deviation === undefined) throw new TypeError(`${address}: ${all.map((each) => each.says).join('; ')}`);
  return deviation;
};

const operation = (name: string) => {
  const named = specification.operations.find((each) => each.name === name);
  if (named === undefined) throw new TypeError(`no operation ${name}`);
  return named;
};

/** What a request holds once a value of it tells the deviation. */
function telling(
  deviation: Deviation,
  name: string,
  content: Value = { seats: 4, opens: '08:00' },
): Request | undefined {
  const request = {
    ...{ operation: operation(name), url: '', path: { id: 'hall' }, query: {}, headers: {}, credentials: [] },
    content,
  } as Request;
  return withTellingValue(deviation, request, new Pool(specification, seeded(1)));
}

describe('a value that tells a shape from what it is got wrong as', () => {
  it('is the bound itself, if the bound is one less', () => {
    const request = telling(found('resources.Room.fields.seats.maximum', 'it is 199'), 'put');
    expect(request?.content).toEqual({ seats: 200, opens: '08:00' });
  });

  it('is given in each member that has the named shape', () => {
    const deviation = found('resources.Clock.pattern', 'it is left out');
    expect(holding(deviation.said, specification)).toEqual([operation('put')]);
    expect(telling(deviation, 'put')?.content).toMatchObject({
      opens: expect.not.stringMatching(/^[0-2][0-9]:[03]0$/),
    });
  });

  it('is in the path, if the path has the identifier', () => {
    const request = telling(found('resources.Room.fields.id.pattern', 'it is left out'), 'put');
    expect(request?.path['id']).not.toMatch(/^[a-z]{2,6}$/);
  });

  it('is in the query', () => {
    const request = telling(
      found('endpoints["GET /rooms"].request.query.count.maximum', 'it is left out'),
      'list',
    );
    expect(request?.query['count']).toBeGreaterThan(30);
  });

  it('is none, if a member need not be there by one of the two', () => {
    expect(telling(found('resources.Room.required', 'element 2 is left out'), 'put')?.content).toEqual({
      seats: 4,
    });
  });

  it('is in a body that has a name of its own', () => {
    const content = { hours: 2, by: 'ann' };
    const minimum = telling(
      found('resources.Booking.fields.hours.minimum', 'it is left out'),
      'book',
      content,
    );
    expect(minimum?.content).toMatchObject({ by: 'ann', hours: 0 });
    expect(telling(found('resources.Booking.required', 'it is left out'), 'book', content)?.content).toEqual({
      hours: 2,
    });
  });

  it('is of no other kind of statement', () => {
    const deviation = deviationsOf(specification).find(({ said }) => said.address.startsWith('errors.'));
    expect(deviation && telling(deviation, 'put')).toBeUndefined();
  });
});

describe('how often requests alike read a statement', () => {
  const quoted = specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
authentication: (none)
errors: { codes: { full: { when: quota exceeded notes, status: 409 }, wrong: { when: invalid, status: 422 }, unread: { when: malformed, status: 400 } } }
limits: { quotas: { notes: { of: Note, allow: 7 } } }
`);
  const allowing = deviationsOf(quoted).find(({ said }) => said.address === 'limits.quotas.notes.allow');

  it('is counted for each amount that is left of a quota', () => {
    const suspect = new Suspect(allowing as Deviation);
    const asked = askedIn(quoted).find(({ answer }) => answer.status === 201) as Asked;
    const leaving = (left: number): Asked => ({ ...asked, decided: () => [`${left} left`] });
    suspect.compare(leaving(2));
    expect(suspect.readsLike(leaving(2))).toBe(1);
    expect(suspect.readsLike(leaving(0))).toBe(0);
  });

  it('knows how much is left of a quota', () => {
    const add = quoted.operations.find(({ name }) => name === 'add') as Operation;
    const quota = stated(stated(stated(quoted.limits)?.quotas)?.get('notes') as Said<object>);
    const world = begunWorld(quoted);
    const explorer = exploring(new Pool(quoted, seeded(1)), url);
    const candidate = explorer.usual(world, world.received, [add]);
    expect(candidate.decided(quota as object)).toEqual(['2 left']);
  });
});
