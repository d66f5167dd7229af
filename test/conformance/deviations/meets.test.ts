import { expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Person:
    identifier: id
    fields: { id: { type: string }, key: { type: string, readable: false } }
    items: [{ id: ann, key: key-of-ann }]
  Note:
    identifier: id
    fields:
      id:    { type: integer, set: { create: "\${sequence()}" } }
      owner: { refers: Person, ifDeleted: refuse, set: { create: "\${actor}" } }
      text:  { type: string }
endpoints:
  others: refuse
  GET /notes:         { operation: listNotes, does: list Note, request: { query: { size: { page: size } } }, response: { status: 200, body: "\${Note(page.items)}" } }
  POST /notes:        { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  POST /notes/several:
    operation: addNotes
    does: { run: addNote, for: "\${request.body.notes}", request: { body: { text: "\${value}" } } }
    request: { body: { fields: { notes: { type: array, items: { type: string }, maxItems: 3 } } } }
    response: { status: 200, body: "\${results.map(r, r.code)}" }
  PATCH /notes/{id}:  { operation: editNote, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { operation: deleteNote, does: delete Note, response: 204 }
  DELETE /people/{id}: { operation: deletePerson, does: delete Person, response: 204 }
  PUT /people/{id}:   { operation: putPerson, does: { create: Person, present: replace }, request: { body: Person }, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, challenge: Key } }
  authorization:
    editNote:   { rule: known, items: "\${this.owner == actor}" }
    deleteNote: "\${actor.id == 'ann'}"
  otherwise: known
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    no_key:   { when: not authenticated, status: 401 }
    yours:    { when: not authorized Note, status: 403 }
    not_you:  { when: not authorized, status: 403 }
    large:    { when: too large body, status: 413 }
    long:     { when: too large page, status: 422 }
    often:    { when: rate exceeded notes, status: 429 }
    in_use:   { when: in use Person, status: 409 }
    many:     { when: quota exceeded notes, status: 409 }
    more:     { when: quota exceeded owned, status: 409 }
    no_text:  { when: malformed body, status: 400 }
    past:     { when: range not satisfiable, status: 416 }
    own:      { when: "\${this.text == 'x'}", operations: [editNote], status: 409 }
  order: listed
limits:
  sizes: { body: 1 KiB, page: 20 }
  rates: { notes: { allow: 5, every: PT1S, per: actor, operations: [addNote, editNote] } }
  quotas:
    notes: { of: Note, per: "\${this.owner}", when: "\${this.text != ''}", allow: 9 }
    owned: { of: Note, per: "\${this.owner}", allow: 99 }
`);

const names = deviationsOf(specification).map(nameOf);

it.each([
  ['not_you.status', []],
  ['large.status', ['addNote', 'addNotes', 'editNote', 'putPerson']],
  ['often.status', ['addNote', 'editNote']],
  ['past.status', []],
  // What refuses a request that an operation sends stands in its answer: addNotes is not among these.
  ['many.status', ['addNote', 'editNote']],
  // An update gives nobody another note.
  ['more.status', []],
  ['no_text.status', ['addNote', 'addNotes', 'editNote', 'putPerson']],
])('only operations that may be refused so get %s wrong', (row, operations) => {
  const said = new RegExp(
    `^errors\\.codes\\.${row.replace('.', '\\.')}: another status is sent, in (\\w+) alone$`,
  );
  expect(names.flatMap((name) => said.exec(name)?.[1] ?? [])).toEqual(operations);
});

it('gets a row wrong in no operation alone, if only one may be refused so', () => {
  const alone = names.filter((name) => /^errors\.codes\.(in_use|long|yours)\.status: .* alone$/.test(name));
  expect(alone).toEqual([]);
});

it('takes a row to be for an operation only if it has the items that the row reads', () => {
  const wider = names.filter((name) => name.startsWith('errors.codes.own.operations: it is also for'));
  expect(wider).toEqual(['errors.codes.own.operations: it is also for deleteNote']);
});
