import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { ruleFor } from '../../../src/conformance/search/reasons/reasons.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { sampled } from '../../long.ts';
import { specificationOf } from '../../service/served.ts';

const text = `
name: Desk
tacet: 1
complete: true
service: { purpose: Notes of people. , actors: { anybody: writes } }
resources:
  Person:
    identifier: id
    fields:
      id:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      name: { type: string, minLength: 0, maxLength: 5 }
      call: { type: string, unique: true }
    required: [call]
    guards: { create: "\${this.name != 'x'}" }
  Note:
    identifier: id
    fields:
      id:     { type: string, set: { create: "\${uuid()}" } }
      code:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text:   { type: string, default: none }
      mark:   { type: string, default: low, readable: false }
      hint:   { type: string, default: low, readable: false }
      writer: { refers: Person, ifDeleted: clear }
      about:  { refers: Note, ifDeleted: clear }
      by:     { refers: Person, ifDeleted: clear, writable: false }
      short:  { type: string, derived: "\${this.text}" }
      status: { type: string, writable: false }
      level:  { type: integer, minimum: 1 }
      tag:    { type: string, minLength: 1, maxLength: 9, pattern: "^[a-z]+$" }
      count:  { type: integer, set: { create: "\${2}" } }
  Clerk:
    identifier: name
    fields: { name: { type: string, maxLength: 8 } }
    items: [{ name: ann }]
  Brief: { of: Note, shows: [id, short], fields: { long: { type: string, derived: "\${this.text}" } } }
  Tag:
    identifier: word
    fields: { word: { type: string }, madeAt: { type: string, format: date-time, set: { create: "\${now}" } } }
    required: [word]
  Pin:
    identifier: note
    fields: { note: { refers: Note, ifDeleted: delete } }
states:
  Note.status: { states: [open, shut], initial: open, final: [shut], transitions: { shut: { from: open, to: shut } } }
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /people:       { does: create Person, request: { body: Person }, response: { status: 201, body: Person } }
  POST /notes:        { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}:  { does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  GET /notes:
    does: { list: Note, where: "\${this.hint != 'high'}" }
    request: { query: { from: { page: offset, type: integer, default: 0 }, size: { page: size, type: integer, default: 1 }, text: { filter: text, type: string }, json: { type: string, style: json } } }
    response: { status: 200, body: "\${Note(page.items)}" }
  GET /levels: { does: list Note, response: { status: 200, body: "\${page.items.map(n, n.level)}" } }
  GET /briefs: { does: list Note, response: { status: 200, body: "\${Brief(page.items)}" } }
  POST /tags: { does: create Tag, request: { body: Tag }, response: { status: 201, body: Tag } }
  PUT /tags/{word}: { does: { create: Tag, present: keep }, response: 204 }
  PUT /notes/{note}/pin:
    does: { create: Pin, with: { note: "\${noted}" }, present: keep }
    request: { path: { note: Note.id as noted } }
    response: 204
authentication: (none)
events: (none)
errors:
  payload: { media: application/json, body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400, media: text/plain, body: bad }
    missing:    { when: unknown Note, status: 404, media: text/plain, body: none }
    invalid:    { when: invalid, status: 422, media: text/plain, body: unfit }
    full:       { when: guard refused Person.create, status: 409, media: text/plain, body: full }
  order: [unreadable, invalid, missing, full]
limits: (none)
versioning: (none)
`;

const specification = specificationOf(text);
const deviations = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));

function ruled(name: string): string | null {
  const deviation = deviations.get(name);
  if (deviation === undefined) throw new TypeError(`no deviation: ${name}`);
  return ruleFor(deviation, specification)?.name ?? null;
}

describe('a deviation that no request can tell', () => {
  it.each([
    [
      'no transition starts from a final state anyway',
      'states["Note.status"].final: it is left out',
      'states["Note.status"].initial: it is shut',
    ],
    [
      'without the statement, the same holds',
      'resources.Person.fields.name.minLength: it is left out',
      'resources.Person.fields.name.minLength: it is 1',
    ],
    [
      'a parameter that may be a text is one',
      'endpoints["GET /notes"].request.query.text.type: it is left out',
      'endpoints["GET /notes"].request.query.json.type: it is left out',
    ],
    [
      'every row of part 7 states its own',
      'errors.payload.body: it is left out',
      'errors.codes.missing.body: it is "none~"',
    ],
    [
      'no item that it refers to is ever deleted',
      'resources.Note.fields.writer.ifDeleted: it is keep',
      'resources.Note.fields.about.ifDeleted: it is keep',
    ],
    [
      'the service alone makes the value',
      'resources.Note.fields.code.format: it is left out',
      'resources.Note.fields.text.type: it is left out',
    ],
    [
      'no answer shows the field, and no expression reads it',
      'resources.Note.fields.mark.default: it is left out',
      'resources.Note.fields.hint.default: it is left out',
    ],
    [
      'the value is derived, and nothing judges it',
      'resources.Note.fields.short.type: it is string,null',
      'resources.Note.fields.short.type: it is shown as another type',
    ],
    [
      'without the statement, the media type is the same',
      'endpoints["GET /notes"].response.media: it is left out',
      'errors.codes.missing.media: it is left out',
    ],
    [
      'no rule takes from there who the actor is',
      'service.actors.anybody: nobody is this actor',
      'resources.Note.identifier: that of a deleted item is used again',
    ],
    [
      'the pattern refuses the same texts',
      'resources.Note.fields.tag.minLength: it is left out',
      'resources.Note.fields.tag.maxLength: it is left out',
    ],
    [
      'the pattern refuses the same texts',
      'resources.Note.fields.tag.minLength: it is 0',
      'resources.Note.fields.tag.minLength: it is 2',
    ],
    [
      'no request meets both conditions',
      'errors.order: elements 3 and 4 are in the other order',
      'errors.order: elements 2 and 3 are in the other order',
    ],
    [
      'the service alone sets the reference',
      'resources.Note.fields.by.refers: it is left out',
      'resources.Note.fields.writer.refers: it is left out',
    ],
    [
      'no request takes the field',
      'resources.Pin.fields.note.writable: it is false',
      'resources.Note.fields.text.writable: it is false',
    ],
    [
      'the value is never null',
      'resources.Note.fields.id.type: it is string,null',
      'resources.Note.fields.text.type: it is string,null',
    ],
    [
      'without the statement, the page is the first one, too',
      'endpoints["GET /notes"].request.query.from.default: it is left out',
      'endpoints["GET /notes"].request.query.size.default: it is left out',
    ],
    [
      'the second time changes nothing',
      'endpoints["POST /people"].does: it is done twice',
      'endpoints["POST /notes"].does: it is done twice',
    ],
    [
      'the second time changes nothing',
      'endpoints["POST /tags"].does: it is done twice',
      'endpoints["POST /notes"].does: it is done twice',
    ],
    [
      'the item is given nothing but what identifies it',
      'endpoints["PUT /tags/{word}"].does.present: it is replace',
      'endpoints["PUT /tags/{word}"].does.present: it is left out',
    ],
    [
      'what is 0 is so without the parameter, too',
      'endpoints["GET /notes"].request.query: from is not looked at where it is 0',
      'endpoints["GET /notes"].request.query: text is not looked at beside others',
    ],
    [
      'the value is derived, and nothing judges it',
      'resources.Brief.fields.long.type: it is left out',
      'resources.Brief.fields.long.derived: it is left out',
    ],
    [
      'no request gives the value, and all that expressions give are of the type',
      'resources.Note.fields.count.type: it is number',
      'resources.Note.fields.level.type: it is number',
    ],
    [
      'no request makes, changes or is shown an item of the resource',
      'resources.Clerk.fields.name.maxLength: it is left out',
      'resources.Person.fields.name.maxLength: it is left out',
    ],
    [
      'no request gives the state, and transitions name their own',
      'states["Note.status"].states: element 1 is left out',
      'states["Note.status"].initial: it is shut',
    ],
    [
      'the item is given nothing but what identifies it',
      'endpoints["PUT /notes/{note}/pin"].does.present: it is update',
      'endpoints["PUT /notes/{note}/pin"].does.present: it is left out',
    ],
    [
      'the answer does not show the field',
      'resources.Note.fields.text.readable: it is false, in GET /briefs alone',
      'resources.Note.fields.text.readable: it is false, in GET /notes alone',
    ],
    [
      'the answer does not show the field',
      'resources.Note.fields.level.readable: it is false, in GET /levels alone',
      'resources.Note.fields.level.readable: it is false, in GET /notes alone',
    ],
    [
      'no request meets both conditions',
      'errors.order: elements 3 and 4 are in the other order',
      'errors.order: elements 1 and 2 are in the other order',
    ],
  ])('is known by a rule: %s', (rule, name, beside) => {
    expect(ruled(name)).toBe(rule);
    expect(ruled(beside)).toBeNull();
  });

  it.each(sampled(['test/semantics/shelves.yaml', 'test/semantics/desk.yaml', 'examples/publishing.md'], 3))(
    'is told by no walk: %s',
    (file) => {
      const of = specificationOf(readFileSync(file, 'utf8'));
      const ruledOut = deviationsOf(of).filter((deviation) => ruleFor(deviation, of) !== null);
      const suspects = ruledOut.map((deviation) => new Suspect(deviation));
      const { told } = walk(begunWorld(of), suspects, seeded(1), 60);
      expect(suspects.length).toBeGreaterThan(20);
      expect([...told.keys()].map(({ deviation }) => nameOf(deviation))).toEqual([]);
    },
  );

  it('is no status of a row by which an operation never refuses', () => {
    const isThere = (name: string): boolean =>
      deviations.has(`errors.codes.missing.status: another status is sent${name}`);
    expect(isThere('')).toBe(true);
    expect(isThere(', in DELETE /notes/{id} alone')).toBe(true);
    expect(isThere(', in POST /notes alone')).toBe(false);
  });

  it('is no other way to write what no answer shows', () => {
    const isThere = (says: string): boolean => deviations.has(`endpoints["GET /briefs"].response: ${says}`);
    expect(isThere('the body is wrapped in a member')).toBe(true);
    expect(isThere('numbers are sent as texts')).toBe(false);
    expect(isThere('times are not in UTC')).toBe(false);
  });

  it('is no field that an answer must not show, and shows', () => {
    expect(ruled('resources.Note.fields.mark.readable: it is true')).toBeNull();
  });

  it('is no deviation of what every row takes from the payload', () => {
    const shared = specificationOf(text.replaceAll(/, media: text\/plain, body: \w+/g, ''));
    const deviation = deviationsOf(shared).find(
      (each) => nameOf(each) === 'errors.payload.body: code is left out',
    );
    expect(deviation && ruleFor(deviation, shared)).toBeNull();
  });
});

describe('a deviation of the answer to what cannot be read', () => {
  const page = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string } } } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  GET /notes: { operation: list, does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
errors: { codes: { unreadable: { when: malformed, status: 400 } } }
`);

  it('is looked for only in operations that read content', () => {
    const isThere = (says: string): boolean =>
      deviationsOf(page).some((each) => nameOf(each) === `errors.codes.unreadable.status: ${says}`);
    expect(isThere('another status is sent, in add alone')).toBe(true);
    expect(isThere('another status is sent, in change alone')).toBe(true);
    expect(isThere('another status is sent, in list alone')).toBe(false);
    expect(isThere('another status is sent')).toBe(true);
  });
});
