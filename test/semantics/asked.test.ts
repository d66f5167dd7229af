import { describe, expect, it } from 'vitest';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

const notes = specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string, maxLength: 3 } } }
endpoints:
  others: ignore
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    request: { query: { since: { type: string, filter: (open) which notes are left out? } } }
    response: { status: 200, body: "\${page.items.map(n, n.id)}" }
  POST /notes/{id}/pin:
    operation: pin
    does: (open) what does it do?
    request:
      path: { id: Note.id as note }
      body: { fields: { place: { type: integer, minimum: 1 } }, required: [place] }
    response: 200
authentication:
  schemes: { key: { type: apiKey, in: header, name: Key, credentials: operator } }
  authorization: { add: anyone, list: anyone, pin: known }
errors:
  codes:
    unfit: { when: [malformed, invalid], status: 422 }
    unknown: { when: unknown, status: 404 }
    unauthenticated: { when: not authenticated, status: 401 }
`);

describe('a parameter of a list of which it is open what it does', () => {
  it('leaves it unknown what is shown, if it is given', () => {
    const ask = asking(notes);
    expect(
      ask('add', { content: { id: 'a', text: 'tea' } }, { status: 201, body: { id: 'a', text: 'tea' } }),
    ).toEqual([]);
    expect(ask('list', {}, { body: [] })).toEqual(['body']);
    expect(ask('list', { query: { since: 'b' } }, { body: [] })).toEqual([]);
    expect(ask('list', { query: { since: 'b' } }, { status: 400 })).toEqual([]);
    expect(ask('list', {}, { status: 400 })).toEqual(['status']);
  });
});

/** The least status that may come of pinning a note; undefined: any may. */
function statusOf(given: Partial<Request>, of: Specification = notes): number | undefined {
  const world = new World(of);
  world.operators = [{ scheme: 'key', name: 'ann', secret: 'secret' }];
  const named = (name: string) => of.operations.find((each) => each.name === name) as Request['operation'];
  const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
  const [added] = step(world, { ...usual, operation: named('add'), content: { id: 'a', text: 'tea' } });
  const headers = { 'content-type': 'application/json' };
  const known = {
    headers,
    credentials: [{ scheme: 'key', value: 'secret' }],
    path: { id: 'a' },
    content: { place: 1 },
  };
  const steps = step(added?.world as World, { ...usual, operation: named('pin'), ...known, ...given });
  const least = steps.map(({ prediction: { status } }) =>
    status instanceof Unknown ? 0 : Math.min(...status),
  );
  return Math.min(...least) || undefined;
}

describe('a request to an operation of which it is open what it does', () => {
  it('comes to nobody knows what', () => {
    expect(statusOf({})).toBeUndefined();
  });

  it.each<[string, Partial<Request>]>([
    ['it has no credential', { credentials: [] }],
    ['it does not fit its shape', { content: { place: 0 } }],
    ['its content cannot be read', { content: undefined }],
    ['its path names an item that is not there', { path: { id: 'b' } }],
  ])('is refused if %s', (_, given) => {
    expect(statusOf(given)).toBe(400);
  });
});
