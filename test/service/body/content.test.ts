import { describe, expect, it } from 'vitest';
import { type Served, start } from '../served.ts';

const notes = (more = ''): string => `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id:    { type: string }
      text:  { type: string, minLength: 1, maxLength: 20 }
      media: { type: string, writable: false }
      pages: { type: [integer, "null"], writable: false, readable: false }
      scan:  { type: string, format: binary, maxLength: 10 }
      size:  { type: integer, derived: "\${size(this.scan)}" }
    required: [text]
endpoints:
  others: refuse
  PUT /notes/{id}:
    does:
      create: Note
      present: replace
      with:
        text: "\${request.media.startsWith('text/') ? request.body : request.body.text}"
        pages: "\${request.body.pages}"
        media: "\${request.media}"
    request:
      content:
        application/json: { under: note, body: Note }
        application/x-www-form-urlencoded: { body: { fields: { text: { type: string }, pages: { type: integer } }, required: [text] } }
        text/plain: { body: { type: string, maxLength: 5 } }
        text/*: { body: { type: string } }
    response: { status: 200, body: { media: "\${this.media}", text: "\${this.text}", pages: "\${this.pages}" } }
  POST /notes/{id}/scan:
    does: { update: Note, with: { scan: "\${request.media == 'multipart/form-data' ? request.body.scan : request.body}" } }
    request:
      content:
        multipart/form-data: { body: Note }
        image/*: { body: { type: string, format: binary } }
    response: { status: 200, body: Note }
  GET /notes/{id}:
    does: read Note
    conditional: { etag: strong, ifNoneMatch: allowed }
    cors: { origins: ["https://a.example"] }
    response:
      status: 200
      headers: { Vary: Cookie }
      content:
        application/json: { under: note, body: Note }
        text/csv: { body: "\${this.id + ',' + this.text}" }
        text/plain; charset=utf-8: { body: "\${this.text}" }
  GET /notes:
    does: { list: Note, order: [id] }
    response:
      status: 200
      content:
        application/json: { body: "\${Note(page.items)}" }
        text/csv: { body: "\${page.items.map(n, n.id + ',' + n.text).join(';')}" }
errors:
  payload:
    content:
      application/problem+json: { body: { type: "\${error.code}" } }
      text/plain: { body: "\${error.code}" }
  codes:
    unreadable: { when: malformed, status: 400 }
    media: { when: unsupported media, status: 415 }
    unknown: { when: unknown, status: 404 }
    own: { when: unknown path, status: 404, media: text/html, body: "<p>no</p>" }
    invalid: { when: invalid, status: 422, body: "\${error.failures}" }
    ${more}
`;

interface Got {
  readonly status: number;
  readonly media: string | null;
  readonly body: string;
  readonly headers: Headers;
}

async function ask({ address }: Served, endpoint: string, init: RequestInit = {}): Promise<Got> {
  const [method = '', path = ''] = endpoint.split(' ');
  const { status, headers, text } = await fetch(`${address}${path}`, { method, ...init }).then(
    async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }),
  );
  return { status, media: headers.get('content-type'), body: text, headers };
}

const as = (type: string, body: string | Uint8Array<ArrayBuffer>): RequestInit => ({
  headers: { 'Content-Type': type },
  body,
});
const wanting = (accept: string): RequestInit => ({ headers: { Accept: accept } });

async function started(more = ''): Promise<Served> {
  const service = await start(notes(more));
  await ask(service, 'PUT /notes/a', as('application/json', '{"note":{"text":"Milk"}}'));
  return service;
}

describe('the body of a request by its media type (language §4.2)', () => {
  it.each([
    ['application/json', '{"note":{"text":"a"}}', 'a'],
    ['application/JSON; charset=utf-8', '{"note":{"text":"a"}}', 'a'],
    ['application/x-www-form-urlencoded', 'text=b&pages=2', 'b', 2],
    ['text/plain', 'c', 'c'],
    ['text/markdown', '# longer', '# longer'],
  ])(
    'is read by the most specific entry that fits %s',
    async (type, content, text, pages: number | null = null) => {
      const service = await start(notes());
      const made = await ask(service, 'PUT /notes/a', as(type, content));
      const media = type.split(';')[0]?.toLowerCase();
      expect([made.status, JSON.parse(made.body)]).toEqual([200, { media, text, pages }]);
    },
  );

  it('is judged by the entry that fits', async () => {
    const service = await start(notes());
    const statuses = async (type: string, content: string): Promise<number> =>
      (await ask(service, 'PUT /notes/a', as(type, content))).status;
    expect(await statuses('application/json', '{"text":"a"}')).toBe(422);
    expect(await statuses('application/x-www-form-urlencoded', 'note=a')).toBe(422);
    expect(await statuses('application/x-www-form-urlencoded', 'text=a&pages=b')).toBe(422);
    expect(await statuses('text/plain', 'longer')).toBe(422);
    expect(await statuses('text/plain', '')).toBe(400);
    expect(await statuses('application/json', '{')).toBe(400);
  });

  it('is of no other type', async () => {
    const service = await started();
    const other = await ask(service, 'PUT /notes/a', as('image/png', 'a'));
    expect([other.status, other.body]).toEqual([415, '{"type":"media"}']);
    expect((await ask(service, 'POST /notes/a/scan', as('application/json', '{}'))).status).toBe(415);
    const untyped = await ask(service, 'PUT /notes/a', { body: Buffer.from('a'), headers: {} });
    expect(untyped.status).toBe(415);
  });

  it('may be bytes, or a form in parts that brings some', async () => {
    const service = await started();
    const form = new FormData();
    form.append('scan', new Blob(['123']));
    const inParts = await ask(service, 'POST /notes/a/scan', { body: form });
    expect([inParts.status, JSON.parse(inParts.body).size]).toEqual([200, 3]);
    const whole = await ask(service, 'POST /notes/a/scan', as('image/png', '12345'));
    expect([whole.status, JSON.parse(whole.body).size]).toEqual([200, 5]);
    const empty = await ask(service, 'POST /notes/a/scan', as('image/gif', new Uint8Array()));
    expect([empty.status, JSON.parse(empty.body).size]).toEqual([200, 0]);
  });

  it('holds up one type alone while its body is open', async () => {
    const text = notes().replace('text/*: { body: { type: string } }', 'text/*: { body: (open) which? }');
    const service = await start(text);
    expect((await ask(service, 'PUT /notes/a', as('text/plain', 'a'))).status).toBe(200);
    expect((await ask(service, 'PUT /notes/a', as('text/css', 'a'))).status).toBe(501);
    expect(service.heldUp).toEqual([['endpoints["PUT /notes/{id}"].request.content["text/*"].body']]);
  });

  it('is another request under a key, where its bytes are others', async () => {
    const text = notes().replace(
      '  POST /notes/{id}/scan:',
      '  POST /notes/{id}/scan:\n    idempotency: { header: Idempotency-Key, life: P1D, per: key }',
    );
    const reused = 'codes:\n    reused: { when: key reused, status: 409 }';
    const service = await start(text.replace('codes:', reused));
    await ask(service, 'PUT /notes/a', as('text/plain', 'a'));
    const post = async (type: string, content: string): Promise<number> => {
      const headers = { 'Content-Type': type, 'Idempotency-Key': 'k' };
      return (await ask(service, 'POST /notes/a/scan', { headers, body: content })).status;
    };
    expect(await post('image/png', 'abc')).toBe(200);
    expect(await post('image/png', 'abc')).toBe(200);
    expect(await post('image/png', 'abd')).toBe(409);
    expect(await post('image/gif', 'abc')).toBe(409);
  });
});

describe('the content of an answer by what the client accepts (RFC 9110 §12.5.1)', () => {
  const json = '{"note":{"id":"a","text":"Milk","media":"application/json","size":null}}';

  it.each([
    ['*/*', 'application/json', json],
    ['text/csv', 'text/csv', 'a,Milk'],
    ['text/*', 'text/csv', 'a,Milk'],
    ['text/csv;q=0.5, text/plain', 'text/plain; charset=utf-8', 'Milk'],
    ['application/json;q=0.1, */*;q=0.2', 'text/csv', 'a,Milk'],
    ['text/csv;q=0, text/*;q=0.3', 'text/plain; charset=utf-8', 'Milk'],
    ['text/plain;q=0.7, application/json;q=0.7', 'application/json', json],
    ['image/png', 'application/json', json],
    ['nonsense', 'application/json', json],
  ])('is for Accept: %s of type %s', async (accept, media, body) => {
    const service = await started();
    const got = await ask(service, 'GET /notes/a', wanting(accept));
    expect([got.status, got.media, got.body]).toEqual([200, media, body]);
  });

  it('is the first without Accept, and says in one Vary what it hangs on', async () => {
    const service = await started();
    const got = await ask(service, 'GET /notes/a', { headers: { Origin: 'https://a.example' } });
    expect(got.media).toBe('application/json');
    expect(got.headers.get('vary')).toBe('Cookie, Accept, Origin');
    const head = await ask(service, 'HEAD /notes/a', wanting('text/csv'));
    expect([head.media, head.headers.get('content-length')]).toEqual(['text/csv', '6']);
  });

  it('has a tag of its own', async () => {
    const service = await started();
    const [one, other] = await Promise.all(
      ['application/json', 'text/csv'].map((accept) => ask(service, 'GET /notes/a', wanting(accept))),
    );
    const tag = String(one?.headers.get('etag'));
    expect(tag).not.toBe(other?.headers.get('etag'));
    const again = async (accept: string): Promise<Got> =>
      await ask(service, 'GET /notes/a', { headers: { Accept: accept, 'If-None-Match': tag } });
    const known = await again('application/json');
    expect([known.status, known.headers.get('vary')]).toEqual([304, 'Cookie, Accept, Origin']);
    expect((await again('text/csv')).status).toBe(200);
  });

  it('is a list as any of them', async () => {
    const service = await started();
    await ask(service, 'PUT /notes/b', as('text/plain', 'Tea'));
    expect((await ask(service, 'GET /notes', wanting('text/csv'))).body).toBe('a,Milk;b,Tea');
    expect(JSON.parse((await ask(service, 'GET /notes')).body)).toHaveLength(2);
  });

  it('is refused where nothing is acceptable, if a row lists that', async () => {
    const service = await started('none: { when: not acceptable, status: 406 }');
    const refused = await ask(service, 'GET /notes/a', wanting('image/png'));
    expect([refused.status, refused.media, refused.body]).toEqual([
      406,
      'application/problem+json',
      '{"type":"none"}',
    ]);
    expect((await ask(service, 'GET /notes/a', wanting('image/png, text/plain;q=0.1'))).status).toBe(200);
  });

  it('is chosen for refusals too, and never refused there', async () => {
    const service = await started();
    const refused = async (accept: string, path = '/notes/none'): Promise<unknown[]> => {
      const got = await ask(service, `GET ${path}`, wanting(accept));
      return [got.status, got.media, got.body, got.headers.get('vary')];
    };
    const problem = [404, 'application/problem+json', '{"type":"unknown"}', 'Accept'];
    expect((await refused('*/*')).slice(0, 3)).toEqual(problem.slice(0, 3));
    expect((await refused('text/plain')).slice(0, 3)).toEqual([404, 'text/plain', 'unknown']);
    expect((await refused('image/png')).slice(0, 3)).toEqual(problem.slice(0, 3));
    expect(await refused('text/plain', '/nothing')).toEqual([404, 'text/html', '<p>no</p>', null]);
  });
});

describe('content of an older version (language §9.3)', () => {
  const versioned = `
name: Notes
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string, maxLength: 5 } } }
endpoints:
  others: refuse
  PUT /notes/{id}:
    does: { create: Note, present: replace, with: { text: "\${request.media == 'text/plain' ? request.body : request.body.text}" } }
    request: { content: { text/plain: { body: { type: string } }, application/json: { body: Note } } }
    response: { status: 200, content: { text/plain: { body: "\${this.text}" }, application/json: { body: Note } } }
  PATCH /notes/{id}:
    does: update Note
    request: { content: { application/merge-patch+json: { body: { type: object } }, application/json-patch+json: { body: Note } } }
    response: { status: 200, body: Note }
errors:
  codes: { invalid: { when: invalid, status: 422, body: "\${error.failures}" }, media: { when: unsupported media, status: 415 } }
versioning:
  scheme: number
  place: { header: V }
  default: "2"
  versions:
    "2": {}
    "1":
      differs:
        'endpoints["PUT /notes/{id}"].request': { body: Note }
        'endpoints["PUT /notes/{id}"].response': { media: application/json, body: { note: "\${Note(this)}" } }
        resources.Note.fields.text: { was: words }
`;
  const put = async (service: Served, version: string, type: string, body: string): Promise<Got> =>
    await ask(service, 'PUT /notes/a', { headers: { V: version, 'Content-Type': type }, body });

  it('is what that version states, in its names', async () => {
    const service = await start(versioned);
    const newest = await put(service, '2', 'text/plain', 'a');
    expect([newest.status, newest.media, newest.body]).toEqual([200, 'text/plain', 'a']);
    const older = await put(service, '1', 'application/json', '{"words":"b"}');
    expect([older.status, older.media, older.body]).toEqual([
      200,
      'application/json',
      '{"note":{"id":"a","words":"b"}}',
    ]);
    expect(older.headers.get('vary')).toBe(null);
    expect((await put(service, '1', 'text/plain', 'a')).status).toBe(415);
    const long = await put(service, '1', 'application/json', '{"words":"longer"}');
    expect([long.status, JSON.parse(long.body)]).toEqual([422, [{ field: 'words', keyword: 'maxLength' }]]);
  });

  it('is told of by those names, whatever the media type', async () => {
    const service = await start(versioned);
    await put(service, '2', 'text/plain', 'a');
    const headers = { V: '1', 'Content-Type': 'application/json-patch+json' };
    const patch = '[{"op":"replace","path":"/words","value":"longer"}]';
    const long = await ask(service, 'PATCH /notes/a', { headers, body: patch });
    expect([long.status, JSON.parse(long.body)]).toEqual([422, [{ field: 'words', keyword: 'maxLength' }]]);
  });
});
