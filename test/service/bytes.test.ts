import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Served, start } from './served.ts';

const files = `
name: Files
resources:
  File:
    identifier: id
    fields:
      id:      { type: string }
      name:    { type: string }
      media:   { type: string }
      content: { type: string, format: binary, maxLength: 10 }
      size:    { type: integer, derived: "\${size(this.content)}" }
      sha256:  { type: string, derived: "\${sha256(this.content).hex}" }
endpoints:
  others: refuse
  POST /files: { does: create File, request: { media: [application/json, multipart/form-data], body: File }, response: { status: 201, body: File } }
  GET /files: { does: { list: File, where: "\${size(this.content) > 2 || this.content == null}", order: [id] }, response: { status: 200, body: "\${File(page.items)}" } }
  GET /files/{id}: { does: read File, response: { status: 200, body: File } }
  PATCH /files/{id}: { does: update File, request: { body: File, media: [application/json, application/json-patch+json, application/merge-patch+json] }, response: { status: 200, body: File } }
  PUT /files/{id}: { does: replace File, request: { body: File }, response: { status: 200, body: File } }
  PUT /files/{id}/undone:
    does: { update: File, with: { content: "\${request.body}" } }
    request: { media: a/b, body: { type: string, format: binary } }
    response: { status: 200, media: "\${this.name}", body: "\${this.content}" }
  DELETE /files/{id}: { does: delete File, response: 204 }
  DELETE /files: { does: delete every File, response: 204 }
  PUT /files/{id}/content:
    does: { update: File, with: { content: "\${request.body}", media: "\${request.media}" } }
    request: { media: (any), body: { type: string, format: binary, maxLength: 10 } }
    response: 204
  GET /files/{id}/content:
    does: read File
    response: { status: 200, media: "\${this.media}", body: "\${this.content}" }
errors:
  codes: { invalid: { when: invalid, status: 422, body: "\${error.failures}" }, gone: { when: unknown, status: 404 } }
`;

interface Got {
  readonly status: number;
  readonly media: string | null;
  readonly body: unknown;
}

async function ask({ address }: Served, endpoint: string, init: RequestInit = {}): Promise<Got> {
  const [method = '', path = ''] = endpoint.split(' ');
  const answer = await fetch(`${address}${path}`, { method, ...init });
  const media = answer.headers.get('content-type');
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = media === 'application/json' ? JSON.parse(bytes.toString()) : bytes.toString('latin1');
  return { status: answer.status, media, body };
}

const json = (body: unknown, type = 'application/json'): RequestInit => ({
  headers: { 'Content-Type': type },
  body: JSON.stringify(body),
});

const raw = (text: string, type: string): RequestInit => ({
  headers: { 'Content-Type': type },
  body: Buffer.from(text, 'latin1'),
});

const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

const store = readFileSync(new URL('../../examples/files.md', import.meta.url), 'utf8');

describe('the example of a file store', () => {
  it('keeps the parts of forms, counts their bytes, and gives them back', async () => {
    const service = await start(store);
    expect(await ask(service, 'PUT /spaces/mine', json({ room: 7 }))).toMatchObject({
      status: 201,
    });
    const form = (content: string, type: string): RequestInit => {
      const body = new FormData();
      body.set('name', 'a file');
      body.set('content', new Blob([content], { type }));
      return { body };
    };
    const added = await ask(service, 'POST /spaces/mine/files', form('abc', 'text/x; charset=latin1'));
    expect(added).toMatchObject({
      status: 201,
      body: { id: 1, name: 'a file', media: 'text/x', size: 3, sha256: abc },
    });
    expect(await ask(service, 'GET /files/1/content')).toEqual({ status: 200, media: 'text/x', body: 'abc' });
    expect(await ask(service, 'POST /spaces/mine/files', form('12345', 'a/b'))).toMatchObject({
      status: 409,
    });
    expect(await ask(service, 'POST /spaces/mine/files', form('1234', 'a/b'))).toMatchObject({ status: 201 });
    expect(await ask(service, 'PUT /files/1/content', raw('abcd', 'a/b'))).toMatchObject({
      status: 409,
      body: { message: 'The space has room for 7 bytes' },
    });
    expect(await ask(service, 'POST /spaces/mine/files', json({ name: 'none' }))).toMatchObject({
      status: 201,
    });
    expect(await ask(service, 'GET /spaces/mine')).toMatchObject({ body: { room: 7, used: 7 } });
    expect(await ask(service, 'DELETE /files/1')).toMatchObject({ status: 204 });
    expect(await ask(service, 'GET /spaces/mine')).toMatchObject({ body: { used: 4 } });
    expect(service.faults).toEqual([]);
  });
});

describe('the example of a file store, with several files at once', () => {
  it('takes them as parts, gives them back so, and lists them as JSON or as CSV', async () => {
    const service = await start(store);
    await ask(service, 'PUT /spaces/mine', json({}));
    const parts = [
      'Content-Type: text/x\r\nContent-Description: one\r\n\r\nabc',
      'Content-Type: a/b\r\nContent-Description: two\r\n\r\n\xff',
    ];
    const content = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--`;
    const added = await ask(
      service,
      'POST /spaces/mine/files/several',
      raw(content, 'multipart/mixed; boundary=b'),
    );
    expect(added).toMatchObject({
      status: 201,
      body: { files: [{ id: 1, name: 'one', media: 'text/x' }, { id: 2 }] },
    });
    const sent = await ask(service, 'GET /spaces/mine/files/several');
    expect(String(sent.body).split(/--[0-9a-f]{40}(?:--)?\r\n/)).toEqual([
      '',
      ...parts.map((part) => `${part}\r\n`),
      '',
    ]);
    const csv = await ask(service, 'GET /spaces/mine/files', { headers: { Accept: 'text/csv' } });
    expect(csv).toEqual({ status: 200, media: 'text/csv', body: '1,3,text/x\n2,1,a/b' });
    const none = await ask(service, 'GET /files/7', { headers: { Accept: 'text/plain' } });
    expect(none).toEqual({ status: 404, media: 'text/plain', body: 'There is no such space or file' });
    expect(service.faults).toEqual([]);
  });
});

describe('a field of bytes (language §H.1)', () => {
  it('is kept outside the row, and given back as it came', async () => {
    const service = await start(files);
    const added = { id: 'a', name: 'A', size: null, sha256: null };
    expect(await ask(service, 'POST /files', json({ id: 'a', name: 'A' }))).toMatchObject({
      status: 201,
      body: added,
    });
    expect(await ask(service, 'GET /files/a/content')).toEqual({ status: 200, media: null, body: '' });
    const bytes = '\0\xff\r\n--';
    expect(await ask(service, 'PUT /files/a/content', raw(bytes, 'image/png; q=1'))).toMatchObject({
      status: 204,
    });
    expect(await ask(service, 'GET /files/a/content')).toEqual({
      status: 200,
      media: 'image/png',
      body: bytes,
    });
    expect((await ask(service, 'GET /files/a')).body).toMatchObject({
      id: 'a',
      name: 'A',
      media: 'image/png',
      size: 6,
    });
    expect(await ask(service, 'PUT /files/a/content', raw('', 'text/plain'))).toMatchObject({ status: 204 });
    expect(await ask(service, 'GET /files/a/content')).toEqual({
      status: 200,
      media: 'text/plain',
      body: '',
    });
    expect((await ask(service, 'GET /files/a')).body).toMatchObject({ size: 0, sha256: empty });
    expect(service.faults).toEqual([]);
  });

  it('comes as a part, whatever its bytes; maxLength counts them', async () => {
    const service = await start(files);
    const form = (content: string): RequestInit => {
      const body = new FormData();
      body.set('id', 'b');
      body.set(
        'content',
        new Blob([Buffer.from(content, 'latin1')], { type: 'a/b; charset=utf-16' }),
        'b "x".bin',
      );
      return { body };
    };
    expect(await ask(service, 'POST /files', form('12345678901'))).toEqual({
      status: 422,
      media: 'application/json',
      body: [{ field: 'content', keyword: 'maxLength' }],
    });
    expect(await ask(service, 'POST /files', form('\xe9234567890'))).toMatchObject({
      status: 201,
      body: { id: 'b', size: 10 },
    });
    expect(await ask(service, 'PUT /files/b/content', raw('12345678901', 'a/b'))).toMatchObject({
      status: 422,
      body: [{ field: '', keyword: 'maxLength' }],
    });
  });

  it('is in no JSON: not given, not shown, not patched', async () => {
    const service = await start(files);
    await ask(service, 'POST /files', json({ id: 'a' }));
    await ask(service, 'PUT /files/a/content', raw('abc', 'a/b'));
    const value = { sha256: empty, size: 0 };
    for (const init of [
      json({ content: 'x' }),
      json({ content: value }),
      json({ content: null }, 'application/merge-patch+json'),
    ])
      expect(await ask(service, 'PATCH /files/a', init)).toMatchObject({
        status: 422,
        body: [{ keyword: 'others' }],
      });
    for (const patch of [
      { op: 'remove', path: '/content' },
      { op: 'test', path: '/content/size', value: 3 },
      { op: 'add', path: '/content', value },
    ])
      expect(
        await ask(service, 'PATCH /files/a', json([patch], 'application/json-patch+json')),
      ).toMatchObject({ status: 422 });
    const renamed = await ask(
      service,
      'PATCH /files/a',
      json([{ op: 'add', path: '/name', value: 'N' }], 'application/json-patch+json'),
    );
    expect(renamed.body).toEqual({ id: 'a', name: 'N', media: 'a/b', size: 3, sha256: abc });
    expect((await ask(service, 'GET /files')).body).toEqual([renamed.body]);
    expect((await ask(service, 'GET /files/a/content')).body).toBe('abc');
  });

  it('stays where a replacement does not give it, and is sent as no JSON', async () => {
    const service = await start(files);
    await ask(service, 'POST /files', json({ id: 'a', name: 'A' }));
    await ask(service, 'PUT /files/a/content', raw('abc', 'a/b'));
    expect((await ask(service, 'PUT /files/a', json({ name: 'B' }))).body).toMatchObject({
      name: 'B',
      size: 3,
    });
    expect((await ask(service, 'GET /files/a/content')).status).toBe(500);
    await ask(service, 'PATCH /files/a', json({ media: 'a/b' }));
    expect((await ask(service, 'GET /files/a/content')).body).toBe('abc');
    // What is undone leaves those that were there.
    expect((await ask(service, 'PUT /files/a/undone', raw('new', 'a/b'))).status).toBe(500);
    expect((await ask(service, 'GET /files/a/content')).body).toBe('abc');
    expect(service.faults.map(String)).toEqual([
      expect.stringContaining('this is no media type'),
      expect.stringContaining('this is no media type'),
    ]);
  });

  it('goes with its item', async () => {
    const service = await start(files);
    const kept = async (): Promise<number> =>
      (await service.rows()).find(([name]) => name === 'bytes')?.[1].length ?? 0;
    for (const id of ['a', 'b', 'c', 'd']) {
      await ask(service, 'POST /files', json({ id }));
      await ask(service, `PUT /files/${id}/content`, raw('abc', 'a/b'));
    }
    await ask(service, 'PUT /files/b/content', raw('abcd', 'a/b'));
    expect(await kept()).toBe(4);
    await ask(service, 'DELETE /files/a');
    expect(await kept()).toBe(3);
    await ask(service, 'DELETE /files');
    expect(await kept()).toBe(0);
  });
});
