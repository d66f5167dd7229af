import { expect, it } from 'vitest';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';
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

const counting = specificationOf(`
complete: true
resources:
  Room: { identifier: id, fields: { id: { type: string }, name: { type: string }, notes: { type: integer, derived: "\${Note.filter(n, n.room == this).size()}" } } }
  Note: { identifier: id, fields: { id: { type: string }, room: { refers: Room, ifDeleted: refuse } } }
endpoints:
  others: refuse
  PUT /rooms/{id}: { operation: keep, does: { create: Room, present: replace }, request: { body: Room }, response: { status: 201, body: Room } }
  PUT /notes/{id}: { operation: write, does: { create: Note, present: replace }, request: { body: Note }, response: { status: 201, body: Note } }
  GET /rooms/{id}: { operation: show, does: read Room, conditional: { etag: strong }, response: { status: 200, body: Room } }
authentication: (none)
`);

/** Where answers with these tags are not as stated: room a, then with another name, then with a note, then as at first. */
function wrongTags(tags: readonly string[]): readonly string[] {
  const ask = asking(counting);
  const show = (body: Json, tag: string | undefined): readonly string[] =>
    ask('show', { path: { id: 'a' } }, { headers: { etag: `"${tag}"` }, body });
  const keep = (name: string, notes: number): void => {
    const body = { id: 'a', name, notes };
    ask('keep', { path: { id: 'a' }, content: { name } }, { status: 201, body });
  };
  keep('x', 0);
  const first = show({ id: 'a', name: 'x', notes: 0 }, tags[0]);
  keep('y', 0);
  const renamed = show({ id: 'a', name: 'y', notes: 0 }, tags[1]);
  ask('write', { path: { id: 'n' }, content: { room: 'a' } }, { status: 201, body: { id: 'n', room: 'a' } });
  const noted = show({ id: 'a', name: 'y', notes: 1 }, tags[2]);
  ask('write', { path: { id: 'n' }, content: {} }, { status: 201, body: { id: 'n' } });
  keep('x', 0);
  return [...first, ...renamed, ...noted, ...show({ id: 'a', name: 'x', notes: 0 }, tags[3])];
}

it('two tags of an item are equal exactly if its payloads are (language §4.3, rule 2)', () => {
  expect(wrongTags(['1', '2', '3', '1'])).toEqual([]);
  expect(wrongTags(['1', '1', '3', '1'])).toEqual(['headers.etag']);
  expect(wrongTags(['1', '2', '2', '1'])).toEqual(['headers.etag']);
  expect(wrongTags(['1', '2', '3', '4'])).toEqual(['headers.etag']);
});
