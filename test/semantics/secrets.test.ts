import { expect, it } from 'vitest';
import { Forgotten, unknown, type Value } from '../../src/semantics/value/value.ts';
import { Moment } from '../../src/semantics/world/moment.ts';
import { itemOf, World } from '../../src/semantics/world/world.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
resources:
  Device:
    identifier: id
    fields: { id: { type: string }, token: { type: string, secret: hashed } }
`);

/** What an expression reads of a token that is stored so. */
function read(token: Value): Value {
  const world = new World(specification);
  const stored = world.create(
    'Device',
    new Map<string, Value>([
      ['id', 'a'],
      ['token', token],
    ]),
  );
  const resource = specification.resourcesByName.get('Device') as Resource;
  return new Moment(world, {}).member(itemOf(stored, resource), 'token');
}

it('a secret is read only where it was made just now (language §2.2, rule 5)', () => {
  expect(read('secret')).toBeNull();
  expect(read(new Forgotten())).toBeNull();
});

it('whether a secret is read of which nothing is known, is not known', () => {
  const token = unknown([]);
  expect(read(token)).toBe(token);
});
