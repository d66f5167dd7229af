import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';
import { statusesOf } from './walking.ts';

const document = `
resources:
  Account:
    identifier: name
    fields:
      name: { type: string }
      pin: { type: string, secret: hashed }
      token: { type: string, writeOnly: true }
      address: Address
    required: [name]
  Address:
    identifier: (none)
    fields:
      town: { type: string }
      door: { type: string, readable: false }
      rooms: { type: array, items: { fields: { name: { type: string }, key: { type: string, writeOnly: true } } } }
  Card: { of: Account, shows: [name] }
endpoints:
  others: refuse
  POST /accounts: { operation: add, does: create Account, request: { body: Account }, response: { status: 201, body: Account } }
  GET /accounts: { operation: list, does: { list: Account, order: [name] }, response: { status: 200, body: { all: "\${Account(page.items)}" } } }
  GET /accounts/{name}: { operation: show, does: read Account, response: { status: 200, body: Account } }
  GET /accounts/{name}/card: { operation: card, does: read Account, response: { status: 200, body: Card } }
  DELETE /accounts/{name}: { operation: remove, does: delete Account, response: { status: 200, body: { was: "\${this.name}" } } }
authentication: (none)
errors: { codes: { unknown: { when: unknown, status: 404, body: { code: "\${error.code}" } } } }
`;
const specification = specificationOf(document);
const ann = { name: 'ann', pin: 'the-pin-of-ann', token: 'the-token', address: { town: 'Rome', door: '3b' } };
const shown = { name: 'ann', address: { town: 'Rome' } };

/** Where an answer that may show more than is listed is not what the document says. */
function places(name: string, status: number, body: Json): readonly string[] {
  const requestTo = (operation: string, content?: object): Request => ({
    operation: specification.operations.find((each) => each.name === operation) as Request['operation'],
    path: content || operation === 'list' ? {} : { name: status === 404 ? 'bob' : 'ann' },
    query: {},
    headers: {},
    credentials: [],
    content: content as Request['content'],
    url: 'http://a',
  });
  const made = judge(step(new World(specification), requestTo('add', ann)), {
    status: 201,
    headers: {},
    body: shown,
  });
  const steps = step(made.world as World, requestTo(name));
  return judge(steps, { status, headers: {}, body }, true).differences.map(({ at }) => at);
}

describe('what is not readable (language §2.2, §H.1)', () => {
  it('is shown by no answer, even where further members are permitted', () => {
    expect(places('show', 200, { ...shown, more: 1 })).toEqual([]);
    expect(places('show', 200, { ...shown, token: 'x' })).toEqual(['body.token']);
    expect(places('show', 200, { ...shown, pin: 'hash' })).toEqual(['body.pin']);
    expect(places('show', 200, { name: 'ann', address: { town: 'Rome', door: '3b' } })).toEqual([
      'body.address.door',
    ]);
    expect(places('card', 200, { name: 'ann', pin: 'x' })).toEqual(['body.pin']);
    expect(places('list', 200, { all: [{ ...shown, pin: 'x' }] })).toEqual(['body.all.0.pin']);
  });

  it('is told by its value, whatever the member is called', () => {
    expect(places('remove', 200, { was: 'ann', of: { some: ['the-pin-of-ann'] } })).toEqual([
      'body.of.some.0',
    ]);
    expect(places('remove', 200, { was: 'ann', of: { some: ['the-pin'] } })).toEqual([]);
    expect(places('show', 404, { code: 'unknown', pin: 'the-pin-of-ann' })).toEqual(['body.pin']);
  });

  it('is no member of a value at any depth', async () => {
    const rooms = [{ name: 'hall', key: 'k1' }, { key: 'k2' }];
    const content = { ...ann, address: { ...ann.address, rooms } };
    expect(
      await statusesOf(document, [['add', { content }], ['list'], ['show', { path: { name: 'ann' } }]]),
    ).toEqual([201, 200, 200]);
  });
});
