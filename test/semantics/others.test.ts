import { expect, it } from 'vitest';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Bin: { identifier: id, fields: { id: { type: string }, isOld: { type: boolean } } }
  Lid: { identifier: id, fields: { id: { type: string }, of: { refers: Bin, ifDeleted: delete } } }
  Label: { identifier: id, fields: { id: { type: string }, on: { refers: Lid, ifDeleted: refuse } } }
endpoints:
  others: refuse
  DELETE /bins: { operation: clear, does: delete every Bin, response: 204 }
  DELETE /none: { operation: clearNone, does: { delete: every Bin, where: "\${false}" }, response: 204 }
  DELETE /labels: { operation: clearLabels, does: delete every Label, response: 204 }
  POST /labels:
    operation: add
    does: create Label
    also: [{ delete: every Bin, where: "\${this.isOld}" }]
    request: { body: Label }
    response: 201
authentication: (none)
errors: { codes: { used: { when: in use, status: 409 }, unfit: { when: invalid, status: 422 } } }
`);

/** The statuses of which each may be sent, where others use the service, too. */
function statuses(name: string, isShared: boolean, content?: Request['content']): readonly unknown[] {
  const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
  const request = { operation, path: {}, query: {}, headers: {}, credentials: [], content, url: 'http://a' };
  const steps = step(new World(specification, { isShared }), request);
  return [...new Set(steps.flatMap(({ prediction: { status } }) => [status].flat()))].toSorted();
}

it('what others made may be in use, if all is deleted (language §H.2, rule 13)', () => {
  expect(statuses('clear', true)).toEqual([204, 409]);
  expect(statuses('clear', false)).toEqual([204]);
  expect(statuses('clearNone', true)).toEqual([204]);
  expect(statuses('clearLabels', true)).toEqual([204]);
});

it('so may it be of what is deleted besides', () => {
  expect(statuses('add', false, { id: 'a' })).toEqual([201]);
  expect(statuses('add', true, { id: 'a' })).toContain(409);
});
