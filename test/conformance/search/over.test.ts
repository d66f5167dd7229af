import { expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Note: { identifier: id, fields: { id: { type: string } } }
endpoints:
  PUT /notes/{id}: { does: create Note, response: 201 }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
`);

it('a walk ends once its time is over, however few requests it has', () => {
  let left = 3;
  const isOver = (): boolean => left-- <= 0;
  expect(walk(begunWorld(specification), [], seeded(1), 40, { isOver }).requests.length).toBe(3);
  expect(walk(begunWorld(specification), [], seeded(1), 40).requests.length).toBe(40);
});
