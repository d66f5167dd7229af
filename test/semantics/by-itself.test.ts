import { expect, it } from 'vitest';
import { maybeMoved } from '../../src/semantics/judge/by-itself.ts';
import { Range } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
resources: { Job: { identifier: id, fields: { id: { type: string }, status: { type: string } } } }
states:
  Job.status:
    states: [new, late, done]
    initial: new
    transitions:
      lapse:  { from: new, to: late, after: PT1H }
      finish: { from: [new, late], to: done }
endpoints:
  POST /jobs: { operation: add, does: create Job, request: { body: Job }, response: 201 }
  POST /jobs/{id}/end: { operation: end, does: finish Job, response: 204 }
`);

it('what a request of which nothing is known made may have moved by itself since', () => {
  const world = new World(specification);
  expect([...maybeMoved(world, new Set())]).toEqual([]);
  expect(maybeMoved(world, new Set(['add'])).has('lapse')).toBe(true);
  expect(maybeMoved(world, new Set(['add'])).has('finish')).toBe(false);
});

it('a timer that is due while events are awaited may have moved its item', () => {
  const hourMs = 3_600_000;
  const world = new World(specification).at({ at: new Range(0, 1), offMs: 0 });
  const due = new Range(hourMs, hourMs + 1);
  world.setTimer({ kind: 'after', resource: 'Job', handle: 1, move: 'lapse', due, time: null });
  expect([...maybeMoved(world, new Set())]).toEqual([]);
  expect([...maybeMoved(world, new Set(), hourMs)]).toEqual(['lapse']);
});
