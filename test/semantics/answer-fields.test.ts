import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

/** What is wrong with the header fields of an answer, and which statements say so. */
function wrong(does: string, status: number, headers: Record<string, string>): string[] {
  const specification = specificationOf(`
name: Notes
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  GET /{id}:
    does: ${does}
    response:
      status: 200
      headers:
        X-Left: { type: integer, minimum: 0, required: true }
        X-Kinds: { type: array, items: { type: string, enum: [a, b] } }
        X-Any: { type: object }
authentication: (none)
errors:
  codes: { no_note: { when: unknown Note, status: 404, headers: { Retry-After: { type: integer, required: true } } } }
`);
  const request: Request = {
    operation: specification.operations[0] as Operation,
    ...{ path: { id: 'a' }, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' },
  };
  const { differences } = judge(step(new World(specification), request), {
    status,
    headers,
    body: undefined,
  });
  return differences.map(({ at, expected, found, by }) => `${at}: ${expected}, not ${found}, by ${by}`);
}

const by = 'by endpoints["GET /{id}"].response.headers';

describe('a header field of which a shape is stated (language §H.3)', () => {
  const open = (headers: Record<string, string>, status = 200): string[] =>
    wrong('(open) what?', status, headers);

  it('has to be there if it is required, whatever the operation does', () => {
    expect(open({ 'x-left': '3' })).toEqual([]);
    expect(open({})).toEqual([`headers.x-left: a value of its shape, not undefined, ${by}.X-Left`]);
  });

  it('has to fit if it is there', () => {
    expect(open({ 'x-left': '3', 'x-kinds': 'a, b', 'x-any': 'what,ever' })).toEqual([]);
    expect(open({ 'x-left': '-1' })).toEqual([`headers.x-left: minimum: 0, not -1, ${by}.X-Left`]);
    expect(open({ 'x-left': 'many' })).toEqual([`headers.x-left: type: "integer", not many, ${by}.X-Left`]);
    expect(open({ 'x-left': '3', 'x-kinds': 'a,c' })).toEqual([
      `headers.x-kinds.1: enum: ["a","b"], not c, ${by}.X-Kinds`,
    ]);
  });

  it('is asked for with its status alone', () => {
    expect(open({}, 500)).toEqual([]);
  });

  it('is that of a row, if it is known which row answers', () => {
    expect(wrong('read Note', 404, { 'retry-after': '30' })).toEqual([]);
    expect(wrong('read Note', 404, { 'retry-after': 'later' })).toEqual([
      'headers.retry-after: type: "integer", not later, by errors.codes.no_note.headers.Retry-After',
    ]);
    expect(wrong('read Note', 404, {})).toHaveLength(1);
  });
});
