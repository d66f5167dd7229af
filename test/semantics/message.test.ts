import { request as sending } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, received } from '../../src/semantics/message/message.ts';
import { Unknown } from '../../src/semantics/value/value.ts';
import { specificationOf, start } from '../service/served.ts';

const runs = process.env['TACET_LONG'] ? 20_000 : 300;

const document = `
tacet: 1
resources:
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string }, done: { type: boolean } }
endpoints:
  base: /v1
  others: refuse
  every GET: { matching: [caseless, slash] }
  GET /notes:
    paths: [/me/notes]
    does: { list: Note }
    request: { query: { done: { type: boolean, filter: done }, limit: { page: size, minimum: 1, maximum: 9 } } }
    response: { status: 200, body: "\${Note(page.items)}" }
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  GET /notes/last: { does: (none), response: { status: 200, body: { last: true } } }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  GET /notes/{id}.txt: { does: read Note, response: { status: 200, body: "\${this.text}" } }
  GET /notes/n{id}.txt: { does: read Note, response: { status: 200, body: "\${this.text}" } }
  GET /notes/last.txt: { does: (none), response: { status: 200, body: last } }
errors:
  codes:
    broken:  { when: malformed, status: 400, body: { code: broken } }
    nowhere: { when: unknown path, status: 404, body: { code: nowhere } }
    never:   { when: method not allowed, status: 405, body: { code: never } }
    medium:  { when: unsupported media, status: 415, body: { code: medium } }
    none:    { when: unknown Note, status: 404, body: { code: none } }
    unfit:   { when: invalid, status: 422, body: { code: unfit } }
`;
const specification = specificationOf(document);

function message(method: string, target: string, body = '', type = 'application/json'): Message {
  return { method, target, headers: body === '' ? {} : { 'content-type': type }, body };
}

describe('a message', () => {
  it.each([
    ['GET', '/v1/notes', 'GET /notes', {}, {}],
    ['GET', '/V1/Notes/', 'GET /notes', {}, {}],
    ['GET', '/v1/me/notes?done=true&limit=2', 'GET /notes', {}, { done: true, limit: 2 }],
    ['GET', '/v1/notes?done=yes&more=+a%20b', 'GET /notes', {}, { done: 'yes', more: ' a b' }],
    ['GET', '/v1/notes/12', 'GET /notes/{id}', { id: 12 }, {}],
    ['GET', '/v1/notes/%6Cast', 'GET /notes/last', {}, {}],
    ['GET', '/v1/notes/12.txt', 'GET /notes/{id}.txt', { id: 12 }, {}],
    ['GET', '/v1/notes/n12.tx%74', 'GET /notes/n{id}.txt', { id: 12 }, {}],
    ['GET', '/v1/notes/n.txt', 'GET /notes/{id}.txt', { id: 'n' }, {}],
    ['GET', '/v1/notes/last.txt', 'GET /notes/last.txt', {}, {}],
    ['GET', '/v1/notes/.txt', 'GET /notes/{id}', { id: '.txt' }, {}],
    ['GET', '/v1/notes/12.TXT', 'GET /notes/{id}', { id: '12.TXT' }, {}],
    ['DELETE', '/v1/notes/012', 'DELETE /notes/{id}', { id: '012' }, {}],
  ])('%s %s is a request to %s', (method, target, key, path, query) => {
    const found = received(message(method, target), 'http://a', specification);
    expect(found).toMatchObject({ kind: 'request', request: { operation: { key }, path, query } });
  });

  it.each([
    ['GET', '/notes', 'unknown path', ''],
    ['GET', '/v1/notes/1/text', 'unknown path', ''],
    ['GET', '/v1/notes//', 'unknown path', ''],
    ['DELETE', '/v1/Notes/1', 'method not allowed', ''],
    ['PUT', '/v1/notes', 'method not allowed', ''],
    ['DELETE', '/v1/notes/last', 'method not allowed', ''],
    ['DELETE', '/v1/notes/1.txt', 'method not allowed', ''],
    ['GET', '/v1/notes/%E0%A4', 'malformed', 'path'],
    ['GET', '/v1/notes?limit=%zz', 'malformed', 'query.limit'],
    ['POST', '/v1/notes', 'malformed', 'body'],
    ['POST', '/v1/notes', 'malformed', 'body', '{"text":'],
    ['POST', '/v1/notes', 'unsupported media', '', 'text=a', 'application/x-www-form-urlencoded'],
    ['POST', '/v1/notes', 'unsupported media', '', '{}', 'application/json; charset=latin1'],
  ])('%s %s is refused: %s %s', (method, target, condition, subject, ...content) => {
    const found = received(message(method, target, ...content), 'http://a', specification);
    expect(found).toMatchObject({ kind: 'refused', refusal: { condition, subject } });
  });

  it.each([
    ['HEAD', '/v1/notes'],
    ['OPTIONS', '/v1/notes'],
    ['GET', '/v1/notes?limit=1&limit=2'],
    ['POST', '/v1/notes', '{"text":"a","text":"b"}'],
    ['POST', '/v1/notes', '{"text":"\\u0000"}'],
    ['POST', '/v1/notes', '{"id":12345678901234567890}'],
  ])('%s %s %s: what readers take differently is unknown', (method, target, body = '') => {
    expect(received(message(method, target, body), 'http://a', specification)).toBeInstanceOf(Unknown);
  });
});

const word = fc.constantFrom(
  'v1',
  'V1',
  'notes',
  'NOTES',
  'me',
  'last',
  'Last',
  '1',
  '01',
  'a',
  '',
  '%6Cast',
  '%zz',
);
const text = fc.constantFrom('true', '2', '0', 'x', '', '%41', '%', '+');
const pair = fc
  .tuple(fc.constantFrom('done', 'limit', 'more', '%6Cimit', '%'), text)
  .map((both) => both.join('='));
const written = fc.constantFrom('', '{}', '{"text":"a"}', '{"text":1}', '{', '{"text":"a","text":"b"}');
const sent: fc.Arbitrary<Message> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
    path: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `/${words.join('/')}`),
    query: fc.array(pair, { maxLength: 2 }).map((pairs) => pairs.join('&')),
    body: written,
    type: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain'),
  })
  .map(({ method, path, query, body, type }) =>
    message(method, query === '' ? path : `${path}?${query}`, method === 'POST' ? body : '', type),
  );

function answered(port: number, { method, target, headers, body }: Message): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = sending({ port, method, path: target, headers }, (response) => {
    let text = '';
    response.on('data', (chunk) => (text += String(chunk)));
    response.on('end', () => resolve(text));
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** The code of the row by which a message is refused; null: it is a request; undefined: unknown. */
function codeOf(sent: Message): string | null | undefined {
  const found = received(sent, 'http://a', specification);
  if (found instanceof Unknown) return undefined;
  if (found.kind === 'request') return null;
  const codes = { malformed: 'broken', 'unknown path': 'nowhere', 'method not allowed': 'never' };
  return found.refusal.condition === 'unsupported media'
    ? 'medium'
    : codes[found.refusal.condition as keyof typeof codes];
}

describe('a message is refused before it is a request', () => {
  it('as the service refuses it', async () => {
    const { port } = await start(document);
    const codes = ['broken', 'nowhere', 'never', 'medium'];
    let told = 0;
    await fc.assert(
      fc.asyncProperty(sent, async (sent) => {
        const expected = codeOf(sent);
        if (expected === undefined) return;
        told += 1;
        const text = await answered(port, sent);
        const { code } = (text === '' ? {} : JSON.parse(text)) as { code?: string };
        expect(codes.includes(code ?? '') ? code : null).toBe(expected);
      }),
      { numRuns: runs, seed: 20_261_124 },
    );
    expect(told).toBeGreaterThan(runs * 0.9);
  });
});

describe('a message to an operation with content by media type (language §4.2)', () => {
  const several = specificationOf(
    document
      .replace(
        'does: create Note, request: { body: Note }',
        'does: create Note, request: { content: { text/*: { body: { type: string } }, application/json: { body: Note } } }',
      )
      .replace(
        'body: { code: broken }',
        'content: { application/json: { body: a }, text/plain: { body: a } }',
      ),
  );
  const receive = (body: string, type: string, more: Record<string, string> = {}) => {
    const { headers, ...rest } = message('POST', '/v1/notes', body, type);
    return received({ ...rest, headers: { ...headers, ...more } }, 'http://a', several);
  };

  it('is carried out as JSON, is refused in no stated type, and else is unknown', () => {
    expect(receive('{"text":"a"}', 'application/json')).toMatchObject({
      kind: 'request',
      request: { content: { text: 'a' } },
    });
    expect(receive('a', 'image/png')).toMatchObject({ refusal: { condition: 'unsupported media' } });
    expect(receive('a', 'text/plain')).toBeInstanceOf(Unknown);
  });

  it('is unknown with Accept, by which an answer may be chosen', () => {
    expect(receive('{}', 'application/json', { accept: 'text/plain' })).toBeInstanceOf(Unknown);
  });
});

describe('the credentials of a message (language §5.1)', () => {
  const guarded = specificationOf(`
tacet: 1
endpoints: { others: refuse, GET /door: { operation: door, does: (none), request: { query: { n: { type: integer } } }, response: 200 } }
authentication:
  schemes:
    key: { type: apiKey, in: query, name: key, credentials: operator, actor: "\${1}" }
    cookie: { type: apiKey, in: cookie, name: sid, credentials: operator, actor: "\${1}" }
    basic: { type: http, scheme: basic, credentials: operator, actor: "\${1}" }
    token: { type: http, scheme: bearer, prefix: [Token, Pass], credentials: operator, actor: "\${1}" }
  otherwise: known
`);
  const credentials = (target: string, headers: Record<string, string> = {}): unknown => {
    const found = received({ method: 'GET', target, headers, body: '' }, 'http://a', guarded);
    if (found instanceof Unknown || found.kind !== 'request') return found;
    expect(found.request.query).toEqual(target.includes('n=1') ? { n: 1 } : {});
    return found.request.credentials;
  };
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  it('are read in the query, which has no parameter of this name, in cookies and in header fields', () => {
    expect(credentials('/door?n=1&key=a%20b', { cookie: 'x=1; sid="s"; sidy=2' })).toEqual([
      { scheme: 'key', value: 'a b' },
      { scheme: 'cookie', value: 's' },
    ]);
    expect(credentials('/door', { authorization: 'pass  t' })).toEqual([
      { scheme: 'token', word: 'pass', value: 't' },
    ]);
    expect(credentials('/door', { authorization: 'Other t' })).toEqual([
      { scheme: 'basic', word: 'Other', value: 't' },
    ]);
  });

  it('of `basic` are a name and a password, or nobody’s', () => {
    expect(credentials('/door', { authorization: basic('ada:a:b') })).toEqual([
      { scheme: 'basic', word: 'Basic', value: 'ada', password: 'a:b' },
    ]);
    expect(credentials('/door', { authorization: 'Basic ?' })).toMatchObject([{ isMadeUp: true }]);
  });

  it('are unknown if a place has several', () => {
    expect(credentials('/door?key=a&key=b')).toBeInstanceOf(Unknown);
  });
});
