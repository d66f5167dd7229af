import { expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';
import { walk } from './walking.ts';

const specification = specificationOf(`
complete: true
resources:
  Device:
    identifier: id
    fields:
      id: { type: string }
      name: { type: string }
      turn: { type: integer, set: { create: "\${sequence()}" } }
      token: { type: string, secret: hashed, set: { create: "\${'dev_' + random(24)}" } }
endpoints:
  others: refuse
  POST /devices: { operation: add, does: create Device, request: { body: Device }, response: 201 }
  POST /devices/{id}/token:
    operation: renew
    does: { update: Device, with: { token: "\${'dev_' + random(24)}", turn: "\${sequence()}" } }
    response: { status: 200, body: { token: "\${this.token}", turn: "\${this.turn}" } }
  POST /devices/{id}/name:
    operation: rename
    does: { update: Device, with: { name: "\${unique('hall')}" } }
    response: { status: 200, body: "\${this.name}" }
errors: { codes: { unfit: { when: invalid, status: 422 } } }
`);

/** Devices of which the semantics are told by the answers. */
function begin() {
  let world = new World(specification);
  return (name: string, id: string | null, status: number, body?: Json): readonly string[] => {
    const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
    const [path, content] = id === null ? [{}, body] : [{ id }, undefined];
    const asked = { operation, path, query: {}, headers: {}, credentials: [], content, url: 'http://a' };
    const answer = { status, headers: {}, body: id === null ? undefined : body };
    const { next, differences } = judge(step(world, asked), answer);
    world = next as World;
    return differences.map(({ at }) => at);
  };
}

it('a change gives what the service makes (language §G.4)', () => {
  const ask = begin();
  expect(ask('add', null, 201, { id: 'a', name: 'hall' })).toEqual([]);
  expect(ask('renew', 'a', 200, { token: 'dev_123456789012345678901234', turn: 2 })).toEqual([]);
  expect(ask('renew', 'a', 200, { token: 'dev_123456789012345678901234', turn: 2 })).toEqual([
    'body.token',
    'body.turn',
  ]);
});

it('a text that is to be unique is compared with those of other items', () => {
  const ask = begin();
  ask('add', null, 201, { id: 'a', name: 'hall' });
  ask('add', null, 201, { id: 'b', name: 'door' });
  expect(ask('rename', 'a', 200, 'hall')).toEqual([]);
  expect(ask('rename', 'b', 200, 'hall')).toEqual(['body']);
});

it('a member of an item that it lacks, and one of the body that is not given, are null (language §H.3, rule 13)', async () => {
  const walked = await walk(
    `
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string }, size: { type: [integer, "null"] } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  POST /notes/{id}/copies/{as}:
    operation: copy
    does: { create: Note, with: { id: "\${request.path.as}", text: "\${note.text}", size: "\${request.body.size}" } }
    request: { path: { id: Note.id as note, as: { type: string } }, body: { fields: { size: { type: integer } } } }
    response: { status: 201, body: Note }
  POST /notes/{id}/bare/{as}:
    operation: copyBare
    does: { create: Note, with: { id: "\${request.path.as}", text: "\${note.text == null ? absent() : note.text}" } }
    request: { path: { id: Note.id as note, as: { type: string } } }
    response: { status: 201, body: Note }
authentication: (none)
errors: { codes: { unfit: { when: invalid, status: 422 } } }
`,
    [
      ['add', { content: { id: 'a', text: 'tea' } }],
      ['add', { content: { id: 'b' } }],
      ['copy', { path: { id: 'a', as: 'c' }, content: {} }],
      ['copy', { path: { id: 'b', as: 'd' }, content: {} }],
      ['copyBare', { path: { id: 'b', as: 'e' } }],
    ],
  );
  expect(walked.map(({ answer, differences }) => [answer.status, answer.body, ...differences])).toEqual([
    [201, { id: 'a', text: 'tea' }],
    [201, { id: 'b' }],
    [201, { id: 'c', text: 'tea', size: null }],
    [422, undefined],
    [201, { id: 'e' }],
  ]);
});

it('a member of a stored null is null, and not left out (language §H.3, rule 13)', async () => {
  const walked = await walk(
    `
complete: true
resources:
  Plan: { identifier: name, fields: { name: { type: string }, price: { type: integer } } }
  Customer: { identifier: id, fields: { id: { type: string }, plan: { refers: Plan, ifDeleted: refuse } } }
  Invoice: { identifier: id, fields: { id: { type: string }, amount: { type: integer } } }
endpoints:
  others: refuse
  POST /plans: { operation: plan, does: create Plan, request: { body: Plan }, response: 201 }
  POST /customers: { operation: join, does: create Customer, request: { body: Customer }, response: 201 }
  POST /customers/{id}/invoices/{number}:
    operation: invoice
    does: { create: Invoice, with: { id: "\${request.path.number}", amount: "\${customer.plan.price}" } }
    request: { path: { id: Customer.id as customer, number: { type: string } } }
    response: 201
authentication: (none)
errors: { codes: { failed: { when: internal, status: 500 }, unfit: { when: invalid, status: 422 } } }
`,
    [
      ['plan', { content: { name: 'team', price: 9 } }],
      ['join', { content: { id: 'a', plan: 'team' } }],
      ['join', { content: { id: 'b', plan: null } }],
      ['invoice', { path: { id: 'a', number: 'x' } }],
      ['invoice', { path: { id: 'b', number: 'y' } }],
    ],
  );
  expect(walked.map(({ answer, differences }) => [answer.status, ...differences])).toEqual([
    [201],
    [201],
    [201],
    [201],
    [422],
  ]);
});
