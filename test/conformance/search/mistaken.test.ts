import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { atBound, inAnotherMedia, meeting, rowsOf } from '../../../src/conformance/search/meeting.ts';
import { withMistakenValue } from '../../../src/conformance/search/mistaken.ts';
import { begunWorld, url } from '../../../src/conformance/search/simulate.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Room:
    identifier: id
    fields: { id: { type: string, pattern: "^[a-z]+$" }, name: { type: string }, code: { type: string, pattern: "^[a-z]+$" }, seats: { type: integer }, open: { type: boolean } }
    required: [name]
endpoints:
  others: refuse
  PUT /rooms/{id}: { operation: put, does: { create: Room, present: replace }, request: { body: Room }, response: { status: 200, body: Room } }
  PATCH /rooms/{id}: { operation: change, does: update Room, request: { body: { of: Room, shows: [name], minProperties: 1 } }, response: { status: 200, body: Room } }
  GET /rooms: { operation: list, does: list Room, request: { query: { seats: { type: integer, filter: seats } } }, response: { status: 200, body: "\${Room(page.items)}" } }
authentication: (none)
errors: { codes: { wrong: { when: invalid, status: 422 }, large: { when: too large, status: 413 }, other: { when: unsupported media, status: 415 } } }
limits: { sizes: { body: 1 KiB } }
`);

const deviations = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));
const world = begunWorld(specification);
const pool = new Pool(specification, seeded(1));

function requestTo(name: string, content?: Request['content'], id = 'hall'): Request {
  const operation = specification.operations.find((each) => each.name === name);
  if (operation === undefined) throw new TypeError(`no operation ${name}`);
  const path = operation.path.length > 1 ? { id } : {};
  return { operation, path, query: {}, headers: {}, credentials: [], content, url };
}

function mistaken(name: string, request: Request): Request | undefined {
  const deviation = deviations.get(name);
  if (deviation === undefined) throw new TypeError(`no deviation: ${name}`);
  return withMistakenValue(deviation, request, world, pool);
}

describe('a request that shows a mistake', () => {
  const put = requestTo('put', { name: 'Blue' });
  const inBody = (says: string): unknown =>
    mistaken(`endpoints["PUT /rooms/{id}"].request.body: ${says}`, put)?.content;

  it.each([
    ['spaces are cut off around name', { name: ' Blue ' }],
    ['capitals are made small in code', { name: 'Blue', code: expect.stringMatching(/^[A-Z]+$/) }],
    ['characters past the tenth are cut off in name', { name: expect.stringMatching(/^Bluexxxxxx.+$/) }],
    ['nothing is stored for an empty name', { name: '' }],
    ['nothing is stored for a zero seats', { name: 'Blue', seats: 0 }],
    ['nothing is stored for a false open', { name: 'Blue', open: false }],
  ])('gives the value that is changed: %s', (says, content) => {
    expect(inBody(says)).toEqual(content);
  });

  it('gives a parameter where nobody looks at it', () => {
    const name = 'endpoints["GET /rooms"].request.query: seats is not looked at where it is 0';
    expect(mistaken(name, requestTo('list'))?.query).toEqual({ seats: 0 });
  });

  it('gives a member that the body does not show, or none', () => {
    const change = requestTo('change', { name: 'Blue' });
    const body = 'endpoints["PATCH /rooms/{id}"].request.body';
    const hidden = mistaken(`${body}.shows: it is left out`, change)?.content ?? {};
    expect(Object.keys(hidden)).toHaveLength(2);
    expect(mistaken(`${body}.minProperties: it is left out`, change)?.content).toEqual({});
  });

  it('is made for no other deviation', () => {
    expect(mistaken('endpoints["PUT /rooms/{id}"].does: it is done twice', put)).toBeUndefined();
  });
});

describe('a request that is refused for its content', () => {
  const put = requestTo('put', { name: 'Blue' });
  const status = (request: Request) => step(world, request).map(({ prediction }) => prediction.status);

  it.each(['large', 'other'])('meets the row %s', (code) => {
    const row = rowsOf(specification).get(code);
    if (row === undefined) throw new TypeError('there is no such row');
    expect(status(meeting(row, put, world, pool))).toEqual([[code === 'large' ? 413 : 415]]);
  });

  it('is as large as it may be, and no larger', () => {
    expect(status(atBound(put, pool, 0))).toEqual([[200]]);
    expect(status(atBound(put, pool, 1))).toEqual([[413]]);
  });

  it('has content', () => {
    expect(inAnotherMedia(requestTo('list'), pool).headers).toEqual({});
    expect(atBound(requestTo('list'), pool, 1).leastBytes).toBeUndefined();
  });
});
