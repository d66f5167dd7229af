import { describe, expect, it } from 'vitest';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Bin: { identifier: id, fields: { id: { type: string }, isOld: { type: boolean } } }
  Lid: { identifier: id, fields: { id: { type: string }, of: { refers: Bin, ifDeleted: delete } } }
  Label: { identifier: id, fields: { id: { type: string }, on: { refers: Lid, ifDeleted: refuse } } }
endpoints:
  others: refuse
  DELETE /bins: { operation: clear, does: delete every Bin, response: 204 }
  DELETE /none: { operation: clearNone, does: { delete: every Bin, where: "\${false}" }, response: 204 }
  DELETE /labels: { operation: clearLabels, does: delete every Label, response: 204 }
  POST /labels:
    operation: add
    does: create Label
    also: [{ delete: every Bin, where: "\${this.isOld}" }]
    request: { body: Label }
    response: 201
authentication: (none)
errors: { codes: { used: { when: in use, status: 409 }, unfit: { when: invalid, status: 422 } } }
`);

/** The statuses of which each may be sent, where others use the service, too. */
function statuses(name: string, isShared: boolean, content?: Request['content']): readonly unknown[] {
  const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
  const request = { operation, path: {}, query: {}, headers: {}, credentials: [], content, url: 'http://a' };
  const steps = step(new World(specification, { isShared }), request);
  return [...new Set(steps.flatMap(({ prediction: { status } }) => [status].flat()))].toSorted();
}

it('what others made may be in use, if all is deleted (language §H.2, rule 13)', () => {
  expect(statuses('clear', true)).toEqual([204, 409]);
  expect(statuses('clear', false)).toEqual([204]);
  expect(statuses('clearNone', true)).toEqual([204]);
  expect(statuses('clearLabels', true)).toEqual([204]);
});

it('so may it be of what is deleted besides', () => {
  expect(statuses('add', false, { id: 'a' })).toEqual([201]);
  expect(statuses('add', true, { id: 'a' })).toContain(409);
});

const shelves = `
complete: true
service: { actors: { office: comes } }
resources:
  Shelf: { identifier: id, fields: { id: { type: string } } }
  Book:
    identifier: id
    fields:
      id: { type: string }
      title: { type: string }
      on: { refers: Shelf, ifDeleted: keep }
      shelf: { derived: "\${this.on.id}" }
endpoints:
  others: refuse
  POST /books: { operation: add, does: create Book, request: { body: Book }, response: { status: 201, body: Book } }
  GET /books/{id}: { operation: show, does: read Book, response: { status: 200, body: Book } }
  PATCH /books/{id}: { operation: change, does: { update: Book, same: changed }, request: { body: Book }, response: 204 }
  PUT /books/{id}:
    operation: touch
    does: { update: Book, with: { title: a }, same: changed }
    idempotency: { header: Once, required: true, life: PT1H, per: key }
    response: 204
  POST /shelves/{id}/books:
    operation: place
    does: { create: Book, with: ["\${request.body}", { on: "\${shelf}" }] }
    request: { path: { id: Shelf.id as shelf }, body: Book }
    response: { status: 201, body: Book }
  GET /shelves/{id}/books:
    operation: list
    does: { list: Book, where: "\${this.on == shelf}", order: [id] }
    request: { path: { id: Shelf.id as shelf } }
    response: { status: 200, body: { of: "\${shelf}", ids: "\${page.items.map(b, b.id)}" } }
authentication: (none)
errors:
  payload: { body: (none) }
  codes:
    unknown: { when: unknown, status: 404 }
    unfit: { when: invalid, status: 422 }
    malformed: { when: malformed, status: 400 }
    failed: { when: internal, status: 500 }
    keyless: { when: key missing, status: 428 }
    reused: { when: key reused, status: 424 }
    taken: { when: [not unique, different], status: 409 }
`;

describe('an item that somebody else may have made', () => {
  let world = new World(specificationOf(shelves), { isShared: true });
  const ask = (name: string, given: Partial<Request>, status: number, body?: Json) => {
    const operation = world.specification.operations.find(
      (each) => each.name === name,
    ) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const settled = judge(step(world, { ...usual, operation, ...given }), { status, headers: {}, body });
    const { differences, undetermined, next } = settled;
    return { at: differences.map(({ at }) => at), undetermined, next };
  };

  it('is there or not, and refused for no other reason', () => {
    const path = { id: 'x' };
    expect(ask('show', { path }, 404)).toMatchObject({ at: [], undetermined: 0 });
    expect(ask('show', { path }, 200, { id: 'x' }).at).toEqual([]);
    expect(ask('show', { path }, 409).at).toEqual(['status']);
    expect(ask('change', { path, content: {} }, 404)).toMatchObject({ at: [], undetermined: 0 });
    expect(ask('change', { path, content: {} }, 204).at).toEqual([]);
    expect(ask('change', { path, content: {} }, 400).at).toEqual(['status']);
    expect(ask('change', { path, content: { title: 4 } }, 204).at).toEqual(['status']);
  });

  it('may be refused for a reason that only its change tells, besides another', () => {
    const path = { id: 'x' };
    for (const status of [404, 428])
      expect(ask('touch', { path }, status)).toMatchObject({ at: [], undetermined: 0 });
    expect(ask('touch', { path }, 422).at).toEqual([]);
    for (const status of [204, 403]) expect(ask('touch', { path }, status).at).toEqual(['status']);
  });

  it('may have been changed with the key of a request', () => {
    const keyed = { path: { id: 'x' }, headers: { once: 'k' } };
    expect(ask('touch', keyed, 424)).toMatchObject({ at: [], undetermined: 0 });
  });

  it('may be referred to, and is shown by the key that was given', () => {
    const content = { id: 'b', on: 'x' };
    expect(ask('add', { content }, 422)).toMatchObject({ at: [], undetermined: 0 });
    expect(ask('add', { content }, 201, { ...content, shelf: 'x' })).toMatchObject({
      at: [],
      undetermined: 0,
    });
    expect(ask('add', { content }, 201, { ...content, on: 'y', shelf: 'x' }).at).toEqual(['body.on']);
  });

  it('may hold what is listed', () => {
    const { next, at } = ask('add', { content: { id: 'c' } }, 201, { id: 'c', shelf: null });
    expect(at).toEqual([]);
    world = next as World;
    expect(ask('list', { path: { id: 'x' } }, 200, { of: 'x', ids: [] })).toMatchObject({
      at: [],
      undetermined: 0,
    });
    expect(ask('list', { path: { id: 'x' } }, 200, { of: 'x', ids: ['d'] }).at).toEqual([]);
    expect(ask('list', { path: { id: 'x' } }, 200, { of: 'x', ids: ['c'] }).at).toEqual(['body.ids']);
  });
});

it('what others made may refer to what was there from the beginning, and not to what we made', () => {
  const bank = specificationOf(`
complete: true
resources:
  Customer:
    identifier: name
    fields: { name: { type: string } }
    items: [{ name: tom }]
  Account:
    identifier: id
    fields: { id: { type: string }, owner: { refers: Customer, ifDeleted: refuse } }
endpoints:
  others: refuse
  POST /customers: { operation: join, does: create Customer, request: { body: Customer }, response: 201 }
  GET /accounts:
    operation: list
    does: { list: Account, order: [id] }
    request: { query: { owner: { type: string, filter: owner } } }
    response: { status: 200, body: { total: "\${page.total}" } }
`);
  const asked = (name: string, request: Partial<Request>, world: World) => {
    const operation = bank.operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    return step(world, { ...usual, operation, ...request });
  };
  const world = new World(bank, { isShared: true });
  world.own = new Set(['gegsl-bht']);
  const after = asked('join', { content: { name: 'gegsl-bht' } }, world).at(-1)?.world as World;
  const fits = (owner: string, total: number): boolean =>
    judge(asked('list', { query: { owner } }, after), { status: 200, headers: {}, body: { total } })
      .differences.length === 0;
  expect([fits('tom', 0), fits('tom', 3)]).toEqual([true, true]);
  expect([fits('gegsl-bht', 0), fits('gegsl-bht', 3)]).toEqual([true, false]);
});

const counted = specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } } } }
  Name: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: refuse
  POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  DELETE /notes/{id}: { operation: dropNote, does: delete Note, response: 204 }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
  POST /names: { operation: addName, does: create Name, request: { body: Name }, response: { status: 201, body: Name } }
  DELETE /names/{id}: { operation: dropName, does: delete Name, response: 204 }
  GET /names/{id}: { operation: readName, does: read Name, response: { status: 200, body: Name } }
authentication: (none)
`);

/** Whether a deleted item may be read again, where others use the service, too. */
function mayBeThere(resource: 'Note' | 'Name', id: Json, content: Json): boolean {
  const request = (name: string, more: object = {}): Request => ({
    operation: counted.operations.find((each) => each.name === name) as Request['operation'],
    ...{ path: { id }, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' },
    ...more,
  });
  let world = new World(counted, { isShared: true });
  const answered = (asked: Request, status: number, body: Json | undefined): void => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    world = judge(step(world, asked), { status, headers, body }).world as World;
  };
  answered(request(`add${resource}`, { path: {}, content }), 201, { id });
  answered(request(`drop${resource}`), 204, undefined);
  const steps = step(world, request(`read${resource}`));
  return steps.some(({ prediction: { status } }) => Array.isArray(status) && status.includes(200));
}

it('nobody gets the number of a sequence that a deleted item had (language §G.4)', () => {
  expect(mayBeThere('Note', 36, {})).toBe(false);
  expect(mayBeThere('Name', 'a', { id: 'a' })).toBe(true);
});
