import { expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, text: { type: string }, team: { type: [string, "null"], default: null, writable: false } }
endpoints:
  others: refuse
  POST /notes:
    operation: add
    does: { create: Note, with: ["\${request.body}", { team: "\${request.headers['X-Team']}" }] }
    request: { body: Note, headers: { X-Team: { type: string, taken: "\${trim(value)}" } } }
    response: { status: 201, body: "\${this.team}" }
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    request: { query: { text: { type: string, filter: "\${lower(this.text).contains(request.query.text)}", taken: "\${lower(value)}", default: E } } }
    response: { status: 200, body: "\${page.items.map(n, n.id)}" }
errors: { codes: { unfit: { when: invalid, status: 422 } } }
`);

it('what a parameter is given is converted, and a default is not (language §4.2, `taken`)', () => {
  let world = new World(specification);
  const ask = (name: string, request: Partial<Request>, status: number, body: Json): readonly string[] => {
    const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const { next, differences } = judge(step(world, { ...usual, operation, ...request }), {
      status,
      headers: {},
      body,
    });
    world = next as World;
    return differences.map(({ at }) => at);
  };
  const headers = { 'x-team': ' red ' };
  expect(ask('add', { content: { id: 'a', text: 'TEA' }, headers }, 201, 'red')).toEqual([]);
  expect(ask('add', { content: { id: 'b', text: 'E' }, headers }, 201, ' red ')).toEqual(['body']);
  expect(ask('list', { query: { text: 'Ea' } }, 200, ['a'])).toEqual([]);
  expect(ask('list', { query: { text: 'Ea' } }, 200, [])).toEqual(['body']);
  expect(ask('list', {}, 200, [])).toEqual([]);
});
