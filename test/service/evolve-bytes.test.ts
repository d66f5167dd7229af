import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { place, rowsAt, runAt } from './places.ts';
import { ask, type Served, start } from './served.ts';

const files = (field: string, more = ''): string => `
name: Files
resources:
  File:
    identifier: id
    fields: { id: { type: string }, name: { type: string } ${field && `, ${field}: { type: string, format: binary }`} }
endpoints:
  others: refuse
  POST /files: { does: create File, request: { body: File }, response: 201 }
  PATCH /files/{id}: { does: update File, request: { body: File }, response: 204 }
  DELETE /files/{id}: { does: delete File, response: 204 }
${
  field &&
  `  PUT /files/{id}/content: { does: { update: File, with: { ${field}: "\${request.body}" } }, request: { media: text/plain, body: { type: string, format: binary } }, response: 204 }
  GET /files/{id}/content: { does: read File, response: { status: 200, media: text/plain, body: "\${this.${field}}" } }`
}
${more}`;

async function put(service: Served, id: string, content: string): Promise<void> {
  expect((await ask(service, 'POST /files', { id })).status).toBe(201);
  const put = await ask(service, `PUT /files/${id}/content`, content, ['Content-Type: text/plain']);
  expect(put.status).toBe(204);
}

async function content(service: Served, id: string): Promise<unknown> {
  const { status, body } = await ask(service, `GET /files/${id}/content`);
  return [status, body];
}

/** What `use` does with a service that goes on with the data. */
async function goingOn(text: string, data: string, use: (service: Served) => Promise<void>): Promise<void> {
  const service = await start(text, { data });
  await use(service);
  expect(service.faults).toEqual([]);
  await service.close();
}

const rowsOfBytes = async (data: string): Promise<number | undefined> =>
  (await rowsAt(data)).find(([name]) => name === 'bytes')?.[1].length;

it('bytes of a field that is gone are set aside, and are back if the field is stated again', async () => {
  const data = await place();
  await goingOn(files('content'), data, async (service) => {
    await put(service, 'a', 'one');
    await put(service, 'b', 'two');
  });
  await goingOn(files(''), data, async (service) => {
    expect((await ask(service, 'PATCH /files/a', { name: 'x' })).status).toBe(204);
    expect((await ask(service, 'DELETE /files/b')).status).toBe(204);
  });
  expect(await rowsOfBytes(data)).toBe(2);
  await goingOn(files('content'), data, async (service) => {
    expect(await content(service, 'a')).toEqual([200, 'one']);
  });
});

it('bytes of a field that is gone can be removed as docs/data.md says', async () => {
  const [, sql = ''] = /```sql\n(.*?)\n```/.exec(readFileSync('docs/data.md', 'utf8')) ?? [];
  const data = await place();
  await goingOn(files('content'), data, (service) => put(service, 'a', 'one'));
  await goingOn(files('other'), data, (service) => put(service, 'b', 'two'));
  expect(await rowsOfBytes(data)).toBe(2);
  await runAt(data, sql);
  expect(await rowsOfBytes(data)).toBe(1);
  await goingOn(files('other'), data, async (service) => {
    expect(await content(service, 'b')).toEqual([200, 'two']);
  });
});

it('bytes of a field that has another name are those of the item still', async () => {
  const data = await place();
  await goingOn(files('content'), data, (service) => put(service, 'a', 'one'));
  const renamed = files(
    'data',
    'versioning: { scheme: number, place: { header: V }, default: "2", versions: { "2": {}, "1": { differs: { resources.File.fields.data: { was: content } } } } }',
  );
  await goingOn(renamed, data, async (service) => {
    expect(await content(service, 'a')).toEqual([200, 'one']);
  });
  expect(await rowsOfBytes(data)).toBe(1);
});
