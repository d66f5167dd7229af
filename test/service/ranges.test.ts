import { describe, expect, it } from 'vitest';
import { byteRange } from '../../src/service/http/range.ts';
import { openStore } from '../../src/service/store/open.ts';
import type { Reads } from '../../src/service/store/store.ts';
import { isPostgres } from './places.ts';
import { type Answer, ask, type Served, start } from './served.ts';

const files = (answer = 'media: text/plain, body: "${this.content}"', more = ''): string => `
name: Files
resources:
  File: { identifier: id, fields: { id: { type: string }, content: { type: string, format: binary } } }
endpoints:
  others: refuse
  PUT /files/{id}: { does: { create: File, present: update, with: { content: "\${request.body}" } }, request: { media: text/plain, body: { type: string, format: binary } }, response: 204 }
  GET /files/{id}: { does: read File, conditional: { etag: strong, ifNoneMatch: allowed, ranges: allowed }, response: { status: 200, ${answer} } }
${more}`;

const text = '0123456789';

async function filled(document: string, content = text): Promise<Served> {
  const service = await start(document);
  expect((await ask(service, 'PUT /files/a', content, ['Content-Type: text/plain'])).status).toBe(204);
  return service;
}

const get = (service: Served, ...fields: readonly string[]): Promise<Answer> =>
  ask(service, 'GET /files/a', undefined, fields);

const field = ({ fields }: Answer, name: string): string | null =>
  fields.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;

describe('a range of bytes (language §4.3, RFC 9110 §14)', () => {
  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=5-', '56789', 'bytes 5-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', text, 'bytes 0-9/10'],
    ['BYTES= 8-99999999999999999999 ,', '89', 'bytes 8-9/10'],
  ])('%s is answered with these bytes alone', async (range, body, part) => {
    const service = await filled(files());
    const found = await get(service, `Range: ${range}`);
    expect([found.status, found.body, field(found, 'Content-Range')]).toEqual([206, body, part]);
    expect(field(found, 'Content-Length')).toBe(String(body.length));
    expect(field(found, 'ETag')).toBe(field(await get(service), 'ETag'));
  });

  it.each(['bytes=4-2', 'bytes=', 'bytes=a-', 'bytes=-', 'items=0-1', 'bytes=0-1,3-4', '0-1'])(
    '%s is ignored',
    async (range) => {
      const found = await get(await filled(files()), `Range: ${range}`);
      expect([found.status, found.body, field(found, 'Accept-Ranges')]).toEqual([200, text, 'bytes']);
    },
  );

  it('is not satisfiable past the end: 416, or as a row says', async () => {
    const service = await filled(files());
    for (const range of ['bytes=10-', 'bytes=10-11', 'bytes=-0']) {
      const found = await get(service, `Range: ${range}`);
      expect([found.status, found.body, field(found, 'Content-Range')]).toEqual([416, '', 'bytes */10']);
    }
    const row = 'errors: { codes: { past: { when: range not satisfiable, status: 400, body: past } } }';
    const found = await get(await filled(files(undefined, row)), 'Range: bytes=10-');
    expect([found.status, found.body, field(found, 'Content-Range')]).toEqual([400, 'past', 'bytes */10']);
  });

  it('is of the same content as before, where If-Range says so', async () => {
    const service = await filled(files());
    const tag = field(await get(service), 'ETag') as string;
    const status = async (condition: string, range = 'bytes=1-2'): Promise<number> =>
      (await get(service, `Range: ${range}`, `If-Range: ${condition}`)).status;
    expect(await status(tag)).toBe(206);
    expect(await status(`W/${tag}`)).toBe(200);
    expect(await status('"another"')).toBe(200);
    expect(await status('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(200);
    expect(await status('"another"', 'bytes=10-')).toBe(200);
    expect(await status(tag, 'bytes=10-')).toBe(416);
  });

  it('comes after 304, is of GET alone, and of no empty content', async () => {
    const service = await filled(files());
    const tag = field(await get(service), 'ETag') as string;
    expect((await get(service, 'Range: bytes=10-', `If-None-Match: ${tag}`)).status).toBe(304);
    expect((await ask(service, 'HEAD /files/a', undefined, ['Range: bytes=10-'])).status).toBe(200);
    expect((await ask(service, 'GET /files/b', undefined, ['Range: bytes=10-'])).status).toBe(404);
    const empty = await filled(files(), '');
    for (const range of ['bytes=-5', 'bytes=0-', 'bytes=5-', 'bytes=-0'])
      expect((await get(empty, `Range: ${range}`)).status).toBe(200);
  });

  // In PostgreSQL, a plan asks the server for a row once.
  it.skipIf(isPostgres)('loads the bytes once, for its judges and for the answer', async () => {
    let loads = 0;
    const counting = (reads: Reads): Reads =>
      new Proxy(reads, {
        get: (of, name) => {
          const value: unknown = Reflect.get(of, name, of);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            if (name === 'find' && given[0] === 'bytes') loads += 1;
            return value.apply(of, given);
          };
        },
      });
    const service = await start(files(), {
      open: async (data, tables) => {
        const store = await openStore(data, tables);
        const read: typeof store.read = (look) => store.read((reads) => look(counting(reads)));
        return { ...store, read };
      },
    });
    await ask(service, 'PUT /files/a', text, ['Content-Type: text/plain']);
    for (const fields of [['Range: bytes=1-2'], ['Range: bytes=1-2', 'If-Match: *'], []]) {
      loads = 0;
      expect([fields, (await get(service, ...fields)).status, loads]).toEqual([
        fields,
        fields.length > 0 ? 206 : 200,
        1,
      ]);
    }
  });

  it('counts the bytes of a text', async () => {
    const found = await get(
      await filled(files('media: text/plain, body: "é${this.id}"')),
      'Range: bytes=1-2',
    );
    expect([found.status, field(found, 'Content-Range')]).toEqual([206, 'bytes 1-2/3']);
  });

  it('is read in one go, however long the field is', () => {
    expect(byteRange(`bytes=${','.repeat(100_000)}0-1`, 5)).toEqual({ first: 0, last: 1 });
    expect(byteRange(`bytes=${'0-1,'.repeat(50_000)}`, 5)).toBe(null);
  });
});
