import { expect, it } from 'vitest';
import { isOfOthers, OwnTexts } from '../../../src/conformance/play/others.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } } } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { operation: list, does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
`);

const operation = (name: string) =>
  specification.operations.find((each) => each.name === name) as Request['operation'];

it('a list shows an item of somebody else, if no request of the run made one with its key', () => {
  const own = new OwnTexts();
  const request = { operation: operation('add'), content: { text: 'tea' } } as unknown as Request;
  own.note(request, { status: 201, headers: {}, body: { id: 7, text: 'tea' } });
  const shows = (body: Json, isShared = true): boolean =>
    isOfOthers(
      { status: 200, headers: {}, body },
      operation('list'),
      new World(specification, { isShared }),
      own,
    );
  expect(shows([{ id: 7, text: 'tea' }])).toBe(false);
  expect(
    shows([
      { id: 7, text: 'tea' },
      { id: 8, text: 'tea' },
    ]),
  ).toBe(true);
  // Where nobody else uses the service, such a list is wrong, and is judged.
  expect(shows([{ id: 8, text: 'tea' }], false)).toBe(false);
});

it('a list shows items of somebody else, though they have a member in common with ours', () => {
  const own = new OwnTexts();
  const request = { operation: operation('add'), content: { text: 'tea' } } as unknown as Request;
  own.note(request, { status: 201, headers: {}, body: { url: '/notes/7', done: false } });
  const body: Json = [{ url: '/notes/8', done: false }];
  const shared = new World(specification, { isShared: true });
  expect(isOfOthers({ status: 200, headers: {}, body }, operation('list'), shared, own)).toBe(true);
});

it('a list of keys shows items of ours', () => {
  const own = new OwnTexts();
  const request = { operation: operation('add'), content: { text: 'tea' } } as unknown as Request;
  own.note(request, { status: 201, headers: {}, body: { id: 7, text: 'tea' } });
  const shared = new World(specification, { isShared: true });
  const shows = (body: Json): boolean =>
    isOfOthers({ status: 200, headers: {}, body }, operation('list'), shared, own);
  expect(shows([7])).toBe(false);
  expect(shows([7, 8])).toBe(true);
});
