import { expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { specificationOf } from '../../service/served.ts';
import { asking } from './asking.ts';

const specification = specificationOf(`
resources:
  Bike: { identifier: id, fields: { id: { type: string }, age: { type: string } } }
  Job:
    identifier: id
    fields:
      id: { type: string }
      bike: { refers: Bike, ifDeleted: refuse }
      state: { type: string }
states:
  Bike.age: { states: [new, old], initial: new, transitions: { age: { from: new, to: old, after: P1D } } }
  Job.state:
    states: [open, quoted, done, lapsed]
    initial: open
    final: [done, lapsed]
    transitions:
      quote: { from: open, to: quoted }
      revise: { from: quoted, to: open }
      finish: { from: [open, quoted], to: done }
      lapse: { from: quoted, to: lapsed, after: PT1H }
      close: { from: open, to: lapsed, after: P1D }
endpoints:
  POST /bikes: { does: create Bike, request: { body: { of: Bike, shows: [id] } }, response: 201 }
  DELETE /bikes/{id}: { does: delete Bike, response: 204 }
  POST /jobs: { does: create Job, request: { body: { of: Job, shows: [id, bike] } }, response: 201 }
  POST /jobs/{id}/quote: { does: quote Job, response: 204 }
  POST /jobs/{id}/revision: { does: revise Job, response: 204 }
  POST /jobs/{id}/end: { does: finish Job, response: 204 }
  GET /jobs/{id}: { does: read Job, response: { status: 200, body: { state: "\${this.state}" } } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    used: { when: in use Bike, status: 409 }
    gone: { when: unknown Bike, status: 404 }
`);

const named = (name: string) => deviationsOf(specification).find((each) => nameOf(each) === name) ?? null;

const minuteMs = 60_000;

it('what is in a final state may be taken for what refuses no deletion', () => {
  const deviation = named('resources.Job.fields.bike.ifDeleted: what is done or lapsed does not refuse it');
  expect(deviation).not.toBeNull();
  const removed = (wrong: boolean, ends: boolean): number => {
    const ask = asking(specification, wrong ? deviation : null);
    ask('POST /bikes', 0, { content: { id: 'b' } });
    for (const id of ['i', 'j']) ask('POST /jobs', 1, { content: { id, bike: 'b' } });
    ask('POST /jobs/{id}/end', 2, { id: 'i' });
    if (ends) ask('POST /jobs/{id}/end', 3, { id: 'j' });
    return ask('DELETE /bikes/{id}', 4, { id: 'b' }).status;
  };
  expect([removed(false, true), removed(true, true), removed(true, false)]).toEqual([409, 204, 409]);
});

it('a timer may go on after its item left the state, and came into it again', () => {
  const deviation = named(
    'states["Job.state"].transitions.lapse.after: it goes on after the state was left, and entered again',
  );
  expect(deviation).not.toBeNull();
  const stateAt = (wrong: boolean, minutes: number, quotesAgain = true): unknown => {
    const ask = asking(specification, wrong ? deviation : null);
    ask('POST /bikes', 0, { content: { id: 'b' } });
    ask('POST /jobs', 0, { content: { id: 'j', bike: 'b' } });
    ask('POST /jobs/{id}/quote', 0, { id: 'j' });
    ask('POST /jobs/{id}/revision', 20 * minuteMs, { id: 'j' });
    if (quotesAgain) ask('POST /jobs/{id}/quote', 40 * minuteMs, { id: 'j' });
    return ask('GET /jobs/{id}', minutes * minuteMs, { id: 'j' }).body;
  };
  expect([stateAt(false, 70), stateAt(true, 70)]).toEqual([{ state: 'quoted' }, { state: 'lapsed' }]);
  expect([stateAt(true, 50), stateAt(true, 70, false)]).toEqual([{ state: 'quoted' }, { state: 'open' }]);
  expect(stateAt(false, 101)).toEqual({ state: 'lapsed' });
});

it('a timer of a state that is entered once does not go on', () => {
  const names = deviationsOf(specification).map(nameOf);
  const found = names.filter((name) => name.includes('it goes on'));
  expect(found.map((name) => name.split('.')[3])).toEqual(['lapse', 'close']);
});
