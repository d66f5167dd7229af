import { expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Step } from '../../src/semantics/request/request.ts';
import { Text } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

/** Where the answer to each new order is not what it may be, in turn: its identifier is this expression. */
function differences(
  expression: string,
  type: string,
  answers: readonly Json[],
): readonly (readonly string[])[] {
  const specification = specificationOf(`
complete: true
resources:
  Order: { identifier: id, fields: { id: { type: ${type}, set: { create: "\${${expression}}" } } } }
endpoints:
  others: refuse
  POST /orders: { operation: add, does: create Order, request: { body: Order }, response: { status: 201, body: "\${this.id}" } }
  GET /orders/{id}: { operation: show, does: read Order, response: { status: 200, body: "\${this.id}" } }
errors: { codes: { unknown: { when: unknown, status: 404 } } }
`);
  const ask = asking(specification);
  return answers.flatMap((body) => [
    ask('add', { content: {} }, { status: 201, body }),
    ask('show', { path: { id: body as string } }, { body }),
  ]);
}

it('numbers of a sequence may stand in a text, and be counted from another number', () => {
  const none = [[], [], [], []];
  expect(differences("'ORD-' + string(sequence())", 'string', ['ORD-1', 'ORD-2'])).toEqual(none);
  expect(differences('string(sequence())', 'string', ['1', '3'])).toEqual(none);
  expect(differences("'AC' + string(1000 + sequence())", 'string', ['AC1001', 'AC1002'])).toEqual(none);
  expect(differences('sequence() - 1', 'integer', [0, 1])).toEqual(none);
});

it('such a number is told from what is none, and from one that came before', () => {
  expect(differences("'ORD-' + string(sequence())", 'string', ['ORD-x']).at(0)).toEqual(['body']);
  expect(differences('string(sequence())', 'string', [1]).at(0)).toEqual(['body']);
  expect(differences("'ORD-' + string(sequence())", 'string', ['ORD-1', 'ORD-1']).at(2)).toEqual(['body']);
});

it('a number that was worked out from it tells the number, and the other way round', () => {
  const world = new World(specificationOf('{}'));
  const number = world.make('integer', 'sequence');
  expect(number.shifted(1000).shifted(-1)).toBe(number.shifted(999));
  expect(number.shifted(999).shifted(-999)).toBe(number);
  number.shifted(1000).bound = 1007;
  expect([number.bound, number.shifted(-1).bound]).toEqual([7, 6]);
  expect(world.make('integer', 'sequence').shifted(1000).wasShown(1007)).toBe(true);
});

it('an answer that shows it twice shows the same number', () => {
  const world = new World(specificationOf('{}'));
  const differencesOf = (body: Json): readonly string[] => {
    const number = world.make('integer', 'sequence').shifted(1000);
    const text = new Text(['AC', number]);
    const prediction = { status: [200], headers: {}, body: { number, text, again: text }, by: 'endpoints' };
    const { differences } = judge([{ prediction, world, events: [] } as unknown as Step], {
      ...{ status: 200, headers: {}, body },
    });
    return differences.map(({ at }) => at);
  };
  expect(differencesOf({ number: 1001, text: 'AC1001', again: 'AC1001' })).toEqual([]);
  expect(differencesOf({ number: 1002, text: 'AC1002', again: 'AC1003' })).toEqual(['body.again']);
  expect(differencesOf({ number: 1004, text: 'AC1005', again: 'AC1004' })).toEqual(['body.text']);
});
