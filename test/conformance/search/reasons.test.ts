import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { ruleFor } from '../../../src/conformance/search/reasons.ts';
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
      status: { type: string }
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
    request: { query: { text: { filter: text, type: string }, json: { type: string, style: json } } }
    response: { status: 200, body: "\${Note(page.items)}" }
authentication: (none)
events: (none)
errors:
  payload: { media: application/json, body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400, media: text/plain, body: bad }
    missing:    { when: unknown Note, status: 404, media: text/plain, body: none }
    invalid:    { when: invalid, status: 422, media: text/plain, body: unfit }
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
  ])('is known by a rule: %s', (rule, name, beside) => {
    expect(ruled(name)).toBe(rule);
    expect(ruled(beside)).toBeNull();
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
