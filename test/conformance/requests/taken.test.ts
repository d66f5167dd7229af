import { expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { takenBody } from '../../../src/conformance/requests/bodies.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Value } from '../../../src/semantics/value/value.ts';
import { itemOf, World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import type { Resource } from '../../../src/specification/vocabulary/parts/resources.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Account: { identifier: name, fields: { name: { type: string }, key: { type: string, secret: hashed } } }
  Room:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, name: { type: string, unique: caseless }, size: { type: integer } }
  Shelf:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, owner: { refers: Account, set: { create: "\${actor}" } }, label: { type: string } }
    unique: [{ fields: [owner, label], caseless: true }]
endpoints:
  POST /rooms: { does: create Room, request: { body: Room }, response: 201 }
  POST /shelves: { does: create Shelf, request: { body: Shelf }, response: 201 }
authentication:
  schemes: { key: { type: http, scheme: bearer, credentials: { kept: Account.key }, actor: Account } }
`);
const [rooms, shelves] = specification.operations as [Operation, Operation];

function asking(operation: Operation, secret: string): Request {
  const credentials = [{ scheme: 'key', value: secret }];
  return { operation, path: {}, query: {}, headers: {}, credentials, content: undefined, url: '' };
}

const membersOf = (given: Readonly<Record<string, Value>>) => new Map(Object.entries(given));

it('what only one item may have is taken as it is, and in other case', () => {
  const world = new World(specification);
  world.create('Room', membersOf({ id: 1, name: 'hall', size: 4 }));
  const pool = new Pool(specification, seeded(1));
  const bodies = Array.from({ length: 40 }, () =>
    JSON.stringify(takenBody({ name: 'door', size: 2 }, asking(rooms, 'x'), world, pool)),
  );
  expect(new Set(bodies)).toEqual(new Set(['{"name":"hall","size":2}', '{"name":"HALL","size":2}']));
});

it('what only one item of a client may have is mostly taken as one of its own has it', () => {
  const world = new World(specification);
  const account = specification.resourcesByName.get('Account') as Resource;
  for (const name of ['ann', 'bob']) {
    const stored = world.create('Account', membersOf({ name, key: `key of ${name}` }));
    world.create('Shelf', membersOf({ id: 1, owner: itemOf(stored, account), label: `${name}s` }));
  }
  const pool = new Pool(specification, seeded(1));
  const labels = Array.from({ length: 200 }, () =>
    JSON.stringify(takenBody({ label: 'new' }, asking(shelves, 'key of bob'), world, pool)),
  );
  const ofBob = labels.filter((label) => label.toLowerCase().includes('bobs'));
  expect(new Set(ofBob)).toEqual(new Set(['{"label":"bobs"}', '{"label":"BOBS"}']));
  expect(ofBob.length).toBeGreaterThan(150);
});
