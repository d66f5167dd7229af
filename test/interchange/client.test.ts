import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { clientOf } from '../../src/interchange/client/client.ts';
import { tacet } from '../cli/terminal.ts';
import { specificationOf, start, todo } from '../service/served.ts';
import { faults } from './compiled.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tacet-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lib = 'es2022,dom,dom.iterable';
const desk = readFileSync(join(root, 'examples/parcel-desk.md'), 'utf8');

/** The client of a document, loaded. It has no types here: those are compiled. */
async function clientFor(name: string, text: string): Promise<(options: object) => Client> {
  const file = join(folder, `${name}.loaded.ts`);
  writeFileSync(file, clientOf(specificationOf(text)));
  return ((await import(pathToFileURL(file).href)) as { createClient: (options: object) => Client })
    .createClient;
}

type Answer = { readonly status: number; readonly headers: Headers; readonly body: never };
type Client = { readonly [operation: string]: (given?: object) => Promise<Answer> };

/** Calls an operation by its name. */
function call(client: Client, operation: string, given?: object): Promise<Answer> {
  return (client[operation] as Client[string])(given);
}

/** A service that answers with what it read of the parameters of a request. */
function echo(place: string, parameter: string): string {
  const path = place === 'path' ? '/echo/{given}' : '/echo';
  const name = place === 'headers' ? 'X-Given' : 'given';
  return `
name: Echo
endpoints:
  GET ${path}:
    operation: echo
    does: (none)
    request: { ${place}: { ${name}: ${parameter} } }
    response: { status: 200, body: { given: "\${request.${place}['${name}']}" } }
`;
}

/** A service that keeps what it was sent, and answers each request alike. */
function recorder(answer: () => Response): { readonly requests: Request[]; readonly fetch: typeof fetch } {
  const requests: Request[] = [];
  return {
    requests,
    fetch: async (input, init) => {
      requests.push(new Request(input as string, init));
      return answer();
    },
  };
}

const placed = `
name: Placed
resources:
  Box: { identifier: id, fields: { id: { type: string }, what: { type: string } }, required: [what] }
endpoints:
  base: /api
  GET /boxes/{id}: { operation: read, does: read Box, response: { status: 200, body: Box } }
  GET /boxes:
    operation: look
    does: list Box
    request:
      query:
        tags: { type: array, items: { type: string } }
        few: { type: array, items: { type: string }, explode: false }
        deep: { fields: { a: { type: string } }, style: deepObject }
        json: { fields: { a: { type: string } }, style: json }
      headers: { X-Trace: { type: string, required: true } }
    response: { status: 200, body: { boxes: "\${Box(page.items)}" } }
  POST /notes:
    operation: note
    does: (none)
    request: { content: { application/json: { body: { fields: { a: { type: string } } } }, text/plain: { body: { type: string } } } }
    response: 204
authentication:
  schemes:
    asked: { type: apiKey, in: query, name: key, credentials: operator }
    baked: { type: apiKey, in: cookie, name: sid, credentials: operator }
    token: { type: http, scheme: bearer, prefix: Token, credentials: operator }
  authorization:
    look: { rule: known, schemes: [[asked, baked]] }
    read: known
    note: { rule: known, schemes: [token] }
versioning:
  scheme: number
  place: { path: /v }
  default: '2'
  versions: { '2': {}, '1': {} }
`;

describe('the client of a specification', () => {
  it('is TypeScript that compiles, whatever the document, and the same for the same document', () => {
    const paths = ['examples', 'test/documents/sound', 'test/documents/valid'].flatMap((under) =>
      readdirSync(join(root, under))
        .filter((name) => /\.(md|yaml)$/.test(name))
        .map((name) => join(root, under, name)),
    );
    const files = Object.fromEntries(
      paths.map((path) => [
        `all/${basename(path).replace(/\.\w+$/, '')}.ts`,
        clientOf(specificationOf(readFileSync(path, 'utf8'))),
      ]),
    );
    expect(Object.keys(files).length).toBeGreaterThan(5);
    expect(faults(folder, files, lib)).toEqual([]);
    expect(clientOf(specificationOf(desk))).toBe(clientOf(specificationOf(desk)));
  });

  it('types what is stated, and nothing else', () => {
    const uses = `
import { createClient, type Client } from './desk.js';

const client: Client = createClient({ url: 'http://x', credentials: { key: 'k', desk: { name: 'n', password: 'p' } } });
export async function use(): Promise<string | null | undefined> {
  const made = await client.registerAccount({ body: { email: 'a@b.example', role: 'sender' } });
  if (made.status === 201) return made.body.key;
  await client.listParcels();
  await client.listParcels({ query: { limit: 3 } });
  await client.readParcel({ path: { id: 'a' }, headers: { 'If-None-Match': 'x' } });
  // @ts-expect-error: the precondition is required
  await client.correctParcel({ path: { id: 'a' }, body: { weight: 3 } });
  // @ts-expect-error: a refusal has no key
  made.body.key;
  // @ts-expect-error: the path needs its parameter
  await client.readParcel();
  // @ts-expect-error: there is no such role
  await client.registerAccount({ body: { email: 'a@b.example', role: 'office' } });
  // @ts-expect-error: the service sets it
  await client.registerParcel({ body: { number: 1 } });
  // @ts-expect-error: there is no such parameter
  await client.listParcels({ query: { nothing: 1 } });
  // @ts-expect-error: there is no such operation
  await client.nothing();
  // @ts-expect-error: no such status is stated
  if (made.status === 299) return null;
  return made.body.title;
}
// @ts-expect-error: basic takes a name with a password
createClient({ url: 'http://x', credentials: { desk: 'p' } });
// @ts-expect-error: there is no such scheme
createClient({ url: 'http://x', credentials: { nobody: 'p' } });
`;
    const files = { 'typed/desk.ts': clientOf(specificationOf(desk)), 'typed/uses.ts': uses };
    expect(faults(folder, files, lib)).toEqual([]);
  });

  it('calls the running service without credentials', async () => {
    const { address } = await start(todo);
    const client = (await clientFor('todo', todo))({ url: address });
    const made = await call(client, 'addTodo', { body: { title: 'write' } });
    const id = made.headers.get('Location')?.split('/').at(-1) ?? '';
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ title: 'write', completed: false }),
    ]);
    expect(await call(client, 'changeTodo', { path: { id }, body: { completed: true } })).toMatchObject({
      status: 200,
      body: { title: 'write', completed: true },
    });
    expect((await call(client, 'listTodos')).body).toHaveLength(1);
    expect(await call(client, 'addTodo', { body: {} })).toMatchObject({
      status: 422,
      body: { message: 'title' },
    });
    expect(await call(client, 'removeTodo', { path: { id } })).toMatchObject({ status: 204, body: null });
    expect((await call(client, 'readTodo', { path: { id } })).status).toBe(404);
  });

  it('calls the running service with the credentials of its schemes', async () => {
    const { address } = await start(desk, { credentials: { desk: { office: 'open sesame' } } });
    const createClient = await clientFor('desk', desk);
    const register = async (role: string, options: object = {}): Promise<Answer> =>
      call(createClient({ url: address, ...options }), 'registerAccount', {
        body: { email: `${role}@desk.example`, role },
      });
    expect((await register('courier')).status).toBe(401);
    const office = { credentials: { desk: { name: 'office', password: 'open sesame' } } };
    expect((await register('courier', office)).status).toBe(201);
    const sender = (await register('sender')).body as unknown as { key: string };
    const client = createClient({ url: address, credentials: { key: sender.key } });
    const parcel = {
      recipient: 'Ada',
      address: { street: 'A 1', town: 'B', country: 'NL' },
      weight: 900,
    };
    const made = await call(client, 'registerParcel', {
      headers: { 'Idempotency-Key': 'once' },
      body: parcel,
    });
    const again = await call(client, 'registerParcel', {
      headers: { 'Idempotency-Key': 'once' },
      body: parcel,
    });
    // The newest version weighs in grams.
    expect(made).toMatchObject({ status: 201, body: { weight: 900 } });
    expect(again.body).toEqual(made.body);
    const { id } = made.body as unknown as { id: string };
    const read = await call(client, 'readParcel', { path: { id } });
    const corrected = await call(client, 'correctParcel', {
      path: { id },
      headers: { 'If-Match': read.headers.get('ETag') },
      body: { weight: 950 },
    });
    expect(corrected).toMatchObject({ status: 200, body: { weight: 950 } });
    expect(await call(client, 'listParcels', { query: { heavier: 940 } })).toMatchObject({
      body: { items: [{ id }], next: null },
    });
  });

  it('puts parameters, credentials and the version where the document says', async () => {
    const createClient = await clientFor('placed', placed);
    const { requests, fetch } = recorder(() => Response.json({ boxes: [] }, { status: 200 }));
    const client = createClient({
      url: 'http://desk.example/',
      credentials: { asked: 'a b', baked: 'c', token: 't' },
      fetch,
    });
    await call(client, 'look', {
      query: { tags: ['x', 'y'], few: ['x', 'y'], deep: { a: '1' }, json: { a: '1' } },
      headers: { 'X-Trace': 'n' },
    });
    await call(client, 'read', { path: { id: 'a/b' } });
    const [looked, read] = requests as [Request, Request];
    expect(looked.url).toBe(
      `http://desk.example/v2/api/boxes?tags=x&tags=y&few=x,y&deep%5Ba%5D=1&json=${encodeURIComponent('{"a":"1"}')}&key=a%20b`,
    );
    expect(Object.fromEntries(looked.headers)).toEqual({ cookie: 'sid=c', 'x-trace': 'n' });
    expect([read.url, ...read.headers]).toEqual(['http://desk.example/v2/api/boxes/a%2Fb?key=a%20b']);
    const credentials = { desk: { name: 'office', password: 'ö' } };
    const placing = await clientFor('desk-placed', desk);
    await call(placing({ url: 'http://desk.example', credentials, fetch }), 'listParcels');
    expect(Object.fromEntries(requests[2]?.headers ?? [])).toEqual({
      authorization: `Basic ${Buffer.from('office:ö').toString('base64')}`,
      'desk-version': '2026-11-01',
    });
  });

  const texts = (style: string): string => `{ type: array, items: { type: string }, ${style} }`;
  const point = (style: string): string =>
    `{ type: object, fields: { x: { type: string }, y: { type: integer } }, ${style} }`;
  const list = ['a b', 'ä&=', '100%'];
  it.each<[place: string, parameter: string, given: unknown]>([
    ['path', '{ type: string }', 'a/b c?ä'],
    ...['simple', 'label', 'matrix'].flatMap((style) =>
      [false, true].flatMap((explode): [string, string, unknown][] => [
        ['path', `{ type: integer, style: ${style}, explode: ${explode} }`, 7],
        ['path', texts(`style: ${style}, explode: ${explode}`), list],
        ['path', point(`style: ${style}, explode: ${explode}`), { x: 'a b', y: 2 }],
      ]),
    ),
    ['query', '{ type: string }', 'a+b &c=ä'],
    ['query', '{ type: string, format: date-time }', '2026-11-21T12:00:00+01:00'],
    ['query', '{ type: string, format: date }', '2026-11-21'],
    ['query', '{ type: boolean }', false],
    ['query', '{ type: number }', 1.5],
    ['query', texts('explode: true'), list],
    ['query', texts('explode: false'), list],
    ['query', texts('style: spaceDelimited'), ['a', 'ä&=', '100%']],
    ['query', texts('style: pipeDelimited'), list],
    ['query', texts('style: json'), list],
    ['query', point('explode: true'), { x: 'a b', y: 2 }],
    ['query', point('explode: false'), { x: 'a b', y: 2 }],
    ['query', point('style: deepObject'), { x: 'a b&', y: 2 }],
    ['query', point('style: json'), { x: 'a b', y: 2 }],
    ['headers', '{ type: string, format: date-time }', '2026-11-21T12:00:00Z'],
    ['headers', texts('explode: false'), ['a b', 'c']],
    ['headers', point('explode: false'), { x: 'a b', y: 2 }],
    ['headers', point('explode: true'), { x: 'a b', y: 2 }],
    ['headers', point('style: json'), { x: 'a, b', y: 2 }],
  ])('in %s, the running service reads %s as it was given', async (place, parameter, given) => {
    const text = echo(place, parameter);
    const { address } = await start(text);
    const file = `echo-${Buffer.from(place + parameter)
      .toString('hex')
      .slice(0, 200)}`;
    const client = (await clientFor(file, text))({ url: address });
    const name = place === 'headers' ? 'X-Given' : 'given';
    const answer = await call(client, 'echo', { [place]: { [name]: given } });
    expect([answer.status, answer.body]).toEqual([200, { given }]);
  });

  it('sends content in the media type that is named, and rejects an answer that is not stated', async () => {
    const createClient = await clientFor('placed', placed);
    const { requests, fetch } = recorder(() => Response.json({ why: 'so' }, { status: 299 }));
    const client = createClient({
      url: 'http://desk.example',
      credentials: { asked: 'a', token: 't' },
      fetch,
    });
    const unstated = { name: 'UnstatedAnswer', status: 299, body: { why: 'so' } };
    await expect(call(client, 'note', { body: { a: 'b' } })).rejects.toMatchObject(unstated);
    await expect(call(client, 'note', { body: 'a b', media: 'text/plain' })).rejects.toMatchObject(unstated);
    const sent = await Promise.all(
      requests.map(async (each) => [each.headers.get('Content-Type'), await each.text()]),
    );
    expect(sent).toEqual([
      ['application/json', '{"a":"b"}'],
      ['text/plain', 'a b'],
    ]);
    expect(requests[0]?.headers.get('Authorization')).toBe('Token t');
  });

  it('leaves open what the document leaves open, with the address of the point', () => {
    const text = clientOf(
      specificationOf(`
name: S
resources: { Box: { identifier: id, fields: { id: { type: string }, what: { type: string } } } }
endpoints:
  POST /boxes: { operation: make, does: create Box, request: { body: (open) which members? }, response: { status: 201, body: Box } }
  POST /others: { operation: other, does: (open) what? }
`),
    );
    expect(text).toContain('   * Open: endpoints["POST /boxes"].request.body\n');
    expect(text).toContain('make(request?: { body?: unknown }): Promise<\n    | Answer<201, Shown["Box"]>\n');
    expect(text).toContain('   * Open: endpoints["POST /others"].does\n');
    expect(text).toContain('other(request?: { body?: unknown }): Promise<\n    | Answer<number, unknown>\n');
    expect(text).toContain(' * Open: authentication\n');
    expect(text).toContain(' * Open: versioning\n');
  });
});

describe('docs/client.md', () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
  const block = (name: string): string => page.split(`\`\`\`${name}\n`)[1]?.split('```')[0] ?? '';

  it('shows the client of its document, and a use that compiles', () => {
    const client = clientOf(specificationOf(block('yaml tacet')));
    expect(block('ts client')).toMatch(/^export interface Client/);
    expect(client).toContain(block('ts client'));
    const files = { 'page/client.ts': client, 'page/uses.ts': block('ts uses') };
    expect(faults(folder, files, lib)).toEqual([]);
  });
});

describe('tacet export --client', () => {
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('placed.yaml'), placed);

  it('prints the client, or writes it to a file', async () => {
    const client = clientOf(specificationOf(placed));
    const words = ['export', path('placed.yaml'), '--client', 'ts'];
    expect(await tacet(words)).toMatchObject({ code: 0, out: client, error: '' });
    const out = path('out.ts');
    expect((await tacet([...words, '-o', out])).out).toBe(`wrote ${out}\n`);
    expect(readFileSync(out, 'utf8')).toBe(client);
    expect(await tacet([...words, '-o', out])).toMatchObject({
      code: 2,
      error: expect.stringContaining('is there already; --force'),
    });
  });

  it.each([
    [['--client', 'go'], '--client is ts, and go is not; for other languages, make a client of the OpenAPI'],
    [['--client', 'ts', '--openapi', '3.1'], '--client and --openapi do not go together: leave one out'],
    [['--client', 'ts', '--losses'], '--client and --losses do not go together: leave one out'],
  ])('refuses %j', async (words, message) => {
    const { code, error } = await tacet(['export', path('placed.yaml'), ...words]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
    expect(error).toContain('help: tacet export --help');
  });

  it('writes nothing of a document that has errors', async () => {
    writeFileSync(path('broken.yaml'), 'name: S\nnothing: 1\n');
    const { code, out, error } = await tacet(['export', path('broken.yaml'), '--client', 'ts']);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('unknown');
  });
});
