import { expect, it } from 'vitest';
import { takenBody } from '../../../src/conformance/explore/bodies.ts';
import { Pool } from '../../../src/conformance/explore/pool.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Value } from '../../../src/semantics/value/value.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Room:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, name: { type: string, unique: caseless }, size: { type: integer } }
endpoints:
  POST /rooms: { does: create Room, request: { body: Room }, response: 201 }
`);

it('what only one item may have is taken as it is, and in other case', () => {
  const world = new World(specification);
  world.create('Room', new Map<string, Value>(Object.entries({ id: 1, name: 'hall', size: 4 })));
  const pool = new Pool(specification, seeded(1));
  const [operation] = specification.operations as [Operation];
  const bodies = Array.from({ length: 40 }, () =>
    JSON.stringify(takenBody({ name: 'door', size: 2 }, operation, world, pool)),
  );
  expect(new Set(bodies)).toEqual(new Set(['{"name":"hall","size":2}', '{"name":"HALL","size":2}']));
});
