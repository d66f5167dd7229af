import { describe, expect, it } from 'vitest';
import type { Deviation } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { plan } from '../../../src/conformance/search/plan.ts';
import { judgesIn, withTellingValue } from '../../../src/conformance/search/telling-values.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Value } from '../../../src/semantics/value/value.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Clock: { identifier: (none), type: string, pattern: "^[0-2][0-9]:[03]0$" }
  Room:
    identifier: id
    fields:
      id: { type: string, pattern: "^[a-z]{2,6}$" }
      seats: { type: integer, minimum: 1, maximum: 200 }
      opens: Clock
    required: [seats, opens]
endpoints:
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
function telling(deviation: Deviation, name: string): Request | undefined {
  const request = {
    ...{ operation: operation(name), url: '', path: { id: 'hall' }, query: {}, headers: {}, credentials: [] },
    content: { seats: 4, opens: '08:00' } as Value,
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
    expect(judgesIn(deviation, operation('put'), specification)).toBe(true);
    expect(judgesIn(deviation, operation('list'), specification)).toBe(false);
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

  it('is of no other kind of statement', () => {
    const deviation = deviationsOf(specification).find(({ said }) => said.address.startsWith('errors.'));
    expect(deviation && telling(deviation, 'put')).toBeUndefined();
  });
});

describe('a search', () => {
  it('sees what a quota allows, however often it was not used up', () => {
    const { told, untold } = plan(
      specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  DELETE /notes/{id}: { operation: drop, does: delete Note, response: 204 }
authentication: (none)
errors: { codes: { full: { when: quota exceeded notes, status: 409 }, wrong: { when: invalid, status: 422 }, unread: { when: malformed, status: 400 }, none: { when: unknown Note, status: 404 } } }
limits: { quotas: { notes: { of: Note, allow: 7 } } }
`),
      { budgetMs: 1500 },
    );
    const ofQuota = (deviation: Deviation): boolean => deviation.said.address === 'limits.quotas.notes.allow';
    const left = untold.filter(({ deviation }) => ofQuota(deviation)).map(({ deviation }) => deviation.says);
    expect(left).toEqual([]);
    expect([...told.keys()].filter(ofQuota).map(({ says }) => says)).toEqual(
      expect.arrayContaining(['it is 6', 'it is 8']),
    );
  });
});
