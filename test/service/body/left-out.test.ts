import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../served.ts';

const service = (request: string) =>
  start(`
name: Notes
resources:
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string }, size: { type: integer } }
    required: [text]
endpoints:
  others: refuse
  POST /: { does: create Note, request: { ${request}, required: false }, response: { status: 201, body: Note } }
  POST /told: { does: (none), request: { ${request}, required: false }, response: { status: 200, body: { got: "\${request.body}" } } }
errors:
  codes: { unread: { when: malformed, status: 400 }, unfit: { when: invalid, status: 422 }, other: { when: unsupported media, status: 415 } }
`);

describe('content that may be missing (language §4.2)', () => {
  it('is an empty object then, whatever it stands under', async () => {
    for (const request of [
      'body: { fields: { size: { type: integer } } }',
      'under: note, body: { type: object }',
    ]) {
      const to = await service(request);
      expect(await ask(to, 'POST /told')).toEqual(answer(200, { got: {} }));
    }
  });

  it('is judged like any other: members that have to be there are missing', async () => {
    const to = await service('body: Note');
    expect((await ask(to, 'POST /')).status).toBe(422);
    expect(await ask(to, 'POST /', { text: 'tea' })).toEqual(answer(201, { id: 1, text: 'tea' }));
  });

  it('is read as stated if it is there', async () => {
    const to = await service('body: { fields: { size: { type: integer } } }');
    expect((await ask(to, 'POST /told', [])).status).toBe(400);
    expect((await ask(to, 'POST /told', { size: 'x' })).status).toBe(422);
    expect(await ask(to, 'POST /told', { size: 1 })).toEqual(answer(200, { got: { size: 1 } }));
  });
});
