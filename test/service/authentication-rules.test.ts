import { describe, expect, it } from 'vitest';
import { ask, indexesOn, type Served, start } from './served.ts';

const text = `
name: Notes
complete: true
service: { actors: { warden: looks after them } }
resources:
  Person:
    identifier: name
    fields:
      name: { type: string }
      role: { type: string, default: guest }
      key: { type: string, unique: true, secret: hashed, set: { create: "\${random(20)}" } }
    required: [name]
  Note:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      text: { type: string }
      owner: { refers: Person, ifDeleted: delete, set: { create: "\${actor}" } }
      public: { type: boolean, default: false }
      remark: { type: string, readable: "\${actor.role == 'warden'}", writable: "\${actor.role == 'warden'}", default: none }
endpoints:
  others: refuse
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: { status: 201, body: { key: "\${this.key}" } } }
  DELETE /people/{name}: { operation: leave, does: delete Person, response: 204 }
  PATCH /people/{name}: { operation: promote, does: update Person, request: { body: Person }, response: { status: 200, body: Person } }
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes:
    operation: listNotes
    does: { list: Note, order: [id] }
    request: { query: { size: { page: size, default: 2 }, at: { page: cursor }, text: { filter: text } } }
    response: { status: 200, body: { ids: "\${page.items.map(n, n.id)}", total: "\${page.total}", next: "\${page.next}" } }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}:
    operation: editNote
    does: { update: Note, where: "\${this.public || this.owner == actor}" }
    request: { body: Note }
    response: { status: 200, body: Note }
  DELETE /notes/{id}: { operation: removeNote, does: delete Note, response: 204 }
  DELETE /notes: { operation: clear, does: delete every Note, response: 204 }
  GET /closed: { operation: closed, does: (none), response: 204 }
  GET /warden: { operation: office, does: (none), response: 204 }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, challenge: Key }
  actors: { warden: "\${actor.role == 'warden'}" }
  authorization:
    enter: anyone
    leave: anyone
    promote: anyone
    write: known
    listNotes: [warden, "\${this.owner == actor}"]
    readNote: ["\${this.public}", "\${this.owner == actor}"]
    editNote: { rule: known, items: "\${this.owner == actor}" }
    removeNote: { rule: known, items: [warden, "\${this.owner == actor}"] }
    clear: "\${this.owner == actor}"
    closed: "\${false}"
    office: warden
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    missing: { when: credential missing, status: 401 }
    wrong: { when: credential wrong, status: 401 }
    forbidden: { when: not authorized, status: 403 }
    not_to_edit: { when: not authorized Note, operations: [editNote], status: 403 }
    hidden: { when: not authorized Note, as: unknown Note }
    unknown: { when: unknown Note, status: 404 }
    invalid: { when: invalid, status: 422 }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

interface Place {
  readonly service: Served;
  readonly enter: (name: string, role?: string) => Promise<By>;
}
type By = (line: string, body?: unknown) => Promise<readonly [number, unknown]>;

async function place(): Promise<Place & { readonly nobody: By }> {
  const service = await start(text);
  const by =
    (fields: readonly string[]): By =>
    async (line, given) => {
      const { status, body } = await ask(service, line, given, fields);
      return [status, (body as { code?: unknown }).code ?? body];
    };
  return {
    service,
    nobody: by([]),
    enter: async (name, role) => {
      const { body } = await ask(service, 'POST /people', { name, ...(role && { role }) });
      return by([`X-Key: ${(body as { key: string }).key}`]);
    },
  };
}

const list = (ids: readonly number[], total: number, next: unknown = null) => [200, { ids, total, next }];

describe('a rule about items', () => {
  it('is judged of a single one once it is found, and what conceals leaves no difference', async () => {
    const { enter, nobody, service } = await place();
    const [ada, bob, eve] = [await enter('ada'), await enter('bob'), await enter('eve', 'warden')];
    await ada('POST /notes', { text: 'mine' });
    await ada('POST /notes', { text: 'ours', public: true });
    const answers = async (line: string, body?: unknown) =>
      await Promise.all([ada, bob, eve, nobody].map(async (by) => (await by(line, body))[0]));
    expect(await answers('GET /notes/1')).toEqual([200, 404, 404, 401]);
    expect(await answers('GET /notes/2')).toEqual([200, 200, 200, 200]);
    // About an item that is not there only `anyone` holds.
    expect(await answers('GET /notes/3')).toEqual([404, 404, 404, 401]);
    const raw = (line: string) => ask(service, line, undefined, []);
    const hidden = await bob('GET /notes/1');
    expect(hidden).toEqual(await bob('GET /notes/3'));
    expect(await raw('GET /notes/1')).toEqual(await raw('GET /notes/3'));
    expect(await answers('PATCH /notes/2', { text: 'o' })).toEqual([200, 403, 403, 401]);
    expect(await bob('PATCH /notes/2', {})).toEqual([403, 'not_to_edit']);
    expect(await bob('PATCH /notes/1', {})).toEqual([404, 'unknown']);
    expect(await bob('DELETE /notes/1')).toEqual([404, 'unknown']);
    expect(await eve('DELETE /notes/1')).toEqual([204, '']);
  });

  it('leaves out of a list, its count, its pages and every item what it refuses', async () => {
    const { enter, nobody, service } = await place();
    const [ada, bob, eve] = [await enter('ada'), await enter('bob'), await enter('eve', 'warden')];
    for (const by of [ada, bob, ada, bob, ada]) await by('POST /notes', { text: 'x' });
    expect(await nobody('GET /notes')).toEqual(list([], 0));
    const [, first] = await ada('GET /notes');
    expect(first).toEqual({ ids: [1, 3], total: 3, next: expect.any(String) });
    const { next } = first as { next: string };
    expect(await ada(`GET /notes?at=${next}`)).toEqual(list([5], 3));
    // The cursor of somebody else's list is none of this one.
    expect(await bob(`GET /notes?at=${next}`)).toEqual([422, 'invalid']);
    expect(await ada(`GET /notes?at=${next.slice(0, -2)}`)).toEqual([422, 'invalid']);
    expect(await bob('GET /notes?size=9&text=x')).toEqual(list([2, 4], 2));
    expect(await eve('GET /notes?size=9')).toEqual(list([1, 2, 3, 4, 5], 5));
    expect((await bob('DELETE /notes'))[0]).toBe(204);
    expect(await eve('GET /notes?size=9')).toEqual(list([1, 3, 5], 3));
    expect(service.faults).toEqual([]);
  });

  it('is served by an index where it compares a field', async () => {
    const { service } = await place();
    expect((await indexesOn(service, 'Note', 'owner')).length).toBeGreaterThan(0);
  });
});

describe('who asks', () => {
  it('is told anew for each request, so that what was lost is lost at once', async () => {
    const { enter, service } = await place();
    const [ada, eve] = [await enter('ada'), await enter('eve', 'warden')];
    expect([await ada('GET /warden'), await eve('GET /warden')]).toEqual([
      [403, 'forbidden'],
      [204, ''],
    ]);
    await ask(service, 'PATCH /people/eve', { role: 'guest' });
    expect(await eve('GET /warden')).toEqual([403, 'forbidden']);
    await ask(service, 'DELETE /people/eve');
    expect(await eve('GET /warden')).toEqual([401, 'wrong']);
    expect(await ada('GET /closed')).toEqual([403, 'forbidden']);
    // Of two items with a key as it was, the later is another.
    await ask(service, 'POST /people', { name: 'eve', role: 'warden' });
    expect(await eve('GET /warden')).toEqual([401, 'wrong']);
  });

  it('decides what of an item is shown, and what may be written', async () => {
    const { enter, nobody } = await place();
    const [ada, eve] = [await enter('ada'), await enter('eve', 'warden')];
    const [, made] = await ada('POST /notes', { text: 'x', public: true });
    expect(made).toEqual({ id: 1, text: 'x', owner: 'ada', public: true });
    expect(await eve('GET /notes/1')).toEqual([
      200,
      { id: 1, text: 'x', owner: 'ada', public: true, remark: 'none' },
    ]);
    expect(await nobody('GET /notes/1')).toEqual([200, made]);
    expect(await ada('POST /notes', { remark: 'mine' })).toEqual([422, 'invalid']);
    expect(await ada('PATCH /notes/1', { remark: 'mine' })).toEqual([422, 'invalid']);
    expect((await eve('POST /notes', { remark: 'seen' }))[0]).toBe(201);
    expect(await ada('POST /notes', { owner: 'eve' })).toEqual([422, 'invalid']);
  });
});
