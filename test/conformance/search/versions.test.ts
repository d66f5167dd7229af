import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { ruleFor } from '../../../src/conformance/search/reasons/reasons.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { specificationOf } from '../../service/served.ts';

/** Notes that people write, and whose older version differs in one thing. */
function notes(differs: string): Specification {
  return specificationOf(`
complete: true
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, key: { type: string, secret: hashed, set: { create: "\${random(20)}" } } }
  Note:
    identifier: id
    fields:
      id:     { type: integer, set: { create: "\${sequence()}" } }
      text:   { type: string, maxLength: 9 }
      writer: { refers: Person, ifDeleted: refuse, set: { create: "\${actor}" } }
      madeAt: { type: string, format: date-time, set: { create: "\${now}" } }
endpoints:
  others: refuse
  POST /people: { operation: join, does: create Person, request: { body: Person }, response: { status: 201, body: { key: "\${this.key}" } } }
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { operation: list, does: { list: Note, order: [id] }, response: { status: 200, body: "\${Note(page.items)}" } }
  POST /copies:
    operation: copy
    does: { handled: copy, gives: { type: integer } }
    request: { body: { fields: { name: { type: string, maxLength: 3 } } } }
    response: { status: 200, body: { number: "\${result}" } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person } }
  authorization: { join: anyone }
  otherwise: known
events: (none)
errors:
  codes:
    unreadable: { when: malformed, status: 400 }
    invalid:    { when: invalid, status: 422 }
    slow:       { when: timed out, status: 503 }
limits: { times: { request: PT5S } }
versioning:
  scheme: date
  place: { header: Version }
  default: 2026-02-01
  versions: { 2026-02-01: {}, 2026-01-01: { differs: { ${differs} } } }
`);
}

function ruledIn(specification: Specification, name: string): string | null {
  const deviation = deviationsOf(specification).find((each) => nameOf(each) === name);
  if (deviation === undefined) throw new TypeError(`no deviation: ${name}`);
  return ruleFor(deviation, specification)?.name ?? null;
}

describe('a deviation of a document with an older version', () => {
  const elsewhere = 'resources.Note.fields.text: { was: words }';

  it.each([
    [
      'resources.Note.fields.madeAt.format: it is left out',
      'the service alone makes the value',
      'resources.Note.fields.madeAt: { type: string, writable: true }',
    ],
    [
      'resources.Note.fields.writer.refers: it is left out',
      'the service alone sets the reference',
      'resources.Note.fields.writer: { refers: Person, ifDeleted: refuse, writable: true }',
    ],
    [
      'resources.Person.fields.name.readable: it is false',
      'no answer shows an item of the resource as a whole',
      `'endpoints["POST /people"].response': { status: 201, body: Person }`,
    ],
  ])('is proved to be none where that holds in every version: %s', (name, rule, otherwise) => {
    expect(ruledIn(notes(elsewhere), name)).toBe(rule);
    expect(ruledIn(notes(otherwise), name)).toBeNull();
  });
});

describe('a deviation of which nobody can say anything', () => {
  const specification = notes('resources.Note.fields.text: { was: words }');
  const answers = 'a function of the operator answers, and nothing says what';
  const itself = 'no request brings it about';

  it.each([
    ['endpoints["POST /copies"].response.status: another status is sent', answers],
    ['endpoints["POST /copies"].does.gives.type: it is left out', answers],
    ['errors.codes.slow.status: another status is sent', itself],
    ['limits.times.request: it is left out', itself],
  ])('is known by a rule: %s', (name, rule) => {
    expect(ruledIn(specification, name)).toBe(rule);
  });

  it.each([
    'endpoints["POST /copies"].request.body.fields.name.maxLength: it is left out',
    'endpoints["POST /notes"].response.status: another status is sent',
    'errors.codes.invalid.status: another status is sent',
  ])('is not: %s', (name) => {
    expect(ruledIn(specification, name)).toBeNull();
  });
});
