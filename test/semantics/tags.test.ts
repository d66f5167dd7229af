import { expect, it } from 'vitest';
import { walk } from './walking.ts';

const text = `
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, of: { refers: Note, ifDeleted: keep } } }
endpoints:
  others: refuse
  PUT /notes/{id}:
    operation: keep
    does: { create: Note, present: keep }
    request: { body: Note }
    response: 204
  GET /notes/{id}:
    operation: show
    does: read Note
    response: { status: 200, body: { text: "\${lower(this.of.id)}" } }
  PATCH /notes/{id}:
    operation: change
    does: { update: Note, same: changed }
    conditional: { etag: strong, ifMatch: allowed }
    request: { body: Note }
    response: { status: 200, body: Note }
authentication: (none)
errors: { codes: { failed: { when: internal, status: 500 } } }
`;

it('a tag cannot be computed if the payload cannot be with which the item is read (language §4.3, rule 3)', async () => {
  const path = { id: 'a' };
  const walked = await walk(text, [
    ['keep', { path, content: {} }],
    ['change', { path, content: {} }],
    ['change', { path, content: { of: 'a' } }],
    ['change', { path, content: {}, headers: { 'if-match': '*' } }],
  ]);
  expect(walked.map(({ answer, differences }) => [answer.status, ...differences])).toEqual([
    [204],
    [500],
    [200],
    [200],
  ]);
});
