import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../served.ts';

const text = `
name: Notes
resources:
  Note: { identifier: id, fields: { id: { type: string }, tag: { type: string, unique: true }, n: { type: integer } } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Note.tag }, actor: Note } }
  authorization: { ruled: "\${request.query.n == null}" }
  otherwise: anyone
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  GET /note:
    does: { read: Note, where: "\${this.tag == request.query.tag.lower()}" }
    request: { query: { tag: { required: true } } }
    response: { status: 200, body: Note }
  PUT /note:
    does: { update: Note, where: "\${this.tag == request.query.tag.lower()}", with: { n: "\${request.query.n}" } }
    request: { query: { tag: { required: true }, n: { type: integer } } }
    response: 204
  GET /notes:
    does: { list: Note, where: "\${this.tag == request.query.tag.lower()}" }
    request: { query: { tag: { required: true } } }
    response: { status: 200, body: "\${Note(page.items)}" }
  GET /ruled:
    operation: ruled
    does: (none)
    request: { query: { n: { type: integer } } }
    response: { status: 200, body: "\${request.query.n}" }
  GET /counted:
    operation: counted
    does: (none)
    request: { query: { n: { type: integer } }, headers: { X-N: { type: integer } } }
    response: { status: 200, body: { n: "\${request.headers['x-n']}", has: "\${has(request.headers['X-n'])}" } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    wrong: { when: invalid, status: 422 }
    none: { when: unknown, status: 404 }
    denied: { when: not authorized, status: 403 }
    own: { when: "\${request.query.n == null && request.headers['x-N'] == null}", operations: [counted], status: 418 }
    over: { when: rate exceeded, status: 429 }
  order: [own, wrong]
limits:
  rates: { few: { allow: 1, every: P1D, per: "\${request.query.n}", operations: [counted] } }
`;

const refused = (status: number, code: string) => answer(status, { code });

describe('a parameter that does not fit its type (language §G.3)', () => {
  it('is `invalid` where an item is looked for by it, and nothing can be computed of it', async () => {
    const service = await start(text);
    await ask(service, 'POST /notes', { id: 'a', tag: 'x' });
    for (const line of ['GET /note', 'GET /note?tag=x&tag=y', 'PUT /note', 'PUT /note?n=1', 'GET /notes'])
      expect([line, await ask(service, line)]).toEqual([line, refused(422, 'wrong')]);
    expect(await ask(service, 'GET /note?tag=X')).toEqual(answer(200, { id: 'a', tag: 'x' }));
    expect(await ask(service, 'GET /note?tag=y')).toEqual(refused(404, 'none'));
    expect(service.faults).toEqual([]);
  });

  it('reads as null until it is judged: in a rule, in a rate, and in a row of its own', async () => {
    const service = await start(text);
    expect(await ask(service, 'GET /ruled?n=x')).toEqual(refused(422, 'wrong'));
    expect(await ask(service, 'GET /ruled?n=1&n=2')).toEqual(refused(422, 'wrong'));
    expect((await ask(service, 'GET /ruled?n=1')).status).toBe(400);
    for (let times = 0; times < 3; times += 1)
      expect(await ask(service, 'GET /counted?n=x')).toEqual(refused(418, 'own'));
    expect(await ask(service, 'GET /counted?n=x', undefined, ['X-N: 1'])).toEqual(refused(422, 'wrong'));
    expect(await ask(service, 'GET /counted?n=x', undefined, ['X-N: y'])).toEqual(refused(418, 'own'));
  });

  it('of the header is read in any case of its name', async () => {
    const service = await start(text);
    expect(await ask(service, 'GET /counted?n=1', undefined, ['X-N: 5'])).toEqual(
      answer(200, { n: 5, has: true }),
    );
    expect(await ask(service, 'GET /counted?n=2')).toEqual(answer(200, { has: false }));
  });
});
