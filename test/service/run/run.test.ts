import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { ask, type Served, start } from '../served.ts';

/** Notes that are made, changed, read and deleted one by one, and in batches. */
const notes = (batches: string, more: Readonly<Record<string, string>> = {}): string => `
name: Notes
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, password: { type: string, secret: hashed } }
  Note:
    identifier: id
    fields:
      id: { type: string }
      text: { type: string, maxLength: 10 }
      by: { refers: Person, writable: false, ifDeleted: delete }
    required: [text]
  Made: { identifier: note, fields: { note: { type: string } } }
endpoints:
  others: refuse
  headers: { X-Service: notes }
  POST /keys: { operation: logIn, does: { authenticate: Person, by: [name, password] }, request: { body: Person }, response: { status: 201, body: "\${issue('key', this)}" } }
  DELETE /keys: { operation: logOut, does: revoke key, response: 204 }
  POST /people: { operation: join, does: create Person, request: { body: Person }, response: 204 }
  POST /notes:
    operation: addNote
    does: { create: Note, with: ["\${request.body}", { by: "\${actor}" }] }
    request: { body: Note, query: { tags: { type: array, items: { type: string } } }, headers: { X-From: { type: string } } }
    response:
      status: 201
      headers: { Location: "/notes/\${this.id}", X-Tags: "\${request.query.tags == null ? null : request.query.tags[1]}", X-From: "\${request.headers['X-From']}" }
      body: Note
    ${more['addNote'] ?? ''}
  PATCH /notes/{id}: { operation: changeNote, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
  GET /notes: { operation: listNotes, does: { list: Note, order: [id] }, response: { status: 200, body: "\${page.items.map(n, n.id)}" } }
  DELETE /notes/{id}: { operation: dropNote, does: delete Note, response: 204 }
${more['endpoints'] ?? ''}
${batches.replace(/^/gm, '  ')}
authentication:
  schemes:
    password: { type: http, scheme: basic, credentials: { kept: [Person.name, Person.password] }, actor: Person, challenge: Basic }
    key: { type: apiKey, in: query, name: key, credentials: { issued: opaque, life: P1D }, actor: Person, challenge: Key }
  authorization: { join: anyone, logIn: anyone }
  otherwise: ${more['otherwise'] ?? 'anyone'}
errors:
  payload: { body: { error: "\${error.code}" } }
  codes:
    unfit: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    no_note: { when: unknown Note, status: 404, code: no-note }
    no_path: { when: unknown path, status: 404 }
    strange: { when: credential wrong, status: 401 }
    who: { when: credential missing, status: 401 }
    busy: { when: rate exceeded, status: 429 }
    late: { when: timed out, status: 503 }
    key_used: { when: key reused, status: 422 }
limits: ${more['limits'] ?? '(none)'}
${more['parts'] ?? ''}
`;

const body = '{ fields: { all: { type: array, items: {}, maxItems: 5 } }, required: [all] }';
const add = `
POST /batch:
  operation: batch
  does: { run: addNote, for: "\${request.body.all}", request: { body: "\${value}" } }
  request: { body: ${body} }
  response: { status: 207, body: { results: "\${results}" } }`;

const note = (id: string, text = 'tea') => ({ id, text });
const statuses = (does: string): string => `
POST /batch:
  operation: batch
  does: ${does}
  request: { body: ${body} }
  response: { status: 207, body: "\${results.map(r, r.status)}" }`;
const adding = statuses('{ run: addNote, for: "${request.body.all}", request: { body: "${value}" } }');
const idsOf = async (of: Served): Promise<unknown> => (await ask(of, 'GET /notes')).body;

describe('a run', () => {
  it('asks for each element in order, and gives each answer', async () => {
    const service = await start(notes(add));
    const all = [note('a'), note('b', 'far too long a text'), note('a'), note('c')];
    const made = (id: string) => ({
      status: 201,
      headers: { 'content-type': 'application/json', location: `/notes/${id}`, 'x-service': 'notes' },
      body: { id, text: 'tea', by: null },
      code: null,
    });
    const refused = (status: number, code: string) => ({
      status,
      headers: { 'content-type': 'application/json', 'x-service': 'notes' },
      body: { error: code },
      code,
    });
    expect(await ask(service, 'POST /batch', { all })).toMatchObject({
      status: 207,
      body: { results: [made('a'), refused(422, 'unfit'), refused(409, 'taken'), made('c')] },
    });
    expect(await idsOf(service)).toEqual(['a', 'c']);
    expect(service.faults).toEqual([]);
  });

  it('of no elements, or of null, answers with no results', async () => {
    const service = await start(notes(add.replace(', required: [all]', '')));
    for (const content of [{ all: [] }, {}])
      expect((await ask(service, 'POST /batch', content)).body).toEqual({ results: [] });
  });

  it('that is refused sends nothing', async () => {
    const service = await start(notes(add));
    expect((await ask(service, 'POST /batch', { all: Array(6).fill(note('a')) })).status).toBe(422);
    expect(await idsOf(service)).toEqual([]);
  });

  it('gives path, query and header fields, and no field or parameter that is null', async () => {
    const one = (does: string) => `
POST /batch:
  does: ${does}
  request: { body: ${body} }
  response: { status: 200, body: { results: "\${results.map(r, [r.status, r.body, r.headers])}" } }`;
    const query = '{ tags: "${value.tags}" }';
    const headers = '{ X-From: "${value.from}" }';
    const added = await start(
      notes(
        one(
          `{ run: addNote, for: "\${request.body.all}", request: { query: ${query}, headers: ${headers}, body: { id: "\${value.id}", text: x } } }`,
        ),
      ),
    );
    const all = [
      { id: 'a', tags: ['s&t', 'ü,+ /'], from: 'Zoë' },
      { id: 'b', tags: null, from: null },
    ];
    const answers = (await ask(added, 'POST /batch', { all })).body as {
      results: [number, object, object][];
    };
    expect(answers.results.map(([status, , fields]) => [status, fields])).toEqual([
      [201, expect.objectContaining({ 'x-tags': '%C3%BC,+ /', 'x-from': 'Zo%C3%AB' })],
      [201, expect.not.objectContaining({ 'x-tags': expect.anything(), 'x-from': expect.anything() })],
    ]);
    const read = await start(
      notes(one('{ run: readNote, for: "${request.body.all}", request: { path: { id: "${value}" } } }')),
    );
    await ask(read, 'POST /notes', note('a/b ü'));
    const given = { all: ['a/b ü', 'c', null, ''] };
    const found = (await ask(read, 'POST /batch', given)).body as { results: [number, unknown][] };
    expect(found.results.map(([status, content]) => [status, content])).toEqual([
      [200, { id: 'a/b ü', text: 'tea', by: null }],
      [404, { error: 'no-note' }],
      [404, { error: 'no_path' }],
      [404, { error: 'no_path' }],
    ]);
  });
});

describe('each request of a run', () => {
  it('is sent by the same client, with the credential of the request, in a field or in the query', async () => {
    const service = await start(notes(add, { otherwise: 'known' }));
    const ann = { name: 'ann', password: 'pw' };
    await ask(service, 'POST /people', ann);
    const key = (await ask(service, 'POST /keys', ann)).body as string;
    const basic = `Authorization: Basic ${Buffer.from('ann:pw').toString('base64')}`;
    expect((await ask(service, 'POST /batch', { all: [note('a')] })).status).toBe(401);
    expect((await ask(service, 'POST /batch', { all: [note('a')] }, [basic])).body).toMatchObject({
      results: [{ status: 201, body: { id: 'a', by: 'ann' } }],
    });
    expect((await ask(service, `POST /batch?key=${key}`, { all: [note('b')] })).body).toMatchObject({
      results: [{ status: 201, body: { id: 'b', by: 'ann' } }],
    });
  });

  it('is judged when its turn comes: a credential that is revoked is good for none after it', async () => {
    const service = await start(
      notes(statuses('{ run: logOut, for: "${request.body.all}", request: (none) }'), { otherwise: 'known' }),
    );
    const ann = { name: 'ann', password: 'pw' };
    await ask(service, 'POST /people', ann);
    const key = (await ask(service, 'POST /keys', ann)).body as string;
    const found = await ask(service, `POST /batch?key=${key}`, { all: [1, 2] });
    expect([found.status, found.body]).toEqual([207, [204, 401]]);
  });

  it('is counted by the rates of its operation, and not as the request that it is sent for', async () => {
    const rates = (operation: string): string =>
      `{ rates: { few: { allow: 2, every: PT1H, per: (none), operations: [${operation}] } } }`;
    const all = ['a', 'b', 'c'].map((id) => note(id));
    const inner = await start(notes(adding, { limits: rates('addNote') }));
    expect((await ask(inner, 'POST /batch', { all })).body).toEqual([201, 201, 429]);
    const outer = await start(notes(adding, { limits: rates('batch') }));
    expect((await ask(outer, 'POST /batch', { all })).body).toEqual([201, 201, 201]);
  });

  it('is a repeat if it brings a key that came before, and its refusal keeps its code', async () => {
    const keyed =
      'idempotency: { header: Idempotency-Key, life: PT24H, per: key, remembers: all, replay: { headers: { Replayed: "true" } } }';
    const batch = `
POST /batch:
  does: { run: addNote, for: "\${request.body.all}", request: { headers: { Idempotency-Key: "\${value.key}" }, body: "\${value.note}" } }
  request: { body: ${body} }
  response: { status: 207, body: "\${results.map(r, [r.status, r.code, r.headers.replayed])}" }`;
    const service = await start(notes(batch, { addNote: keyed }));
    const all = [
      { key: '1', note: note('a') },
      { key: '1', note: note('a') },
      { key: '2', note: note('a') },
      { key: '2', note: note('a') },
      { key: '1', note: note('b') },
    ];
    expect((await ask(service, 'POST /batch', { all })).body).toEqual([
      [201, null, null],
      [201, null, 'true'],
      [409, 'taken', null],
      [409, 'taken', 'true'],
      [422, 'key_used', null],
    ]);
  });

  it('is reported as an answer of its own, before that of the request that it is sent for', async () => {
    const reported: [string | null, string, number | null][] = [];
    const service = await start(notes(adding), {
      onAnswered: ({ operation, path, status }) => void reported.push([operation, path, status]),
    });
    await ask(service, 'POST /batch', { all: [note('a'), note('a')] });
    expect(reported).toEqual([
      ['addNote', '/notes', 201],
      ['addNote', '/notes', 409],
      ['batch', '/batch', 207],
    ]);
  });

  it('emits the events of its operation', async () => {
    const events = `events:
  kinds:
    note.added: { by: [addNote], body: { id: "\${this.id}" } }`;
    const service = await start(notes(adding, { parts: events }));
    await ask(service, 'POST /batch', { all: [note('a'), note('a'), note('b')] });
    const [, told = []] = (await service.rows()).find(([table]) => table === 'event') ?? [];
    expect(
      told.map((row) => /note\.added/.test(row.join()) && /id\W+(\w)\W+\}/.exec(row.join())?.[1]),
    ).toEqual(['a', 'b']);
  });
});

describe('the request of a run', () => {
  const handlers = (pass: () => void): NonNullable<ServiceOptions['handlers']> =>
    ({
      slow: ({ request, tx }: { request: { path: { id: string } }; tx: Tx }) => {
        tx.create.Made({ note: request.path.id });
        pass();
        return null;
      },
    }) as unknown as NonNullable<ServiceOptions['handlers']>;
  interface Tx {
    readonly create: { readonly Made: (members: object) => void };
  }
  const slow = {
    endpoints: `
  POST /slow/{id}: { operation: slow, does: { handled: slow, may: [create Made] }, response: 204 }
  GET /made: { does: { list: Made, order: [note] }, response: { status: 200, body: "\${page.items.map(m, m.note)}" } }`,
    limits: '{ times: { operations: { batch: PT10S } } }',
  };
  const batch = statuses('{ run: slow, for: "${request.body.all}", request: { path: { id: "${value}" } } }');

  it('is timed out when its time has passed: what was done stays, and nothing more is sent', async () => {
    let now = 0;
    const service = await start(notes(batch, slow), {
      milliseconds: () => now,
      handlers: handlers(() => {
        now += 5000;
      }),
    });
    const found = await ask(service, 'POST /batch', { all: ['a', 'b', 'c'] });
    expect([found.status, found.body]).toEqual([503, { error: 'late' }]);
    expect((await ask(service, 'GET /made')).body).toEqual(['a', 'b']);
  });

  it('may be repeated by its own key: its answer is remembered, and nothing is sent again', async () => {
    const keyed = adding.replace(
      '  does:',
      '  idempotency: { header: Idempotency-Key, life: PT24H, per: key, remembers: all }\n  does:',
    );
    const service = await start(notes(keyed));
    const send = async () =>
      (await ask(service, 'POST /batch', { all: [note('a')] }, ['Idempotency-Key: k'])).body;
    expect([await send(), await send()]).toEqual([[201], [201]]);
  });

  it('is 501 with what its own statements leave open, and with what holds up the other operation', async () => {
    const silent = adding.replace(', for: "${request.body.all}", request: { body: "${value}" }', '');
    const own = await start(notes(silent));
    expect((await ask(own, 'POST /batch', { all: [] })).status).toBe(501);
    expect(own.heldUp).toEqual([
      ['endpoints["POST /batch"].does.for', 'endpoints["POST /batch"].does.request'],
    ]);
    const other = await start(notes(batch, slow));
    expect((await ask(other, 'POST /batch', { all: [] })).status).toBe(501);
    expect(other.heldUp).toEqual([['endpoints["POST /slow/{id}"].does']]);
  });

  it('fails as a whole, before anything is sent, if one of its requests cannot be worked out', async () => {
    const service = await start(
      notes(
        statuses(
          '{ run: addNote, for: "${request.body.all}", request: { body: { id: "${value.id}", text: "${string(6 / value.n)}" } } }',
        ),
      ),
    );
    const found = await ask(service, 'POST /batch', {
      all: [
        { id: 'a', n: 2 },
        { id: 'b', n: 0 },
      ],
    });
    expect(found.status).toBe(500);
    expect(await idsOf(service)).toEqual([]);
  });

  it('shows the answer to a list', async () => {
    const list = `
POST /batch:
  does: { run: listNotes, for: "\${request.body.all}", request: (none) }
  request: { body: ${body} }
  response: { status: 200, body: "\${results.map(r, r.body)}" }`;
    const service = await start(notes(list));
    await ask(service, 'POST /notes', note('a'));
    expect((await ask(service, 'POST /batch', { all: [1, 2] })).body).toEqual([['a'], ['a']]);
  });
});
