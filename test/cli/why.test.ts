import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from './terminal.ts';

const { file } = temporaryFolder();

const document = file(
  'notes.yaml',
  `tacet: 1
resources:
  Person: { identifier: name, fields: { name: { type: string }, password: { type: string, secret: hashed } } }
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string }, by: { refers: Person, set: { create: "\${actor}" } } }
endpoints:
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /notes/{id}: { does: read Note, response: { status: 200 } }
  DELETE /notes/{id}: { does: delete Note, response: { body: (none) } }
authentication:
  schemes:
    own: { type: http, scheme: basic, credentials: { kept: [Person.name, Person.password] }, actor: Person }
    desk: { type: apiKey, in: header, name: X-Desk, credentials: operator, actor: desk }
  authorization: { POST /notes: "\${actor != null}" }
  otherwise: anyone
service: { actors: { desk: looks }, purpose: notes }
errors:
  order: listed
  codes:
    missing: { when: credential missing, status: 401 }
    none: { when: unknown Note, status: 404 }
    broken: { when: malformed, status: 400 }
`,
);
const body = file('body.json', '{ "text": "milk" }');

describe('tacet why', () => {
  it('tells who is refused, by which statement', async () => {
    const { code, out } = await tacet(['why', document, 'POST /notes', '--with', body]);
    expect(code).toBe(0);
    expect(out).toContain('401 Unauthorized\n  body      ?\n  by        errors.codes.missing  ');
    expect(out).toContain('  refuses   credential missing     authentication.authorization["POST /notes"]  ');
  });

  it('knows a sender with a good credential, of whom nothing else is known', async () => {
    const { out } = await tacet(['why', document, 'POST /notes', '--with', body, '--as', 'Person']);
    expect(out).toContain(
      '201 Created\n  content-type "application/json"\n  body      { "id": <uuid>, "text": "milk", "by": <Person.name> }\n',
    );
    const desk = await tacet(['why', document, 'GET /notes', '--as', 'main']);
    expect(desk.out).toContain('200 OK\n  content-type "application/json"\n  body      []\n');
  });

  it('names the open points by which something is not known', async () => {
    const before = file('before.json', JSON.stringify([{ request: 'GET /notes' }]));
    const { out } = await tacet(['why', document, 'DELETE /notes/n1', '--after', before]);
    expect(out).toContain('404 Not Found');
    const made = file('made.json', '{"log":{"entries":[]}}');
    expect((await tacet(['why', document, 'GET /notes', '--after', made])).out).toContain('body      []');
  });

  it('tells of a request that is refused before it is known what it asks for', async () => {
    const { code, out } = await tacet(['why', document, 'GET /elsewhere']);
    expect(code).toBe(0);
    expect(out).toBe('no operation: refused\n\n  refuses   unknown path\n');
  });

  it.each([
    [[], 'name the document'],
    [[document], 'name the request'],
    [[document, 'notes'], 'notes is no request'],
    [[document, 'GET /notes', '--with', 'none.json'], 'none.json cannot be read'],
    [[document, 'GET /notes', '--header', 'x'], 'x is no header field'],
    [[document, 'GET /notes', '--after', body], 'is no HAR file'],
    [[document, 'GET /notes/{1.body.id}'], 'no answer has {1.body.id}'],
    [['examples/todo.md', 'GET /', '--as', 'ann'], 'nobody is known as ann'],
  ])('refuses %j', async (argv, message) => {
    const { code, error } = await tacet(['why', ...argv]);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) });
  });
});
