import { describe, expect, it } from 'vitest';
import { answer, ask, start, wire } from '../served.ts';

/** Notes, and drafts of which a note may make one; every refusal by a size has a row of its own. */
const notes = (sizes: string, order = '') => `name: notes
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, text: { type: string, maxLength: 20 } }
    required: [id, text]
  Draft:
    identifier: id
    fields: { id: { type: string } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  POST /copies: { does: create Note, also: { create: Draft, with: { id: "\${this.id}" } }, request: { body: Note }, response: 201 }
  PUT /notes/{id}: { does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  GET /notes:
    does: list Note
    request: { query: { limit: { page: size, type: integer, maximum: 50 }, offset: { page: offset } } }
    response: { status: 200, body: { ids: "\${page.items.map(n, n.id)}" } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    long:    { when: too large body, status: 413 }
    wide:    { when: too large page, status: 422 }
    full:    { when: too large Note, status: 409 }
    invalid: { when: invalid, status: 400 }
${order}
limits: { sizes: ${sizes} }
`;

/** A body of so many bytes: white space is content too. */
const padded = (bytes: number, value: unknown): string => JSON.stringify(value).padEnd(bytes, ' ');
const refused = (status: number, code: string) => answer(status, { code });

describe('the content of a request (language §8.3, sizes.body)', () => {
  const note = (id: string) => ({ id, text: 'a' });

  it('is taken up to the size, and refused past it, with its length said or not', async () => {
    const service = await start(notes('{ body: 40 B }'));
    expect(await ask(service, 'POST /notes', padded(40, note('a')))).toMatchObject({ status: 201 });
    expect(await ask(service, 'POST /notes', padded(41, note('b')))).toEqual(refused(413, 'long'));
    const chunks = (bytes: number, value: unknown): string =>
      `${bytes.toString(16)}\r\n${padded(bytes, value)}\r\n0\r\n\r\n`;
    const inChunks = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const { status } = await chunked(service.port, chunks(40, note('c')), inChunks);
    expect(status).toBe(201);
    expect(await chunked(service.port, chunks(41, note('d')), inChunks)).toEqual(refused(413, 'long'));
    const { body } = await ask(service, 'GET /notes');
    expect(body).toEqual({ ids: ['a', 'c'] });
  });

  it('stands in place of what the host would take', async () => {
    const service = await start(notes('{ body: 60 B }'), { limits: { bodyBytes: 20 } });
    expect(await ask(service, 'POST /notes', padded(60, note('a')))).toMatchObject({ status: 201 });
    expect(await ask(service, 'POST /notes', padded(61, note('b')))).toEqual(refused(413, 'long'));
  });

  it('while it is open, is what the host takes, and more is refused by protocol alone', async () => {
    for (const open of ['{}', '{ body: (open) how large? }', '{ body: (none) }']) {
      const service = await start(notes(open), { limits: { bodyBytes: 40 } });
      expect(await ask(service, 'POST /notes', padded(41, note('b')))).toEqual(answer(413));
    }
  });

  it('is refused by the floor where no row lists it', async () => {
    const service = await start(notes('{ body: 4 B }').replace(/ {4}long.*\n/, ''));
    expect(await ask(service, 'POST /notes', note('a'))).toEqual(answer(413));
  });

  it('is judged before its media type, and where the order says', async () => {
    const text = ['Content-Type: text/plain'];
    const first = await start(notes('{ body: 4 B }'));
    expect(await ask(first, 'POST /notes', 'aaaaa', text)).toEqual(refused(413, 'long'));
    const later = await start(
      notes('{ body: 4 B }', '  order: [odd, long]').replace(
        '    invalid:',
        "    odd: { when: \"${request.headers['x-odd'] == '1'}\", status: 418 }\n    invalid:",
      ),
    );
    expect(await ask(later, 'POST /notes', 'aaaaa')).toEqual(refused(413, 'long'));
    expect(await ask(later, 'POST /notes', 'aaaaa', ['X-Odd: 1'])).toEqual(refused(418, 'odd'));
  });
});

describe('the items of a page (language §8.3, sizes.page)', () => {
  it('may be as many as that, and a larger page is refused before its parameter is held to its shape', async () => {
    const service = await start(notes('{ page: 10 }'));
    expect(await ask(service, 'GET /notes?limit=10')).toEqual(answer(200, { ids: [] }));
    expect(await ask(service, 'GET /notes?limit=11')).toEqual(refused(422, 'wide'));
    expect(await ask(service, 'GET /notes?limit=51')).toEqual(refused(422, 'wide'));
    expect(await ask(service, 'GET /notes?limit=many')).toEqual(refused(400, 'invalid'));
    expect(await ask(service, 'GET /notes?offset=11')).toEqual(answer(200, { ids: [] }));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, { ids: [] }));
  });

  it('are not counted while it is open how many there may be', async () => {
    const service = await start(notes('{ page: (none) }'));
    expect(await ask(service, 'GET /notes?limit=50')).toEqual(answer(200, { ids: [] }));
  });
});

describe('the items of a resource (language §8.3, sizes.R)', () => {
  const post = (service: { readonly port: number }, id: string, path = '/notes') =>
    ask(service, `POST ${path}`, { id, text: 'a' });

  it('may be as many as that; the next is refused until one goes', async () => {
    const service = await start(notes('{ Note: 2 }'));
    expect(await post(service, 'a')).toMatchObject({ status: 201 });
    expect(await post(service, 'b')).toMatchObject({ status: 201 });
    expect(await post(service, 'c')).toEqual(refused(409, 'full'));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, { ids: ['a', 'b'] }));
    expect(await ask(service, 'DELETE /notes/a')).toMatchObject({ status: 204 });
    expect(await post(service, 'c')).toMatchObject({ status: 201 });
    expect(await post(service, 'd')).toEqual(refused(409, 'full'));
  });

  it('are never more, whoever asks at once', async () => {
    const service = await start(notes('{ Note: 3 }'));
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const statuses = (await Promise.all(names.map((id) => post(service, id)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  });

  it('may be replaced and read where there are as many as there may be', async () => {
    const service = await start(notes('{ Note: 1 }'));
    expect(await ask(service, 'PUT /notes/a', { text: 'a' })).toMatchObject({ status: 204 });
    expect(await ask(service, 'PUT /notes/a', { text: 'b' })).toMatchObject({ status: 204 });
    expect(await ask(service, 'PUT /notes/b', { text: 'b' })).toEqual(refused(409, 'full'));
  });

  it('are counted where a change that follows makes them, and then nothing of it is kept', async () => {
    const service = await start(notes('{ Draft: 1 }'));
    expect(await post(service, 'a', '/copies')).toMatchObject({ status: 201 });
    expect(await post(service, 'b', '/copies')).toEqual(answer(413));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, { ids: ['a'] }));
  });

  it('may be changed where there are more than there may be by now', async () => {
    const first = await start(notes('{ Note: 2 }'));
    await post(first, 'a');
    await post(first, 'b');
    await first.close();
    const then = await start(notes('{ Note: 1 }'), { data: first.data });
    expect(await ask(then, 'PUT /notes/a', { text: 'c' })).toMatchObject({ status: 204 });
    expect(await post(then, 'c')).toEqual(refused(409, 'full'));
  });

  it('may be none', async () => {
    const service = await start(notes('{ Note: 0 }'));
    expect(await post(service, 'a')).toEqual(refused(409, 'full'));
  });

  it('of a body that does not fit it is not said that there is no room', async () => {
    const service = await start(notes('{ Note: 0 }'));
    expect(await ask(service, 'POST /notes', { id: 'a' })).toEqual(refused(400, 'invalid'));
  });
});

async function chunked(port: number, body: string, fields: readonly string[]) {
  const { send, answer: next } = wire({ port });
  send(`POST /notes HTTP/1.1\r\nHost: localhost\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
  return next();
}
