import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, start } from './served.ts';

const statements = `
name: Statements
let: { ids(rows): "\${rows.map(s, s.id)}" }
resources:
  Statement: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  every GET: { request: { headers: { X-Team: {} } } }
  POST /statements/{kind}:
    - operation: importAll
      when: "\${request.media == 'text/plain'}"
      does: (none)
      request: { media: text/plain, body: { type: string } }
      response: { status: 202, body: "\${request.body}" }
    - operation: addOne
      when: "\${request.path.kind == 'one'}"
      does: create Statement
      request: { body: Statement }
      response: 201
  GET /statements:
    - operation: readOne
      when: "\${request.query.id != null}"
      does: { read: Statement, where: "\${this.id == request.query.id}" }
      request: { query: { id: { type: string } } }
      response: { status: 200, body: Statement }
    - operation: ofTeam
      when: "\${request.headers['x-team'] == 'a'}"
      does: (none)
      response: 204
    - operation: listAll
      does: list Statement
      request: { query: { size: { page: size } } }
      response: { status: 200, body: "\${ids(page.items)}" }
errors:
  codes:
    none: { when: unknown Statement, status: 410 }
    lost: { when: unknown path, status: 404 }
    bad:  { when: invalid, operations: [listAll], status: 422 }
`;

const allow = ({ fields }: Answer): unknown => fields?.find((one) => one.startsWith('Allow'));

describe('several operations on one path (language §4.1, `when`)', () => {
  it('are asked by the first whose condition holds, the last without one', async () => {
    const service = await start(statements);
    expect((await ask(service, 'POST /statements/one', { id: 'a', text: 'x' })).status).toBe(201);
    expect(await ask(service, 'GET /statements?id=a')).toEqual(answer(200, { id: 'a', text: 'x' }));
    expect((await ask(service, 'GET /statements?id=b')).status).toBe(410);
    expect((await ask(service, 'GET /statements', undefined, ['X-Team: a'])).status).toBe(204);
    expect((await ask(service, 'GET /statements?id=a', undefined, ['X-Team: a'])).status).toBe(200);
    expect(await ask(service, 'GET /statements')).toEqual(answer(200, ['a']));
    expect((await ask(service, 'GET /statements?size=x')).status).toBe(422);
  });

  it('are chosen by the media type and the path, and are no path where none holds', async () => {
    const service = await start(statements);
    const text = ['Content-Type: text/plain'];
    expect((await ask(service, 'POST /statements/one', 'abc', text)).status).toBe(202);
    expect((await ask(service, 'POST /statements/two', 'abc', text)).status).toBe(202);
    expect((await ask(service, 'POST /statements/two', { id: 'a', text: 'x' })).status).toBe(404);
    expect((await ask(service, 'PUT /statements/two', {})).status).toBe(405);
    expect(allow(await ask(service, 'PUT /statements'))).toBe('Allow: GET, HEAD');
  });
});
