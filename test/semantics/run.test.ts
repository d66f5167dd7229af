import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/batches.yaml', 'utf8'));
const ann = [{ scheme: 'key', value: 'ann' }];

/** Where an answer differs from what may come of a request, in the world after those before it. */
function asking(): (name: string, given: Partial<Request>, status: number, body: Json) => readonly string[] {
  let world = new World(specification);
  return (name, given, status, body) => {
    const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: ann, content: undefined, url: 'http://a' };
    const answer: Answer = { status, headers: {}, body };
    const settled = judge(step(world, { ...usual, operation, ...given }), answer);
    world = settled.world ?? world;
    return settled.differences.map(({ at }) => at);
  };
}

const note = { at: '2026-11-23T12:00:00.000Z', owner: 'ann', from: 'desk' };
const unfit = (fields: Json) => ({ status: 422, answer: { code: 'unfit', fields }, error: 'unfit' });

describe('an operation that runs another (language §H.2)', () => {
  it('makes what is refused in none of its requests, and tells each answer', () => {
    const ask = asking();
    const notes = [
      { id: 1, text: 'one', quiet: true, tags: [3] },
      { id: 2, text: 'a text that is much too long' },
      { id: 0, text: 'none' },
      { id: 1, text: 'again', done: true },
    ];
    const made = { note: { ...note, id: 1, text: 'one', done: false, tags: [3] }, quiet: true };
    const changed = { note: { ...note, id: 1, text: 'again', done: true, tags: [] } };
    const results = [
      { status: 201, answer: made, error: null },
      unfit({ text: ['at most 20'] }),
      unfit({}),
      { status: 200, answer: changed, error: null },
    ];
    expect(ask('putNotes', { content: { from: 'desk', notes } }, 207, results)).toEqual([]);
    expect(ask('listNotes', {}, 200, ['again'])).toEqual([]);
    expect(ask('listNotes', {}, 200, ['one'])).not.toEqual([]);
  });

  it('sends its requests by its own client', () => {
    const ask = asking();
    const content = { from: 'desk', notes: [{ id: 1, text: 'one' }] };
    const made = { note: { ...note, id: 1, text: 'one', done: false, tags: [] } };
    expect(ask('putNotes', { content }, 207, [{ status: 201, answer: made, error: null }])).toEqual([]);
    const theirs = [{ status: 409, answer: { code: 'theirs', fields: {} }, error: 'theirs' }];
    const bob = { content, credentials: [{ scheme: 'key', value: 'bob' }] };
    expect(
      ask('putNotes', { ...bob, content: { from: 'desk', notes: [{ id: 1, text: 'two' }] } }, 207, theirs),
    ).toEqual([]);
    const who = [{ status: 401, answer: { code: 'who', fields: {} }, error: 'who' }];
    expect(ask('putNotes', { content, credentials: [] }, 207, who)).toEqual([]);
  });

  it('tells the code that is stated of a row', () => {
    const results = [{ status: 404, text: null }];
    const content = { ids: [5] };
    expect(asking()('lookAt', { content }, 200, results)).toEqual([]);
    expect(asking()('lookAt', { content }, 200, [{ status: 200, text: null }])).not.toEqual([]);
  });
});
