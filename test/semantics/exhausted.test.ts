import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import { answerTo } from '../../src/semantics/judge/permitted.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range, Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

const document = (retries: string, others: string): string => `
name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string } } }
  Hook: { identifier: id, fields: { id: { type: string }, url: { type: string }, status: { type: string } } }
states:
  Hook.status: { states: [on, off], initial: on, transitions: { stop: { from: on, to: off }, start: { from: off, to: on } } }
authentication: (none)
endpoints:
  others: refuse
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: 204 }
  POST /hooks: { operation: listen, does: create Hook, request: { body: Hook }, response: 204 }
  PUT /hooks/{id}: { operation: move, does: { update: Hook }, request: { body: Hook }, response: 204 }
  GET /hooks/{id}: { operation: look, does: read Hook, response: { status: 200, body: Hook } }
  POST /hooks/{id}/start: { operation: begin, does: start Hook, response: 204 }
events:
  kinds: { made: { by: [make], body: {} }${others} }
  envelope: (none)
  delivery: { hooks: { webhook: Hook.url, where: "\${this.id == 'h' || event.kind != 'made'}", retries: ${retries}, exhausted: Hook.stop } }
errors: { codes: { taken: { when: [not unique, transition refused], status: 409 } } }
`;

const noon = Date.parse('2026-11-21T12:00:00Z');

/** A request to an operation with this content, and how long after the first one, in milliseconds. Default: at once */
type Sent = readonly [name: string, content: { readonly [name: string]: string }, ms?: number];

/** What is known of the states of two hooks so long after an event was sent to the first. */
function states(
  retries: string,
  reached: readonly string[] = [],
  others = '',
  {
    path = '/b',
    afterMs = 0,
    further = [] as readonly Sent[],
    /** Whether to return what the last answer may show of the first hook instead. */
    isShown = false,
  } = {},
): readonly unknown[] {
  let world = new World(specificationOf(document(retries, others)));
  let shown: readonly unknown[] = [];
  world.reached = reached;
  for (const [name, content, ms = 0] of [
    ['listen', { id: 'h', url: `https://a.example${path}` }],
    ['listen', { id: 'other', url: 'https://a.example/c' }],
    ['make', { id: 'n' }],
    ...further,
    ['look', {}, afterMs],
  ] as readonly Sent[]) {
    const isLast = name === 'look';
    const operation = world.specification.operations.find((each) => each.name === name) as Operation;
    const request = {
      operation,
      path: name === 'listen' || name === 'make' ? {} : { id: 'h' },
      query: {},
      headers: {},
      credentials: [],
      content: Object.keys(content).length === 0 ? undefined : content,
      url: 'http://a',
    };
    const at = new Range(noon + ms, noon + ms + 1);
    const steps = step(world, request, { at, offMs: 0 });
    if (isLast) shown = steps.map(({ prediction: { body } }) => (body as { status: unknown }).status);
    const answer = answerTo((steps.at(-1) as (typeof steps)[number]).prediction);
    if (answer) world = judge(steps, answer).next as World;
  }
  if (isShown) return shown;
  return world.items('Hook').map(({ members }) => {
    const value = members.get('status');
    return value instanceof Unknown ? 'unknown' : value;
  });
}

describe('an item that holds the address of a receiver', () => {
  it('may move once the attempts to reach it end (language §6.3, rule 20)', () => {
    expect(states('(none)')).toEqual(['unknown', 'on']);
    expect(states('[PT1M, PT5M]')).toEqual(['unknown', 'on']);
  });

  it('stays as it is if they do not end, or if it is reached', () => {
    expect(states('[PT1M, PT2H]')).toEqual(['on', 'on']);
    expect(states('(open) how often?')).toEqual(['on', 'on']);
    expect(states('(none)', ['https://a.example/'])).toEqual(['on', 'on']);
  });

  it('may move, too, if the move of another one emits an event', () => {
    expect(states('(none)', [], ', stopped: { by: [Hook.stop], body: {} }')).toEqual(['unknown', 'unknown']);
  });

  const minute = 60_000;
  const refusing = { path: '/answers-503/b' };
  const reached = ['https://a.example/'];

  it('moves once all attempts have failed, if the tester refuses what comes there', () => {
    const stateAfter = (afterMs: number): unknown =>
      states('[PT1M, PT5M]', reached, '', { ...refusing, afterMs })[0];
    expect([stateAfter(0), stateAfter(6 * minute - 2)]).toEqual(['on', 'on']);
    expect(stateAfter(6 * minute + 5001)).toBe('off');
    // An attempt that does not come there may take as long as it likes.
    const elsewhere = states('[PT1M, PT5M]', [], '', { ...refusing, afterMs: 6 * minute - 2 });
    expect(elsewhere[0]).toBe('on');
  });

  it('may move again, or not, if it was moved back while the attempts for a later event went on', () => {
    const again: readonly Sent[] = [
      ['make', { id: 'later' }],
      ['begin', {}, 6 * minute + 5001],
    ];
    const shownAfter = (afterMs: number, further: readonly Sent[]): ReadonlySet<unknown> =>
      new Set(states('[PT1M, PT5M]', reached, '', { ...refusing, afterMs, further, isShown: true }));
    // The attempts for the later event may have ended before, as it was off.
    expect(shownAfter(14 * minute, again)).toEqual(new Set(['on', 'off']));
    expect(shownAfter(14 * minute, again.slice(1))).toEqual(new Set(['on']));
  });

  it('stays if the tester answers with a success, or if the address is another one by then', () => {
    const late = { afterMs: 6 * minute + 5001 };
    expect(states('[PT1M, PT5M]', reached, '', { path: '/answers-204/b', ...late })[0]).toBe('on');
    const further = [['move', { id: 'h', url: 'https://a.example/elsewhere' }]] as const;
    const [state] = states('[PT1M, PT5M]', reached, '', { ...refusing, ...late, further });
    expect(['on', 'off']).toContain(state);
    expect(states('[PT1M, PT5M]', reached, '', { ...refusing, afterMs: minute, further })[0]).toBe('on');
  });
});
