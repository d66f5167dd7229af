import { describe, expect, it } from 'vitest';
import { judge, type Settled } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Folder: { identifier: id, fields: { id: { type: string } } }
  Note:
    identifier: id
    fields:
      id: { type: string }
      title: { type: string }
      made: { type: string, writable: once }
      folder: { refers: Folder, ifDeleted: delete }
endpoints:
  others: refuse
  POST /folders: { operation: addFolder, does: create Folder, request: { body: Folder }, response: 201 }
  DELETE /folders/{id}: { operation: removeFolder, does: delete Folder, response: 204 }
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  GET /notes: { operation: list, does: { list: Note, order: [id] }, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /notes/{id}: { operation: show, does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}: { operation: change, does: { update: Note, same: changed }, request: { body: Note }, response: 204 }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
  POST /notes/{id}/retitling: { operation: retitle, does: { update: note, with: { title: new }, same: changed }, request: { path: { id: Note.id as note } }, response: 204 }
  POST /notes/{id}/leaving: { operation: leave, does: { delete: "\${note.folder}" }, request: { path: { id: Note.id as note } }, response: 204 }
errors: { codes: { unknown: { when: unknown, status: 404 } } }
`);

/** Notes in a folder, of which the semantics are told by the answers. */
class Desk {
  readonly #specification: Specification;
  #world: World;

  constructor(of = specification) {
    this.#specification = of;
    this.#world = new World(of);
    if (of !== specification) return;
    this.ask('addFolder', { content: { id: 'f' } }, 201);
    for (const id of ['a', 'b'])
      this.ask('add', { content: { id, title: 'old', made: 'here', folder: 'f' } }, 201);
  }

  /** What an answer comes to. */
  ask(name: string, given: Partial<Request>, status: number, body?: Json): Settled {
    const { operations } = this.#specification;
    const operation = operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const steps = step(this.#world, { ...usual, operation, ...given });
    const settled = judge(steps, { status, headers: {}, body });
    this.#world = settled.next as World;
    return settled;
  }

  /** Where what is shown of a note is not what may be. */
  shows(id: string, status: number, body?: Json): readonly string[] {
    return this.ask('show', { path: { id } }, status, body).differences.map(({ at }) => at);
  }
}

const note = (id: string, title = 'old') => ({ id, title, made: 'here', folder: 'f' });
const failed = 500;

describe('after an answer that does not tell what came of the request (language §F.3)', () => {
  it('an item that may have changed is unknown, and known again once it was seen', () => {
    const desk = new Desk();
    desk.ask('change', { path: { id: 'a' }, content: { title: 'new' } }, failed);
    expect(desk.shows('b', 200, note('b', 'new'))).toEqual(['body.title']);
    expect(desk.shows('a', 200, { ...note('a', 'new'), made: 'there' })).toEqual(['body.made']);
    expect(desk.shows('a', 200, note('a', 'new'))).toEqual([]);
    expect(desk.shows('a', 200, note('a'))).toEqual(['body.title']);
  });

  it('so is an item that a name means, or an expression', () => {
    const desk = new Desk();
    desk.ask('retitle', { path: { id: 'a' } }, failed);
    expect(desk.shows('b', 200, note('b', 'new'))).toEqual(['body.title']);
    expect(desk.shows('a', 200, note('a', 'new'))).toEqual([]);
    expect(desk.shows('a', 200, note('a'))).toEqual(['body.title']);
    desk.ask('leave', { path: { id: 'a' } }, failed);
    expect(desk.shows('b', 404)).toEqual([]);
    expect(desk.shows('b', 200, note('b'))).toEqual(['status']);
  });

  it('an item may have been made, until a list shows it or does not', () => {
    const list = [note('a'), note('b')];
    const desk = new Desk();
    desk.ask('add', { content: note('c') }, failed);
    expect(desk.ask('list', {}, 200, list).differences).toEqual([]);
    expect(desk.shows('c', 404)).toEqual([]);
    expect(desk.shows('c', 200, note('c'))).toEqual(['status']);
    const other = new Desk();
    other.ask('add', { content: note('c') }, failed);
    expect(other.shows('c', 200, note('c'))).toEqual([]);
    expect(other.shows('c', 200, note('c', 'new'))).toEqual(['body.title']);
  });

  it('an item may have been deleted, and what goes with it', () => {
    const desk = new Desk();
    desk.ask('removeFolder', { path: { id: 'f' } }, failed);
    expect(desk.shows('a', 404)).toEqual([]);
    expect(desk.shows('a', 200, note('a'))).toEqual(['status']);
    const other = new Desk();
    other.ask('remove', { path: { id: 'a' } }, failed);
    expect(other.shows('b', 404)).toEqual(['status']);
    expect(other.shows('a', 200, note('a'))).toEqual([]);
    expect(other.shows('a', 404)).toEqual(['status']);
  });

  it('an answer that refuses for no reason that is stated says that nothing changed', () => {
    const desk = new Desk();
    const refused = desk.ask('change', { path: { id: 'a' }, content: { title: 'new' } }, 422);
    expect(refused.differences.map(({ at }) => at)).toEqual(['status']);
    expect(desk.shows('a', 200, note('a', 'new'))).toEqual(['body.title']);
  });

  it('a success that is answered otherwise is a success, though what it wrote is unknown', () => {
    const desk = new Desk();
    expect(desk.ask('add', { content: note('c') }, 200).differences.map(({ at }) => at)).toEqual(['status']);
    expect(desk.shows('c', 404)).toEqual(['status']);
    expect(desk.shows('c', 200, note('c', 'new'))).toEqual([]);
    expect(desk.shows('c', 200, note('c'))).toEqual(['body.title']);
    desk.ask('remove', { path: { id: 'b' } }, 200);
    expect(desk.shows('b', 200, note('b'))).toEqual(['status']);
  });

  it('nothing is known any more once too much is in doubt', () => {
    const desk = new Desk();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids.slice(2)) desk.ask('add', { content: note(id) }, 201);
    const next = ids.map((id) => desk.ask('remove', { path: { id } }, failed).next);
    expect(next.map((world) => world === null)).toEqual([false, false, false, false, true]);
  });
});

it('what is forgotten of other items is no value that they held', () => {
  const counting = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      place: { type: integer, set: { create: (open) which?, update: (open) which? } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  GET /notes/{id}: { operation: show, does: read Note, response: { status: 200, body: Note } }
errors: { codes: { unknown: { when: unknown, status: 404 } } }
`);
  const desk = new Desk(counting);
  for (const id of ['a', 'b', 'c']) desk.ask('add', { content: { id } }, 201);
  expect(desk.shows('a', 200, { id: 'a', place: 3 })).toEqual([]);
  const { next } = desk.ask('show', { path: { id: 'a' } }, 200, { id: 'a', place: 3 });
  // Each was written as it was made, and never again.
  const handles = next?.earlier('Note').map(({ handle }) => handle) ?? [];
  expect([1, 2, 3].map((each) => handles.filter((handle) => handle === each).length)).toEqual([2, 2, 2]);
  expect(desk.shows('a', 200, { id: 'a', place: 4 })).toEqual(['body.place']);
});

describe('a key for repeats (language §4.4)', () => {
  const keyed = specificationOf(`
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string }, title: { type: string } } } }
endpoints:
  others: refuse
  POST /notes:
    operation: add
    does: create Note
    request: { body: Note }
    response: 201
    idempotency: { header: Idempotency-Key, required: false, life: PT1H, per: key, remembers: successes }
  GET /notes/{id}: { operation: show, does: read Note, response: { status: 200, body: Note } }
errors: { codes: { unknown: { when: unknown, status: 404 } } }
`);

  it('is unknown if it is not known what came of its request, and nothing else is', () => {
    const desk = new Desk(keyed);
    const headers = { 'idempotency-key': 'k' };
    desk.ask('add', { content: { id: 'a', title: 'one' } }, 201);
    const { next } = desk.ask('add', { content: { id: 'b', title: 'two' }, headers }, failed);
    expect(next).not.toBeNull();
    expect(desk.shows('a', 404)).toEqual(['status']);
    expect(desk.ask('add', { content: { id: 'c', title: 'other' }, headers }, 201).differences).toEqual([]);
    const other = new Desk(keyed);
    other.ask('add', { content: { id: 'b', title: 'two' }, headers }, 201);
    const reused = other.ask('add', { content: { id: 'c', title: 'other' }, headers }, 201);
    expect(reused.differences.map(({ at }) => at)).toEqual(['status']);
  });
});

describe('an item that moves by itself in many ways', () => {
  const jobs = specificationOf(`
complete: true
resources:
  Job: { identifier: id, fields: { id: { type: string }, owner: { type: string, writable: once }, status: { type: string } } }
states:
  Job.status:
    states: [a, b, c, d, e, f, g]
    initial: a
    transitions:
      ab: { from: a, to: b, after: PT1H }
      bc: { from: b, to: c, after: PT1H }
      cd: { from: c, to: d, after: PT1H }
      de: { from: d, to: e, after: PT1H }
      ef: { from: e, to: f, after: PT1H }
      fg: { from: f, to: g, after: PT1H }
endpoints:
  others: refuse
  POST /jobs: { operation: add, does: create Job, request: { body: Job }, response: 201 }
  GET /jobs/{id}: { operation: show, does: read Job, response: { status: 200, body: Job } }
  POST /jobs/{id}/next: { operation: next, does: ab Job, response: 204 }
errors: { codes: { unknown: { when: unknown, status: 404 }, not: { when: transition refused, status: 409 } } }
`);

  it('is known but for what is forgotten, and again once it was seen', () => {
    const desk = new Desk(jobs);
    const path = { id: 'j' };
    desk.ask('add', { content: { id: 'j', owner: 'me' } }, 201);
    desk.ask('next', { path }, failed);
    const differs = (status: number, body: Json): readonly string[] =>
      desk.ask('show', { path }, status, body).differences.map(({ at }) => at);
    expect(differs(200, { id: 'j', owner: 'you', status: 'c' })).toEqual(['body.owner']);
    expect(differs(404, null)).toEqual(['status']);
    expect(differs(200, { id: 'j', owner: 'me', status: 'c' })).toEqual([]);
    expect(differs(200, { id: 'j', owner: 'me', status: 'b' })).toEqual(['body.status']);
  });
});
