import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Unknown, unknown } from '../../src/semantics/value/value.ts';
import { everyWay } from '../../src/semantics/world/ways.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { read } from '../../src/specification/read.ts';
import { specificationOf } from '../service/served.ts';

describe('the ways in which a request may go', () => {
  it('are all that follow from what is not known, and each is gone once', () => {
    const found = everyWay(
      (ways) => [ways.decide(true), ways.decide(unknown([])) ? ways.choose(3) : 'no', ways.choose(1)],
      10,
    );
    expect(found).toEqual([
      [true, 0, 0],
      [true, 1, 0],
      [true, 2, 0],
      [true, 'no', 0],
    ]);
  });

  it('are none if there are more than are wanted', () => {
    expect(everyWay((ways) => [ways.choose(3), ways.choose(3)], 8)).toBe(null);
  });
});

const document = (order: string): string => `
tacet: 1
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, text: { type: string, maxLength: 3 } }
endpoints:
  others: refuse
  PUT /notes/{id}: { does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
errors:
  codes:
    none:  { when: unknown Note, status: 404 }
    unfit: { when: invalid, status: 422 }
${order}
`;

/** What is said of a request to change a note that is not there, to a text that does not fit. */
function differences(order: string, status: number): readonly string[] {
  const world = new World(specificationOf(document(order)));
  const [operation] = world.specification.operations as [Operation];
  const content = { text: 'much' };
  const steps = step(world, {
    operation,
    path: { id: 'a' },
    query: {},
    headers: {},
    credentials: [],
    content,
    url: 'http://a',
  });
  const { differences } = judge(steps, { status, headers: {}, body: undefined });
  return differences.map(({ expected, found }) => `${expected}, not ${String(found)}`);
}

describe('a request that a row refuses whose status is open', () => {
  it('may have any status', () => {
    const open = document('').replace('when: unknown Note, status: 404', 'when: unknown Note');
    const world = new World(specificationOf(open));
    const [operation] = world.specification.operations as [Operation];
    const request = {
      operation,
      path: { id: 'a' },
      query: {},
      headers: {},
      credentials: [],
      content: {},
      url: '',
    };
    for (const status of [404, 400, 410])
      expect(judge(step(world, request), { status, headers: {}, body: undefined }).differences).toEqual([]);
  });
});

describe('a request that two conditions refuse', () => {
  it('is answered by any of them, if no order is stated', () => {
    expect([404, 422].map((status) => differences('', status))).toEqual([[], []]);
    expect(differences('', 400)).toEqual(['404, not 400']);
  });

  it('is answered by the one that comes first in a stated order', () => {
    expect(differences('  order: [unfit, none]', 422)).toEqual([]);
    expect(differences('  order: [unfit, none]', 404)).toEqual(['422, not 404']);
  });
});

describe('an update that leaves every value as it was', () => {
  const notes = (same: string): string => `
tacet: 1
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  PUT /notes/{id}:
    does: { update: Note${same} }
    request: { body: Note }
    response: [{ when: changed, status: 200 }, { when: unchanged, status: 204 }]
`;

  /** Which of the statuses are right. */
  const right = (same: string): readonly number[] =>
    [200, 204].filter((status) => {
      const empty = new World(specificationOf(notes(same)));
      const [create, update] = empty.specification.operations as [Operation, Operation];
      const made = {
        operation: create,
        path: {},
        query: {},
        content: { id: 'a', text: 'x' },
        headers: {},
        credentials: [],
        url: 'http://a',
      };
      const { world } = judge(step(empty, made), { status: 201, headers: {}, body: undefined });
      const again = {
        operation: update,
        path: { id: 'a' },
        query: {},
        content: { text: 'x' },
        headers: {},
        credentials: [],
        url: 'http://a',
      };
      return (
        judge(step(world as World, again), { status, headers: {}, body: undefined }).differences.length === 0
      );
    });

  it('is what `same` states, and a choice without it (language §H.2)', () => {
    expect(right(', same: unchanged')).toEqual([204]);
    expect(right(', same: changed')).toEqual([200]);
    expect(right('')).toEqual([200, 204]);
  });
});

describe('a document whose first items cannot be made', () => {
  it('says nothing of a request', () => {
    const text = document('').replace(
      'fields: { id: { type: string },',
      'items: [{ id: a }]\n    fields: { n: { type: integer, set: { create: "${int(this.id)}" } }, id: { type: string },',
    );
    // `check` refuses it, but an implementation may deviate so.
    const world = new World(read('service.yaml', text).specification);
    const [operation] = world.specification.operations as [Operation];
    const request = { operation, path: { id: 'a' }, query: {}, headers: {}, credentials: [], content: {} };
    const steps = step(world, { ...request, url: '' });
    expect(steps.map(({ prediction }) => prediction.status)).toEqual([expect.any(Unknown)]);
  });
});
