import { describe, expect, it } from 'vitest';
import { judge, type Settled } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';

/** Notes that may have fields that are not stated yet. */
const specification = specificationOf(`
complete: true
open: { resources.Note.fields: will notes have a colour? }
resources:
  Note: { identifier: id, fields: { id: { type: string }, title: { type: string } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}:
    operation: show
    does: read Note
    conditional: { etag: strong, ifNoneMatch: allowed }
    response: { status: 200, body: Note }
errors: { codes: { unknown: { when: unknown, status: 404 }, invalid: { when: invalid, status: 422 } } }
authentication: (none)
events: (none)
limits: (none)
states: (none)
versioning: (none)
`);

class Notes {
  #world: World = new World(specification, { mayAdd: true });

  /** What an answer comes to. */
  ask(name: string, given: Partial<Request>, status: number, body?: Json, etag?: string): Settled {
    const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const steps = step(this.#world, { ...usual, operation, ...given });
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...(etag !== undefined && { etag }),
    };
    const settled = judge(steps, { status, headers, body }, true);
    this.#world = settled.next as World;
    return settled;
  }
}

function differences({ differences }: Settled): readonly string[] {
  return differences.map(({ at }) => at);
}

const note = { id: 'a', title: 'new' };
const shown = { path: { id: 'a' } };

/** The notes once one was added. */
function added(): Notes {
  const notes = new Notes();
  notes.ask('add', { content: note }, 201, { ...note, colour: 'red' });
  return notes;
}

describe('items that may have further fields', () => {
  it('are shown with their stated members all the same, and with others', () => {
    const { world, ...settled } = new Notes().ask('add', { content: note }, 201, { ...note, colour: 'red' });
    expect(differences(settled as Settled)).toEqual([]);
    expect(world?.all('Note')).toHaveLength(1);
    expect(differences(new Notes().ask('add', { content: note }, 201, { ...note, title: 'old' }))).toEqual([
      'body.title',
    ]);
  });

  it('are known by what was given', () => {
    expect(differences(added().ask('show', shown, 200, { ...note, colour: 'blue' }))).toEqual([]);
    expect(differences(added().ask('show', shown, 200, { ...note, title: 'old' }))).toEqual(['body.title']);
  });

  it('may be refused as they are made, since a further field may be required, and not as they are read', () => {
    expect(differences(new Notes().ask('add', { content: note }, 422, {}))).toEqual([]);
    expect(differences(added().ask('show', shown, 422, {}))).toEqual(['status']);
  });

  it('may have another tag each time, since a further member may change', () => {
    const notes = added();
    expect(differences(notes.ask('show', shown, 200, note, '"1"'))).toEqual([]);
    expect(differences(notes.ask('show', shown, 200, note, '"2"'))).toEqual([]);
    expect(differences(notes.ask('show', { ...shown, headers: { 'if-none-match': '"2"' } }, 304))).toEqual(
      [],
    );
    expect(
      differences(notes.ask('show', { ...shown, headers: { 'if-none-match': '"2"' } }, 200, note, '"3"')),
    ).toEqual([]);
  });
});
