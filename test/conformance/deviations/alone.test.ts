import { expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { specificationOf } from '../../service/served.ts';

const namesOf = (payment: string): readonly string[] => {
  const specification = specificationOf(`
complete: true
resources:
  Order:
    identifier: id
    fields: { id: { type: string }, amount: { type: integer }, hours: { type: integer, minimum: 1 }, status: { type: string } }
states:
  Order.status: { states: [new, paid], initial: new, transitions: { pay: { from: new, to: paid } } }
endpoints:
  others: refuse
  POST /orders: { operation: order, does: create Order, request: { body: Order }, response: 201 }
  PATCH /orders/{id}: { operation: change, does: update Order, request: { body: Order }, response: 204 }
  POST /orders/{id}/payment: { operation: pay, does: pay Order, request: ${payment}, response: 204 }
`);
  return deviationsOf(specification)
    .map((each) => nameOf(each))
    .filter((name) => name.startsWith('resources.Order.fields.hours.minimum') && name.endsWith('alone'));
};

it('a keyword is got wrong alone only in an operation that may give its field', () => {
  const others = ['order', 'change'].map(
    (name) => `resources.Order.fields.hours.minimum: it is left out, in ${name} alone`,
  );
  const own = 'resources.Order.fields.hours.minimum: it is left out, in pay alone';
  expect(namesOf('{ body: { fields: { amount: { type: integer } } } }')).toEqual(others);
  expect(namesOf('{ body: { fields: { hours: { type: integer } } } }')).toEqual([...others, own]);
  expect(namesOf('{ body: { fields: { amount: { type: integer } }, others: keep } }')).toEqual([
    ...others,
    own,
  ]);
});
