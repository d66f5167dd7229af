import { expect, it } from 'vitest';
import { ask, start } from '../served.ts';

const document = `
tacet: 1
resources:
  Owner: { identifier: id, fields: { id: { type: string }, toString: { type: string, unique: ever } } }
  Note:
    identifier: id
    fields:
      id:             { type: string }
      constructor:    { type: string, unique: caseless }
      valueOf:        { refers: Owner, ifDeleted: clear }
      hasOwnProperty: { type: string, format: binary, maxLength: 9 }
    unique: [[constructor, valueOf]]
endpoints:
  others: refuse
  POST /owners: { does: create Owner, request: { body: Owner }, response: 201 }
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  PATCH /notes/{id}: { does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
`;

it('a field may have a name that every object of JavaScript has, and be left out', async () => {
  const service = await start(document);
  for (const id of ['a', 'b']) {
    expect((await ask(service, 'POST /owners', { id })).status).toBe(201);
    expect((await ask(service, 'POST /notes', { id })).status).toBe(201);
  }
  expect((await ask(service, 'PATCH /notes/a', { constructor: 'x', valueOf: 'b' })).body).toEqual({
    id: 'a',
    constructor: 'x',
    valueOf: 'b',
  });
  expect((await ask(service, 'PATCH /notes/b', { constructor: 'X' })).status).toBe(400);
  expect((await ask(service, 'DELETE /notes/a')).status).toBe(204);
  expect(service.faults).toEqual([]);
});
