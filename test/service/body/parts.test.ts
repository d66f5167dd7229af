import { describe, expect, it } from 'vitest';
import { type Served, start } from '../served.ts';

const files = `
name: Files
resources:
  File:
    identifier: id
    fields:
      id:      { type: integer, set: { create: "\${sequence()}" } }
      media:   { type: string }
      name:    { type: [string, "null"] }
      content: { type: string, format: binary, maxLength: 10 }
endpoints:
  others: refuse
  POST /files:
    does: (none)
    also:
      - create: File
        for: "\${request.body}"
        as: made
        with: { media: "\${value.headers['content-type']}", name: "\${value.headers['x-name']}", content: "\${value.body}" }
    request:
      media: multipart/mixed
      body: { type: array, minItems: 1, items: { properties: { body: { type: string, format: binary } } } }
    response: { status: 201, body: "\${made.map(f, f.id)}" }
  POST /echo:
    does: (none)
    request: { media: multipart/mixed, body: { type: array, items: { properties: { body: {} } } } }
    response: { status: 200, body: "\${request.body.map(p, {'headers': p.headers, 'body': p.body})}" }
  GET /files:
    does: { list: File, order: [id] }
    response:
      status: 200
      content:
        multipart/mixed:
          body: "\${page.items.map(f, {'headers': {'Content-Type': f.media, 'X-Name': f.name}, 'body': f.content})}"
        application/json: { body: "\${File(page.items)}" }
  GET /files/{id}:
    does: read File
    response:
      status: 200
      media: multipart/related; type="application/json"
      body:
        - { headers: { Content-Type: application/json }, body: "\${File(this)}" }
        - { headers: { Content-Type: "\${this.media}" }, body: "\${this.content}" }
        - { body: "\${this.name}" }
  GET /wrong: { does: (none), response: { status: 200, media: multipart/mixed, body: [{ headers: {}, body: { a: 1 } }] } }
errors:
  codes: { unreadable: { when: malformed, status: 400 }, media: { when: unsupported media, status: 415 }, invalid: { when: invalid, status: 422, body: "\${error.failures}" } }
`;

interface Got {
  readonly status: number;
  readonly media: string;
  readonly body: string;
}

async function ask({ address }: Served, endpoint: string, init: RequestInit = {}): Promise<Got> {
  const [method = '', path = ''] = endpoint.split(' ');
  const answer = await fetch(`${address}${path}`, { method, ...init });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const media = answer.headers.get('content-type') ?? '';
  return { status: answer.status, media, body: bytes.toString('latin1') };
}

const sent = (parts: string, type = 'multipart/mixed; boundary=b'): RequestInit => ({
  headers: { 'Content-Type': type },
  body: Buffer.from(parts, 'latin1'),
});
const part = (fields: string, content: string): string => `--b\r\n${fields}\r\n${content}\r\n`;
const two = `${part('Content-Type: image/png\r\nX-NAME: a\r\n', '\x00\xff\r\n--')}${part('Content-Type: text/plain\r\n', 'hi')}--b--`;

describe('content in parts (RFC 2046 §5.1)', () => {
  it('is a list of header fields and bodies, of which bytes stay as they are', async () => {
    const service = await start(files);
    const made = await ask(service, 'POST /files', sent(two));
    expect([made.status, made.body]).toEqual([201, '[1,2]']);
    const { media, body } = await ask(service, 'GET /files');
    const boundary = /^multipart\/mixed; boundary=([0-9a-f]{40})$/.exec(media)?.[1];
    expect(body.split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Type: image/png\r\nX-Name: a\r\n\r\n\x00\xff\r\n--\r\n',
      '\r\nContent-Type: text/plain\r\n\r\nhi\r\n',
      '--\r\n',
    ]);
    expect((await ask(service, 'GET /files')).media).toBe(media);
  });

  it('is read as it is sent', async () => {
    const service = await start(files);
    await ask(service, 'POST /files', sent(two));
    const { media, body } = await ask(service, 'GET /files');
    expect((await ask(service, 'POST /files', sent(body, media))).body).toBe('[3,4]');
    const again = (await ask(service, 'GET /files')).body.split(/--[0-9a-f]{40}/);
    expect([again[3], again[4]]).toEqual([again[1], again[2]]);
  });

  it('is beside JSON what the client prefers', async () => {
    const service = await start(files);
    const json = await ask(service, 'GET /files', { headers: { Accept: 'application/json' } });
    expect([json.media, json.body]).toEqual(['application/json', '[]']);
    const none = await ask(service, 'GET /files');
    expect(none.body).toMatch(/^--[0-9a-f]{40}--\r\n$/);
  });

  it('has parts of which each is stated by itself, with its own type', async () => {
    const service = await start(files);
    await ask(service, 'POST /files', sent(two));
    const { media, body } = await ask(service, 'GET /files/1');
    expect(media).toMatch(/^multipart\/related; type="application\/json"; boundary=/);
    expect(body.split(/--[0-9a-f]{40}/).slice(1, -1)).toEqual([
      '\r\nContent-Type: application/json\r\n\r\n{"id":1,"media":"image/png","name":"a"}\r\n',
      '\r\nContent-Type: image/png\r\n\r\n\x00\xff\r\n--\r\n',
      '\r\n\r\na\r\n',
    ]);
  });

  it('has bodies that are JSON or text by the type of their part, and of no other, if their shape is not bytes', async () => {
    const service = await start(files);
    const echo = async (fields: string, content: string): Promise<unknown> => {
      const { status, body } = await ask(service, 'POST /echo', sent(`${part(fields, content)}--b--`));
      return status === 200 ? JSON.parse(Buffer.from(body, 'latin1').toString())[0] : status;
    };
    expect(await echo('Content-Type: application/json\r\n', '{"a":[1]}')).toEqual({
      headers: { 'content-type': 'application/json' },
      body: { a: [1] },
    });
    expect(await echo('', 'plain')).toEqual({ headers: {}, body: 'plain' });
    expect(await echo('X-Long: a\r\n b\r\nContent-Type: text/x; charset=utf-8\r\n', '\xc3\xa4')).toEqual({
      headers: { 'x-long': 'a b', 'content-type': 'text/x; charset=utf-8' },
      body: 'ä',
    });
    expect(await echo('Content-Type: application/json\r\n', '{')).toBe(400);
    expect(await echo('Content-Type: text/plain\r\n', '\xff')).toBe(400);
    expect(await echo('Content-Type: text/plain; charset=latin1\r\n', 'a')).toBe(400);
    expect(await echo('Content-Type: image/png\r\n', 'a')).toBe(415);
  });

  it.each([
    ['no boundary', two, 'multipart/mixed'],
    ['no end', part('', 'a'), undefined],
    ['a header field twice', `${part('A: 1\r\na: 2\r\n', 'a')}--b--`, undefined],
    ['another transfer coding', `${part('Content-Transfer-Encoding: base64\r\n', 'YQ==')}--b--`, undefined],
    ['a control character in a field', `${part('A: \x01\r\n', 'a')}--b--`, undefined],
    ['a part without an end of its fields', '--b\r\nA: 1\r\n--b--', undefined],
  ])('is malformed with %s', async (_, content, type) => {
    const service = await start(files);
    expect((await ask(service, 'POST /files', sent(content, type))).status).toBe(400);
  });

  it('is of no other type, and held against its shape', async () => {
    const service = await start(files);
    expect((await ask(service, 'POST /files', sent(two, 'multipart/form-data; boundary=b'))).status).toBe(
      415,
    );
    expect((await ask(service, 'POST /files', sent('--b--'))).status).toBe(422);
    const long = await ask(
      service,
      'POST /files',
      sent(`${part('Content-Type: a/b\r\n', '12345678901')}--b--`),
    );
    expect([long.status, JSON.parse(long.body)]).toEqual([422, [{ field: 'content', keyword: 'maxLength' }]]);
  });

  it('is no content whose parts say not how they are written', async () => {
    const service = await start(files);
    expect((await ask(service, 'GET /wrong')).status).toBe(500);
    expect(String((service.faults[0] as Error).message)).toContain('the body of this part is no text');
  });
});
