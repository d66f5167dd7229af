import { expect, it } from 'vitest';
import { exploring } from '../../../src/conformance/explore/explorer.ts';
import { unseenIn } from '../../../src/conformance/explore/leading.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { beginsMs, begunWorld } from '../../../src/conformance/search/simulate.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { Range } from '../../../src/semantics/value/value.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

/** A mark is approved before it is sealed; whoever makes one is told the codes of all things. */
const specification = specificationOf(`
complete: true
resources:
  Thing: { identifier: id, fields: { id: { type: string }, code: { type: string, set: { create: "\${random(4)}" } } } }
  Mark:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, status: { type: string } }
states:
  Mark.status: { states: [new, ready, sealed], initial: new, transitions: { approve: { from: new, to: ready }, seal: { from: ready, to: sealed } } }
endpoints:
  others: refuse
  POST /things: { operation: keep, does: create Thing, request: { body: Thing }, response: 204 }
  POST /marks: { operation: mark, does: create Mark, response: { status: 201, body: { id: "\${this.id}", codes: "\${Thing.map(t, t.code)}" } } }
  POST /marks/{id}/approval: { operation: approve, does: approve Mark, response: 204 }
  POST /marks/{id}/seal: { operation: seal, does: seal Mark, response: 204 }
`);

it('what is tried in memory shows nothing of what the service made before', () => {
  const operationNamed = (name: string) => specification.operations.find((each) => each.name === name);
  const received = { at: new Range(beginsMs, beginsMs + 1), offMs: 0 };
  const pool = new Pool(specification, seeded(1));
  const [keep, seal] = [operationNamed('keep'), operationNamed('seal')];
  if (!keep || !seal) throw new TypeError('no such operation');
  const request = { operation: keep, path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' };
  const world = step(begunWorld(specification), { ...request, content: { id: 'a' } }, received).at(-1)
    ?.world as World;
  const before = unseenIn(world);
  const explorer = exploring(pool, 'http://a');
  const ways = Array.from({ length: 8 }, () => explorer.leadingTo(seal, world, received));
  expect(ways.some((way) => way?.request.operation.name === 'mark')).toBe(true);
  expect(unseenIn(world)).toEqual(before);
  expect(before.some(({ form }) => form !== 'time')).toBe(true);
});
