import { expect, it } from 'vitest';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

/** A list of orders, whose answers are worked out of what the service makes. */
const orders = (body: string): string => `
tacet: 1
complete: true
resources:
  Order:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, into: { type: string }, lines: { type: array } }
endpoints:
  protocol: RFC 9110
  POST /orders: { operation: order, does: create Order, request: { body: Order }, response: { status: 201, body: "\${${body}}" } }
authentication: (none)
`;

const id = '7f2c1e0a-3b4d-4c5e-8f60-718293a4b5c6';

it.each([
  ["merge(Order(this), {'tax': 2})", { id, into: 'de', tax: 2 }, { id, into: 'de', tax: 3 }],
  ["pick(Order(this), ['into'])", { into: 'de' }, { id, into: 'de' }],
  ["omit(Order(this), ['id'])", { into: 'de' }, { into: 'el' }],
  ["{'names': keys(Order(this))}", { names: ['id', 'into'] }, { names: ['into', 'id'] }],
  ["object([['id', this.id], ['of', this.into]])", { id, of: 'de' }, { id: 'x', of: 'de' }],
  ["{'line': [this.into, this.id, 'x'].join('-')}", { line: `de-${id}-x` }, { line: `de-${id}` }],
])('of %s all is known but what the service makes', (body, right, wrong) => {
  const found = (answer: Json): number =>
    asking(specificationOf(orders(body)))('order', { content: { into: 'de' } }, { status: 201, body: answer })
      .length;
  expect([found(right), found(wrong) > 0]).toEqual([0, true]);
});
