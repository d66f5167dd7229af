import { expect, it } from 'vitest';
import { step } from '../../src/semantics/request/request.ts';
import { Forgotten, Range } from '../../src/semantics/value/value.ts';
import { always } from '../../src/semantics/world/timer.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Wish:
    identifier: id
    fields: { id: { type: string }, closesAt: { type: string, format: date-time }, status: { type: string } }
states:
  Wish.status:
    states: [open, closed]
    initial: open
    final: [closed]
    transitions: { close: { from: open, to: closed, at: "\${this.closesAt}" } }
endpoints:
  others: refuse
  POST /wishes: { operation: wish, does: create Wish, request: { body: Wish }, response: 201 }
errors:
  payload: { body: { message: "\${error.message}" } }
  codes: { full: { when: quota exceeded wishes, status: 409, message: "\${quota.used} of \${quota.limit}" } }
limits:
  quotas: { wishes: { of: Wish, allow: 2, when: "\${this.status == 'open'}" } }
`);

/** The answers to another wish, while wishes in these states are stored; undefined: nobody knows the state. */
function answersWhile(states: readonly (string | undefined)[], hasTimer = false): readonly string[] {
  const world = new World(specification);
  states.forEach((state, place) => {
    const members = new Map([
      ['id', `w${place}`],
      ['closesAt', '2020-01-01T00:00:00Z'],
    ]);
    const status = state ?? new Forgotten();
    const { handle } = world.create('Wish', new Map([...members, ['status', status]] as const));
    if (hasTimer)
      world.setTimer({ kind: 'at', resource: 'Wish', handle, move: 'close', due: always, time: null });
  });
  const [operation] = specification.operations;
  if (operation === undefined) throw new Error('there is no operation');
  const request = { path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' };
  const content = { id: 'new', closesAt: '2030-01-01T00:00:00Z' };
  const at = { at: new Range(1_600_000_000_000, 1_600_000_000_001), offMs: 0 };
  return step(world.at(at), { ...request, operation, content }).map(({ prediction: { status, body } }) =>
    String(status) === '201' ? 'created' : (body as { readonly message: string }).message,
  );
}

it('a quota counts what is known to count', () => {
  expect(answersWhile(['open', 'closed'])).toEqual(['created']);
  expect(answersWhile(['open', 'open', 'closed'])).toEqual(['2 of 2']);
});

it('an item of which nobody knows the state counts before the change as it does after it', () => {
  expect(answersWhile(['open', 'open', undefined])).toEqual(['3 of 2', '2 of 2']);
});

it('an item of which nobody knows whether a timer moved it counts, or does not', () => {
  expect(new Set(answersWhile(['open', 'open'], true))).toEqual(new Set(['2 of 2', 'created']));
});
