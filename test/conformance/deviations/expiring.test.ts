import { expect, it } from 'vitest';
import { type Deviation, implementing } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { beginsMs, begunWorld } from '../../../src/conformance/search/simulate.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import { Range } from '../../../src/semantics/value/value.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Note: { identifier: id, fields: { id: { type: string }, state: { type: string } } }
  Reply:
    identifier: id
    fields:
      id: { type: string }
      to: { refers: Note, ifDeleted: clear, type: [string, "null"] }
  Other:
    identifier: id
    fields: { id: { type: string }, to: { refers: Reply, ifDeleted: clear, type: [string, "null"] } }
states:
  Note.state:
    states: [kept]
    initial: kept
    transitions: { vanish: { from: kept, to: (none), after: PT1M } }
endpoints:
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  POST /replies: { does: create Reply, request: { body: Reply }, response: 201 }
  GET /replies/{id}: { does: read Reply, response: { status: 200, body: { to: "\${this.to}" } } }
`);
const says = 'resources.Reply.fields.to.ifDeleted: nothing is done where time deletes';

/** What a reply refers to after some time, and maybe after a request. */
function referred(deviation: Deviation | null, passedMs: number, deletes: boolean): unknown {
  const implementation = deviation ? deviation.implementation() : implementing(specification);
  let world: World = begunWorld(specification);
  const ask = (key: string, id: string, atMs: number, content?: { id: string; to?: string }): unknown => {
    const operation = specification.operations.find((each) => each.key === key);
    if (operation === undefined) throw new TypeError(`no operation: ${key}`);
    const path = key.includes('{id}') ? { id } : {};
    const nothing = { query: {}, headers: {}, credentials: [], url: 'http://localhost' };
    const at = beginsMs + atMs;
    const before = world.at({ at: new Range(at, at), offMs: 0 });
    const steps = implementation(before, { ...nothing, operation, path, content });
    const answer = answerTo(steps.at(-1)?.prediction as never);
    if (answer === null) throw new TypeError('nothing is known of the answer');
    world = judge(steps, answer).world as World;
    return answer.body;
  };
  ask('POST /notes', '', 0, { id: 'a' });
  ask('POST /replies', '', 1000, { id: 'b', to: 'a' });
  if (deletes) ask('DELETE /notes/{id}', 'a', 2000);
  return ask('GET /replies/{id}', 'b', passedMs);
}

it('what refers to an item that time deletes may stay as it is', () => {
  const deviation = deviationsOf(specification).find((each) => nameOf(each) === says) ?? null;
  expect(deviation).not.toBeNull();
  expect(referred(null, 3000, false)).toEqual({ to: 'a' });
  expect(referred(null, 90_000, false)).toEqual({ to: null });
  expect(referred(deviation, 90_000, false)).toEqual({ to: 'a' });
  expect(referred(deviation, 3000, true)).toEqual({ to: null });
});

it('nothing else is deleted by time', () => {
  const names = deviationsOf(specification).map((each) => nameOf(each));
  expect(names.filter((name) => name.endsWith('where time deletes'))).toEqual([says]);
});
