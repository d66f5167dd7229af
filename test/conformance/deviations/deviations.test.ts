import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Deviation } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Step } from '../../../src/semantics/request/request.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';

const shelves = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));
const all = deviationsOf(shelves);

function named(name: string): Deviation {
  const found = all.find((deviation) => nameOf(deviation) === name);
  if (found === undefined) throw new TypeError(`no deviation: ${name}`);
  return found;
}

function request(key: string, more: Partial<Request>): Request {
  const operation = shelves.operations.find((each) => each.key === key);
  if (operation === undefined) throw new TypeError(`no operation: ${key}`);
  const nothing = { path: {}, query: {}, headers: {}, credentials: [], content: undefined };
  return { operation, ...nothing, url: 'http://localhost', ...more };
}

type Answered = readonly [number, Json | undefined];

/** The statuses and bodies of the answers of an implementation that deviates. A request may use earlier answers. */
function answers(
  deviation: Deviation,
  requests: readonly ((before: readonly Answered[]) => Request)[],
): readonly Answered[] {
  const implementation = deviation.implementation();
  let world = new World(shelves);
  const answered: Answered[] = [];
  for (const next of requests) {
    const last = implementation(world, next(answered)).at(-1) as Step;
    const answer = answerTo(last.prediction);
    if (answer === null) throw new TypeError('nothing is known of the answer');
    world = judge([last], answer).world as World;
    answered.push([answer.status, answer.body as Json | undefined]);
  }
  return answered;
}

const author = () => request('POST /authors', { content: { name: 'ann' } });
const shelf = () => request('POST /shelves', { content: {} });
const onShelf = (key: string, more: Partial<Request>) => (before: readonly Answered[]) => {
  const [[, made]] = before as readonly [readonly [number, { readonly id: number }]];
  return request(key, { path: { shelf: made.id }, ...more });
};
const book = (title: string) => onShelf('POST /shelves/{shelf}/books', { content: { title } });
const books = (query: Request['query']) => onShelf('GET /shelves/{shelf}/books', { query });

function statuses(name: string, requests: Parameters<typeof answers>[1]): number[] {
  return answers(named(name), requests).map(([status]) => status);
}

function lastBody(name: string, requests: Parameters<typeof answers>[1]): Json | undefined {
  return answers(named(name), requests).at(-1)?.[1];
}

describe('a deviation', () => {
  it('has a name of its own', () => {
    const names = all.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it('may be a success after which nothing is done', () => {
    const undone = 'endpoints["POST /authors"].does: a success is answered, and nothing is done';
    expect(statuses(undone, [author, author])).toEqual([201, 201]);
  });

  it('may be done twice', () => {
    const twice = 'endpoints["POST /shelves/{shelf}/books"].does: it is done twice';
    // The title is unique on its shelf, so the second book is refused.
    expect(lastBody(twice, [shelf, book('one'), books({})])).toMatchObject({ total: 1 });
    const shelvesTwice = 'endpoints["POST /shelves"].does: it is done twice';
    expect(statuses(shelvesTwice, [shelf, shelf])).toEqual([201, 201]);
  });

  it('may be a refusal after which what was refused is done all the same', () => {
    const done = 'resources.Book.fields.title.minLength: what it refuses is done all the same';
    expect(statuses(done, [shelf, book('')])).toEqual([201, 422]);
    expect(lastBody(done, [shelf, book(''), books({})])).toMatchObject({ total: 1 });
  });

  it('may be what a client gives and nobody looks at', () => {
    const untaken = 'endpoints["POST /authors"].request.body: name is not taken from the body';
    expect(statuses(untaken, [author])).toEqual([422]);
    const unread = 'endpoints["GET /shelves/{shelf}/books"].request.query: title is not looked at';
    expect(lastBody(unread, [shelf, book('one'), books({ title: 'two' })])).toMatchObject({ total: 1 });
    expect(lastBody(`${unread} beside others`, [shelf, book('one'), books({ title: 'two' })])).toMatchObject({
      total: 0,
    });
  });

  it('may be a parameter that nobody looks at where it is false, or 0', () => {
    const page = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, done: { type: boolean }, rank: { type: integer } } } }
endpoints:
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    request: { query: { done: { type: boolean, filter: done }, rank: { type: integer, filter: rank }, id: { type: string, filter: id } } }
    response: { status: 200, body: "\${Note(page.items)}" }
`);
    const names = deviationsOf(page).map(nameOf);
    const unread = (text: string) => `endpoints["GET /notes"].request.query: ${text}`;
    expect(names).toContain(unread('done is not looked at where it is false'));
    expect(names).toContain(unread('rank is not looked at where it is 0'));
    expect(names.filter((name) => name.startsWith(unread('id is not looked at')))).toHaveLength(2);
  });

  it('may be a sort of which only a part is looked at', () => {
    const page = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, a: { type: integer }, b: { type: integer } } } }
endpoints:
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    request: { query: { sort: { sort: [a, b] }, by: { sort: [a] } } }
    response: { status: 200, body: "\${Note(page.items)}" }
`);
    const names = deviationsOf(page).map(({ says }) => says);
    expect(names).toContain('sort sorts by its first field alone');
    expect(names).not.toContain('by sorts by its first field alone');
    expect(names).toContain('by sorts upwards, whatever it says');
  });

  it('is of no member that a body may not have', () => {
    const page = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, title: { type: string }, text: { type: string } } } }
endpoints:
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { does: update Note, request: { body: { of: Note, shows: [text] } }, response: { status: 200, body: Note } }
`);
    const ofPatch = deviationsOf(page)
      .map(nameOf)
      .filter((name) => name.startsWith('endpoints["PATCH /notes/{id}"].request.body: '));
    expect(ofPatch.some((name) => name.includes('text'))).toBe(true);
    expect(ofPatch.filter((name) => name.includes('title'))).toEqual([]);
    // Neither does a member come to null where its type is a text.
    expect(deviationsOf(page).filter(({ says }) => says === 'members that are null are left out')).toEqual(
      [],
    );
  });

  it('is of no member that is null where the service sets each reference', () => {
    const isNull = (set: string, rule: string): boolean => {
      const lines = specificationOf(`
resources:
  Person: { identifier: name, fields: { name: { type: string }, key: { type: string, secret: hashed } } }
  Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } } } }
  Line:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      note: { refers: Note, ifDeleted: delete, writable: false }
      by: { refers: Person, ifDeleted: refuse, set: { create: "\${actor}" } }
endpoints:
  POST /notes/{id}/lines:
    operation: add
    does: { create: Line, with: ${set} }
    request: { path: { id: Note.id as note }, body: Line }
    response: { status: 201, body: Line }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person } }
  authorization: { add: "${rule}" }
`);
      return deviationsOf(lines).some(({ says }) => says === 'members that are null are left out');
    };
    const [bound, known] = ['["${request.body}", { note: "${note}" }]', "${actor != null && note.id != ''}"];
    expect(isNull(bound, known)).toBe(false);
    expect(isNull(bound, 'anyone')).toBe(true);
    expect(isNull(bound, "${actor == null || note.id != ''}")).toBe(true);
    expect(isNull('["${request.body}"]', known)).toBe(true);
  });

  it('is of no keyword where a member of a shape is called like one', () => {
    const page = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    response:
      status: 200
      shape: { fields: { items: { type: array, items: Note }, type: { type: [string, "null"] }, not: { type: integer } } }
`);
    const names = deviationsOf(page)
      .map(nameOf)
      .filter((name) => name.includes('.shape.fields.'));
    const member = 'endpoints["GET /notes"].response.shape.fields';
    expect(names.filter((name) => /fields\.\w+: /.test(name))).toEqual(
      ['items', 'type', 'not'].map((name) => `${member}.${name}: it is left out`),
    );
    expect(names).toContain(`${member}.not.type: it is integer,null`);
  });

  it('may be in one operation alone', () => {
    const alone =
      'resources.Book.fields.title.minLength: it is left out, in POST /shelves/{shelf}/books alone';
    expect(statuses(alone, [shelf, book('')])).toEqual([201, 201]);
    const other = 'resources.Book.fields.title.minLength: it is left out, in PATCH /books/{id} alone';
    expect(statuses(other, [shelf, book('')])).toEqual([201, 422]);
  });

  it('may be the rule of another operation on the same resource, where that means the same', () => {
    const page = specificationOf(`
name: Page
resources:
  Page: { identifier: id, fields: { id: { type: string }, by: { type: string }, open: { type: boolean } } }
  Note: { identifier: id, fields: { id: { type: string } } }
endpoints:
  GET /pages/{id}: { operation: see, does: read Page, response: 204 }
  PUT /pages/{id}: { operation: change, does: update Page, response: 204 }
  DELETE /pages/{id}: { operation: remove, does: delete Page, response: 204 }
  POST /pages/{id}: { operation: touch, does: update Page, response: 204 }
  GET /notes/{id}: { operation: note, does: read Note, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: Key, credentials: { kept: Page.by }, actor: Page } }
  authorization:
    see:    { rule: known, items: "\${this.open}" }
    change: { rule: known, items: "\${this.by == actor.by}" }
    remove: { rule: known, items: "\${this.by == actor.by}" }
    touch:  { rule: known, items: "\${request.path.id == 'a'}" }
    note:   { rule: known, items: "\${this.id == 'a'}" }
`);
    const names = deviationsOf(page).map((deviation) => nameOf(deviation));
    expect(names.filter((name) => name.includes('it is the rule of'))).toEqual([
      'authentication.authorization.see.items: it is the rule of change',
      'authentication.authorization.change.items: it is the rule of see',
      'authentication.authorization.remove.items: it is the rule of see',
      'authentication.authorization.touch.items: it is the rule of change',
      'authentication.authorization.touch.items: it is the rule of see',
    ]);
  });

  it('may be a value that is worked out once', () => {
    const once = 'resources.Author.fields.books.derived: it is worked out once, when the item is made';
    expect(lastBody(once, [author])).toMatchObject({ books: 0 });
  });

  it('may be an answer in another shape', () => {
    const texts = 'endpoints["GET /shelves/{shelf}/books"].response: numbers are sent as texts';
    expect(lastBody(texts, [shelf, books({})])).toMatchObject({ total: '0' });
  });
});

it('what the path gives is no member of the body that could be stored otherwise', () => {
  const ledger = specificationOf(readFileSync('examples/ledger.md', 'utf8'));
  const names = deviationsOf(ledger)
    .map(nameOf)
    .filter((name) => name.startsWith('endpoints["PUT /accounts/{number}"].request.body: '));
  expect(names.filter((name) => name.endsWith(' label')).length).toBeGreaterThan(0);
  expect(names.filter((name) => name.endsWith(' number'))).toEqual([]);
});
