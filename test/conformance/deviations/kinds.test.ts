import { describe, expect, it } from 'vitest';
import { type Deviation, implementing } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
name: Desk
tacet: 1
complete: true
service: { purpose: Notes of people. , actors: { anybody: writes } }
resources:
  Note:
    identifier: id
    fields:
      id:   { type: integer, set: { create: "\${sequence()}" } }
      text: { type: string, minLength: 1, maxLength: 20 }
      mark: { type: [string, "null"], default: low }
      tags: { type: array, items: { enum: [red, blue] }, default: [] }
      size: { type: integer, default: 1 }
    required: [text]
states: (none)
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /notes:        { does: create Note, request: { body: Note }, response: { status: 201, headers: { Location: "/notes/\${this.id}" }, body: Note } }
  GET /notes/{id}:    { does: read Note, response: { status: 200, body: Note }, conditional: { etag: strong } }
  PATCH /notes/{id}:  { does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  PUT /notes/{id}:    { does: replace Note, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  GET /notes:
    does: { list: Note, order: [id] }
    request:
      query:
        text:  { filter: text, type: string }
        mark:  { filter: mark, type: string }
        limit: { page: size, type: integer, default: 10 }
        until: { page: before, type: integer }
    response: { status: 200, body: { items: "\${Note(page.items)}", total: "\${page.total}" } }
authentication: (none)
events: (none)
errors:
  payload: { media: application/json, body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400 }
    missing:    { when: unknown Note, status: 404 }
    invalid:    { when: invalid, status: 422 }
    fixed:      { when: "\${this.text == 'fixed'}", operations: ["PATCH /notes/{id}", "DELETE /notes/{id}"], status: 409 }
limits: (none)
versioning:
  scheme: number
  place: { header: Version }
  default: "2"
  versions:
    "2": {}
    "1": { deprecated: 2020-01-01, differs: { resources.Note.fields.size: { was: length, maximum: 5 } } }
`);
const all = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));

type Answered = readonly [status: number, body: Json | undefined];
type Sent = readonly [key: string, more?: Partial<Request>];

function request([key, more]: Sent): Request {
  const operation = specification.operations.find((each) => each.key === key);
  if (operation === undefined) throw new TypeError(`no operation: ${key}`);
  const nothing = { path: {}, query: {}, headers: {}, credentials: [], content: undefined };
  return { operation, ...nothing, url: 'http://localhost', ...more };
}

/** The answer to the last of some requests, whose paths name the first note. A page ends before the last. */
function last(deviation: Deviation | null, sent: readonly Sent[]): Answered {
  const implementation = deviation ? deviation.implementation() : implementing(specification);
  let world = new World(specification);
  let found: Answered = [0, undefined];
  for (const each of sent) {
    const [note] = world.items('Note');
    const id = note?.members.get('id') ?? 1;
    const made = request(each);
    const path = made.operation.bindings.size > 0 ? { id } : {};
    const until = world.items('Note').at(-1)?.members.get('id') ?? 1;
    const query = { ...made.query, ...('until' in made.query && { until }) };
    const steps = implementation(world, { ...made, path, query });
    const step = steps.at(-1);
    const answer = step && answerTo(step.prediction);
    if (!step || !answer) throw new TypeError('nothing is known of the answer');
    world = judge([step], answer).world ?? world;
    found = [answer.status, (answer.body as Json | undefined) ?? answer.headers];
  }
  return found;
}

const note = (content: Json): Sent => ['POST /notes', { content }];
const [one, two] = [note({ text: 'One', mark: 'high', size: 3 }), note({ text: 'two' })];
const list = (query: Request['query'] = {}): Sent => ['GET /notes', { query }];

/** By the name of a deviation: requests, and what of the last answer is another than a right one. */
const told: Readonly<Record<string, readonly [sent: readonly Sent[], right: Json, wrong: Json]>> = {
  'endpoints["POST /notes"]: there is no such endpoint': [[one], [201], [405]],
  'endpoints["POST /notes"].request.body: spaces are cut off around text': [
    [note({ text: ' a ' })],
    { text: ' a ' },
    { text: 'a' },
  ],
  'endpoints["POST /notes"].request.body: capitals are made small in text': [
    [one],
    { text: 'One' },
    { text: 'one' },
  ],
  'endpoints["POST /notes"].request.body: characters past the tenth are cut off in text': [
    [note({ text: 'longer than ten' })],
    { text: 'longer than ten' },
    { text: 'longer tha' },
  ],
  'endpoints["POST /notes"].request.body: null is taken for nothing as mark': [
    [note({ text: 'a', mark: null })],
    { mark: null },
    { mark: 'low' },
  ],
  'endpoints["POST /notes"].request.body: elements after the first are not stored of tags': [
    [note({ text: 'a', tags: ['red', 'blue'] })],
    { tags: ['red', 'blue'] },
    { tags: ['red'] },
  ],
  'endpoints["POST /notes"].request.body: nothing is stored for a zero size': [
    [note({ text: 'a', size: 0 })],
    { size: 0 },
    { size: 1 },
  ],
  'endpoints["PATCH /notes/{id}"].does: members that are left out are reset': [
    [one, ['PATCH /notes/{id}', { content: { text: 'b' } }]],
    { mark: 'high' },
    { mark: 'low' },
  ],
  'endpoints["PUT /notes/{id}"].does: members that are left out stay': [
    [one, ['PUT /notes/{id}', { content: { text: 'b' } }]],
    { mark: 'low' },
    { mark: 'high' },
  ],
  'endpoints["GET /notes/{id}"].does: another Note is taken than id names': [
    [one, two, ['GET /notes/{id}']],
    { text: 'One' },
    { text: 'two' },
  ],
  'endpoints["GET /notes"].does: no item is listed': [
    [one, list()],
    { items: [{ text: 'One' }] },
    { items: [] },
  ],
  'endpoints["GET /notes"].does: the list comes in the opposite order': [
    [one, two, list()],
    { items: [{ text: 'One' }, { text: 'two' }] },
    { items: [{ text: 'two' }, { text: 'One' }] },
  ],
  'endpoints["GET /notes"].does: what the answer counts does not follow the filters': [
    [one, two, list({ text: 'two' })],
    { total: 1 },
    { total: 2 },
  ],
  'endpoints["GET /notes"].does: limit is taken for one less': [
    [one, two, list({ limit: 2 })],
    { items: [{ text: 'One' }, { text: 'two' }] },
    { items: [{ text: 'One' }] },
  ],
  'endpoints["GET /notes"].does: the page before until begins where the list does': [
    [one, two, two, list({ limit: 1, until: 'the last' })],
    { items: [{ text: 'two' }] },
    { items: [{ text: 'One' }] },
  ],
  'endpoints["GET /notes"].does: beside text, other filters are not looked at': [
    [one, two, list({ text: 'two', mark: 'high' })],
    { total: 0 },
    { total: 1 },
  ],
  'endpoints["GET /notes"].does.order: it is -id': [
    [one, two, list()],
    { items: [{ text: 'One' }, { text: 'two' }] },
    { items: [{ text: 'two' }, { text: 'One' }] },
  ],
  'resources.Note.required: mark is required, too': [[two], [201], [422]],
  'resources.Note.fields.tags.items: "blue" is refused': [
    [note({ text: 'a', tags: ['blue'] })],
    [201],
    [422],
  ],
  'resources.Note.fields.size.type: it is integer,null': [[note({ text: 'a', size: null })], [422], [201]],
  'errors.codes.fixed: it is not refused in DELETE /notes/{id}': [
    [note({ text: 'fixed' }), ['DELETE /notes/{id}']],
    [409],
    [204],
  ],
  'errors.codes.fixed: it is left out': [
    [note({ text: 'fixed' }), ['PATCH /notes/{id}', { content: { text: 'b' } }]],
    [409],
    [200],
  ],
  'errors.codes.missing: it is not refused': [[['GET /notes/{id}']], [404], [200]],
  'errors.codes.invalid: it is not refused': [[note({ text: '' })], [422], [201]],
  'errors.payload.body: code is left out': [[note({ text: '' })], { code: 'invalid' }, {}],
  'versioning.versions.1.differs["resources.Note.fields.size"].maximum: it is 6': [
    [['POST /notes', { version: '1', content: { text: 'a', length: 6 } }]],
    [422],
    [201],
  ],
  'versioning.versions.1.differs["resources.Note.fields.size"].was: it is called as in the newest version': [
    [['POST /notes', { version: '1', content: { text: 'a', length: 4 } }]],
    [201],
    [422],
  ],
  'versioning.versions.1.differs["resources.Note.fields.size"]: the version does not differ there': [
    [['POST /notes', { version: '1', content: { text: 'a', size: 9 } }]],
    [422],
    [201],
  ],
  'versioning.place: the version that a request names is not looked at': [
    [['POST /notes', { version: '1', content: { text: 'a', length: 4 } }]],
    [201],
    [422],
  ],
};

function expectAnswer([status, body]: Answered, expected: Json): void {
  if (Array.isArray(expected)) expect([status]).toEqual(expected);
  else expect(body).toMatchObject(expected as object);
}

describe('an implementation that deviates answers otherwise', () => {
  it.each(Object.entries(told))('%s', (name, [sent, right, wrong]) => {
    const deviation = all.get(name);
    expect(deviation, 'it is among the deviations').toBeDefined();
    expectAnswer(last(null, sent), right);
    expectAnswer(last(deviation ?? null, sent), wrong);
  });

  it('gives a new item the identifier of a deleted one', () => {
    const sent: Sent[] = [one, ['DELETE /notes/{id}'], two];
    const identifier = ([, body]: Answered): Json | undefined => (body as { readonly id?: Json }).id;
    const again = all.get('resources.Note.identifier: that of a deleted item is used again') ?? null;
    expect(again).not.toBeNull();
    expect(identifier(last(null, sent))).not.toBe(identifier(last(null, [one])));
    expect(identifier(last(again, sent))).toBe(identifier(last(null, [one])));
  });

  it('sends no member that it should not send', () => {
    const deviation = all.get('errors.payload.body: code is left out') ?? null;
    expect(last(deviation, [note({ text: '' })])).toEqual([422, {}]);
  });

  it('runs whatever is asked', () => {
    for (const deviation of all.values())
      for (const sent of [
        [one, two, list()],
        [one, ['GET /notes/{id}']],
        [one, ['DELETE /notes/{id}']],
      ] as Sent[][])
        expect(() => last(deviation, sent), nameOf(deviation)).not.toThrow(/is not|undefined|null/);
  });
});

describe('an implementation that reads other parameters', () => {
  const list = 'GET /notes';
  const statusOf = (name: string, query: Request['query']): number => {
    const deviation = [...all].find(([key]) => key === name)?.[1];
    if (deviation === undefined) throw new TypeError(name);
    return last(deviation, [[list, { query }]])[0];
  };

  it('takes a text for what it takes it for', () => {
    expect(last(null, [[list, { query: { limit: '1.5' } }]])[0]).toBe(422);
    expect(
      statusOf('endpoints["GET /notes"].request.query.limit.type: it is number', { limit: '1.5' }),
    ).not.toBe(422);
    expect(statusOf('endpoints["GET /notes"].request.query.limit.type: it is number', { limit: '1x' })).toBe(
      422,
    );
  });
});
