import { describe, expect, it } from 'vitest';
import { answer, ask, start, wire } from '../served.ts';

/** Notes; every refusal by a size has a row of its own. */
const notes = (sizes: string, order = '') => `name: notes
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, text: { type: string, maxLength: 20 } }
    required: [id, text]
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  GET /notes:
    does: list Note
    request: { query: { limit: { page: size, type: integer, maximum: 50 }, offset: { page: offset } } }
    response: { status: 200, body: { ids: "\${page.items.map(n, n.id)}" } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    long:    { when: too large body, status: 413 }
    wide:    { when: too large page, status: 422 }
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

  it('is that of the operation, where it has one of its own', async () => {
    const own = '{ body: 10 B, operations: { "POST /notes": 60 B } }';
    const service = await start(notes(own), { limits: { bodyBytes: 20 } });
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
      notes('{ body: 4 B }', '  order: [odd, long]')
        .replace('{ body: Note }', '{ headers: { X-Odd: {} }, body: Note }')
        .replace(
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

async function chunked(port: number, body: string, fields: readonly string[]) {
  const { send, answer: next } = wire({ port });
  send(`POST /notes HTTP/1.1\r\nHost: localhost\r\n${fields.join('\r\n')}\r\n\r\n${body}`);
  return next();
}
