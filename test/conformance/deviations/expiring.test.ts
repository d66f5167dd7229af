import { expect, it } from 'vitest';
import type { Deviation } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { specificationOf } from '../../service/served.ts';
import { asking } from './asking.ts';

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
  const ask = asking(specification, deviation);
  ask('POST /notes', 0, { content: { id: 'a' } });
  ask('POST /replies', 1000, { content: { id: 'b', to: 'a' } });
  if (deletes) ask('DELETE /notes/{id}', 2000, { id: 'a' });
  return ask('GET /replies/{id}', passedMs, { id: 'b' }).body;
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
