import { describe, expect, it } from 'vitest';
import { madeUpTag } from '../../src/semantics/request/conditional/tags.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

const notes = (etag: string) =>
  specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: ignore
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}:
    operation: change
    does: update Note
    request: { body: { of: Note, omits: [id] } }
    conditional: { etag: ${etag}, ifMatch: allowed }
    response: { status: 200, body: Note }
authentication: (none)
errors: { codes: { changed: { when: precondition failed, status: 412 } } }
`);

/** What is wrong with answers of these statuses to a change of a note under a tag. */
function differences(tag: string, ...statuses: readonly number[]) {
  const body = { id: 'a', text: 'tea' };
  return statuses.map((status) => {
    const ask = asking(notes('(any)'));
    ask('add', { content: body }, { status: 201, body });
    const given = { path: { id: 'a' }, content: { text: 'tea' }, headers: { 'if-match': tag } };
    return ask('change', given, { status, body: status === 200 ? body : undefined });
  });
}

describe('a tag that the service chooses (language §4.3, rule 11)', () => {
  it('is none that the client makes up', () => {
    expect(differences(madeUpTag, 412, 200)).toEqual([[], ['status']]);
    expect(differences(`W/${madeUpTag}`, 412, 200)).toEqual([[], ['status']]);
  });

  it('may be any other, and is there', () => {
    expect(differences('"7"', 412, 200)).toEqual([[], []]);
    expect(differences('*', 412, 200)).toEqual([['status'], []]);
  });
});
