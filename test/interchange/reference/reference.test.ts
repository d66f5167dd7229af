import { describe, expect, it } from 'vitest';
import type { MemberRow } from '../../../src/interchange/reference/member-rows.ts';
import { referenceOf } from '../../../src/interchange/reference/reference.ts';
import { boundsOf, typeText } from '../../../src/interchange/reference/type-text.ts';
import { specificationOf } from '../pictures/documents.ts';

const document = `
name: Desk
service: { purpose: Keep notes, actors: { writer: writes }, scope: { includes: [notes, tags], excludes: (none) } }
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, minLength: 1, maxLength: 80, description: what it says }
      kind: (open) which kinds are there?
      lines: { type: array, minItems: 1, items: Line }
    required: [text]
  Line:
    identifier: (none)
    fields: { words: { type: string }, at: { type: object, properties: { row: { type: integer } }, required: [row] } }
endpoints:
  base: /v1
  others: refuse
  GET /notes:
    operation: listNotes
    does: list Note
    request: { query: { like: { filter: text, maxLength: 9 }, by: { sort: [text, id], default: text }, many: { filter: (open) what? } } }
    response: { status: 200, body: { notes: "\${Note(page.items)}" } }
  POST /notes:
    operation: addNote
    description: Adds one.
    does: create Note
    request: { body: Note }
    response: [{ when: created, status: 201, headers: { Location: "/v1/notes/\${this.id}" }, body: Note }, { status: (open) 200? }]
    idempotency: { header: Key, required: true, life: PT1H, per: key, remembers: all }
  DELETE /notes/{id}: { does: (open) delete it?, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: writer } }
  authorization: { addNote: writer, listNotes: anyone }
events:
  kinds: { note.added: { by: [addNote], body: { id: "\${this.id}" } } }
  envelope: cloudevents
  source: desk
  delivery: { feed: { broker: "desk.\${event.kind}" } }
errors:
  payload: { media: application/problem+json, body: { title: "\${error.message}" } }
  codes:
    bad: { when: [malformed, invalid], status: [400, 422], message: It does not fit }
    gone: { when: unknown Note, status: (open) 404 or 410? }
limits:
  rates: { often: { allow: 10, every: PT2M, per: actor, operations: [addNote] } }
  sizes: { body: 64 KiB }
  times: { request: PT1.5S }
versioning:
  scheme: number
  place: { header: Version }
  default: "2"
  versions: { "2": {}, "1": { deprecated: 2026-01-01, sunset: 2027-01-01 } }
`;
const of = specificationOf(document);
const reference = referenceOf(of);
const [list, add, remove] = reference.operations;

const rows = (all: readonly MemberRow[]): readonly string[] =>
  all.map(({ name, type, isRequired, facts, description }) => {
    const text = type.map((piece) => (typeof piece === 'string' ? piece : `<${piece.name}>`)).join('');
    const says = [...facts.map((fact) => fact.text), ...(description === null ? [] : [`"${description}"`])];
    return [`${name}${isRequired ? '!' : ''}: ${text}`, ...says].join(', ');
  });
const texts = (all: readonly { readonly text: string }[]): readonly string[] => all.map(({ text }) => text);
const named = (all: readonly { readonly name: string; readonly says: readonly { text: string }[] }[]) =>
  all.map(({ name, says }) => `${name}: ${texts(says).join(', ')}`);

describe('the reference of a document', () => {
  it('tells of the request of an operation: parameters with what they do, the body, what else may come', () => {
    expect(rows(list?.parameters ?? [])).toEqual([
      'like: string, at most 9 characters, only items with this.text == request.query.like',
      'by: string, default "text", sorts by text or id',
      'many: string, (open) filter: what?',
    ]);
    expect(list?.path).toBe('/v1/notes');
    expect(add?.description).toBe('Adds one.');
    expect(rows(add?.parameters ?? [])).toEqual([
      'Key!: string, "A repeated request with this key gets the first answer again, for 1 hour."',
    ]);
    expect(add?.bodies.map(({ media, rows: all }) => [media, rows(all)])).toEqual([
      [
        'application/json',
        [
          'text!: string, 1 to 80 characters, "what it says"',
          'kind: any value, (open) type: which kinds are there?',
          'lines: list of <Line>, at least 1 element',
        ],
      ],
    ]);
    expect(texts(add?.request ?? [])).toEqual([
      'members and query parameters that are not listed are refused',
    ]);
  });

  it('tells who may, what is done, what is answered and refused, and what is emitted', () => {
    expect(texts(list?.admission ?? [])).toEqual(['anyone']);
    expect(texts(add?.admission ?? [])).toEqual(['writer']);
    expect(add?.changes.map(({ lines }) => texts(lines))).toEqual([['create Note']]);
    expect(add?.answers.map(({ status, when }) => [status.text, when])).toEqual([
      ['201 Created', 'if created'],
      ['(open) status: 200?', 'otherwise'],
    ]);
    expect(rows(add?.answers[0]?.headers ?? [])).toEqual(['Location: string, /v1/notes/${this.id}']);
    expect(add?.answers[0]?.contents[0]?.type).toEqual([{ name: 'Note' }]);
    expect(add?.errors.map(({ code, status, when }) => [code, status.text, texts(when)])).toEqual([
      ['bad', '400 or 422', ['malformed', 'invalid']],
    ]);
    expect(texts(add?.events ?? [])).toEqual(['emits note.added']);
  });

  it('says what is open, and which open points an operation waits for', () => {
    expect(remove?.name).toBe('DELETE /notes/{id}');
    expect(remove?.changes.map(({ lines }) => texts(lines))).toEqual([['(open) what it does: delete it?']]);
    expect(texts(remove?.admission ?? [])).toEqual(['(open) who may']);
    expect(remove?.waitsFor).toContain('endpoints["DELETE /notes/{id}"].does');
    expect(reference.questions).toContainEqual({
      question: '404 or 410?',
      addresses: ['errors.codes.gone.status'],
    });
    expect(reference.assumed).toEqual([]);
    expect(reference.silent).toBeGreaterThan(0);
  });

  it('tells of shapes, with members of members', () => {
    const [note, lines] = reference.shapes;
    expect([note?.kind, texts(note?.facts ?? [])]).toEqual([
      'resource',
      ['known by id', '(open) further members'],
    ]);
    expect(rows(note?.rows ?? [])[0]).toBe('id!: string (uuid), set by the service on creation');
    expect([lines?.kind, rows(lines?.rows ?? [])]).toEqual([
      'shape',
      ['words: string', 'at: object', 'at.row!: integer'],
    ]);
  });

  it('tells of schemes, errors, limits, events and versions', () => {
    expect(named(reference.about)).toEqual(['covers: notes and tags', 'writer: writes']);
    expect(named(reference.schemes.schemes)).toEqual([
      'key: in the header field X-Key, the operator gives it',
    ]);
    expect(reference.errors.codes[0]?.holds[1]).toBe('A value does not fit its shape.');
    expect([reference.errors.media, rows(reference.errors.rows)]).toEqual([
      'application/problem+json',
      ['title: string or null'],
    ]);
    expect(named(reference.limits)).toEqual([
      'often: 10 requests in 2 minutes, for each client, of addNote',
      'content of a request: at most 64 KiB',
      'time for a request: at most 1500 milliseconds',
      'rates: (open) further rates',
    ]);
    expect(named(reference.events.delivery)).toEqual([
      'envelope: CloudEvents 1.0, as JSON, source desk',
      'feed: published to the broker, subject desk.${event.kind}',
    ]);
    expect(named(reference.versions)).toEqual([
      'which: named in the header field Version, without a name: 2',
      '2: ',
      '1: deprecated: 2026-01-01, sunset: 2027-01-01',
    ]);
  });

  it('marks what is assumed', () => {
    const assumed = referenceOf(
      specificationOf(document, [{ at: 'endpoints["DELETE /notes/{id}"].does', value: 'delete Note' }]),
    );
    expect(assumed.operations[2]?.changes.map(({ lines }) => texts(lines))).toEqual([
      ['delete Note (assumed)'],
    ]);
    expect(assumed.assumed.length).toBeGreaterThan(0);
  });
});

describe('the text of a type', () => {
  it.each([
    [true, 'any value', []],
    [false, 'nothing', []],
    [{ type: ['integer', 'null'], minimum: 3 }, 'integer or null', ['at least 3']],
    [{ anyOf: [{ $ref: '#/$defs/A' }, { const: null }] }, '<A> or null', []],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'object, each member string', []],
    [
      { type: 'array', items: { type: 'string', maxLength: 1 } },
      'list of string',
      ['each at most 1 character'],
    ],
    [{ enum: ['a', 1] }, '"a" | 1', []],
    [{ allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }, '<A> and <B>', []],
    [
      { type: 'string', pattern: '^x', contentEncoding: 'base64' },
      'string',
      ['matches ^x', 'contentEncoding: "base64"'],
    ],
  ])('of %j is %s', (schema, text, bounds) => {
    const pieces = typeText(schema).map((piece) => (typeof piece === 'string' ? piece : `<${piece.name}>`));
    expect([pieces.join(''), boundsOf(schema)]).toEqual([text, bounds]);
  });
});
