import { expect, it } from 'vitest';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, title: { type: string, unique: ever } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
errors:
  payload: { body: { failures: "\${error.failures}" } }
  codes:
    formerly: { when: not unique Note.title.ever, status: 410 }
    taken: { when: not unique, status: 409 }
  order: listed
`);

function steps(world: World, name: string, id: string, content?: Request['content']) {
  const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
  const path: Request['path'] = name === 'add' ? {} : { id };
  return step(world, { operation, path, query: {}, headers: {}, credentials: [], content, url: 'http://a' });
}

function after(world: World, name: string, id: string, content?: Request['content']): World {
  return steps(world, name, id, content).at(-1)?.world as World;
}

it('a value that only a deleted item had is refused by the row of `ever`, with the keyword `unique` (rules 19 and 20)', () => {
  let world = after(new World(specification), 'add', 'a', { id: 'a', title: 'first' });
  world = after(world, 'change', 'a', { title: 'second' });
  world = after(world, 'change', 'a', { title: 'first' });
  const refused = { status: [410], body: { failures: [{ field: 'title', keyword: 'unique' }] } };
  expect(steps(world, 'add', 'b', { id: 'b', title: 'first' })).toMatchObject([
    { prediction: { status: [409] } },
  ]);
  const gone = after(world, 'remove', 'a');
  expect(steps(gone, 'add', 'b', { id: 'b', title: 'first' })).toMatchObject([{ prediction: refused }]);
});
