import { expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { planFrom } from '../../../src/conformance/search/plan.ts';
import { beginsMs, begunWorld } from '../../../src/conformance/search/simulate.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { Range } from '../../../src/semantics/value/value.ts';
import { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Fine:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, sum: { type: integer, minimum: 1 } }
    required: [sum]
endpoints:
  others: refuse
  POST /fines: { does: create Fine, request: { body: Fine }, response: 204 }
  GET /fines: { does: { list: Fine, order: [id] }, response: { status: 200, body: "\${Fine(page.items)}" } }
  GET /fines/{id}: { does: read Fine, response: { status: 200, body: Fine } }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 }, none: { when: unknown, status: 404 } } }
`);

/** What is known of a service that made a fine, and did not show its number. */
function withFine(): World {
  const [operation] = specification.operations;
  if (operation === undefined) throw new TypeError('no operation');
  const nothing = { path: {}, query: {}, headers: {}, credentials: [], url: 'http://localhost' };
  const request = { ...nothing, operation, content: { sum: 3 } };
  const world = begunWorld(specification).at({ at: new Range(beginsMs, beginsMs), offMs: 0 });
  const after = judge(step(world, request), { status: 204, headers: {}, body: undefined }).world;
  if (after === null) throw new TypeError('nothing is known');
  return after;
}

it('what answers in memory show of a service that is there is forgotten', async () => {
  const begun = withFine();
  const unseen = begun.madeSince(new World(specification));
  const options = { seed: 1, budgetMs: 300, patienceMs: 0 };
  const found = await planFrom(begun, deviationsOf(specification), options);
  expect(unseen.length).toBeGreaterThan(0);
  expect(unseen.filter(({ bound }) => bound !== undefined)).toEqual([]);
  expect(found.flatMap(({ told }) => [...told.keys()]).length).toBeGreaterThan(20);
  // Its number is sent once an answer of the run has shown it.
  const paths = found.flatMap(({ requests }) => requests.map(({ path }) => path['id']));
  expect(paths.some((id) => unseen.some((made) => made === id))).toBe(true);
});
