import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../service/served.ts';
import { absence, schema } from '../service/store/postgres.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { path: folder, file } = temporaryFolder();
const missing = await absence();

const text = `
name: Notes
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note, others: refuse }, response: 204 }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
errors: { codes: {} }
events:
  kinds: { added: { by: [add], body: { id: "\${this.id}" } }, removed: { by: [remove] } }
  envelope: (none)
`;
const document = file('notes.yaml', text);

async function listed(data: string, where: '--data' | '--store', ...more: string[]): Promise<string[]> {
  const service = await start(text, { data });
  expect(await ask(service, 'POST /notes', { id: 'a' })).toEqual(answer(204));
  expect(await ask(service, 'POST /notes', { id: 'b' })).toEqual(answer(204));
  expect(await ask(service, 'DELETE /notes/a')).toEqual(answer(204));
  const { code, out, error } = await tacet(['events', document, where, data, ...more]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return out
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .trimEnd()
    .split('\n');
}

const all = [
  'TIME  ID  added  add  Note a',
  'TIME  ID  added  add  Note b',
  'TIME  ID  removed  remove  Note a  not to be delivered',
];

describe('tacet events', () => {
  it('lists the events of a service that runs, in the order in which they were committed', async () => {
    expect(await listed(join(folder, 'a.sqlite'), '--data')).toEqual(all);
  });

  it.skipIf(missing !== null)('also those that are kept in PostgreSQL', async () => {
    expect(await listed((await schema()).address, '--store')).toEqual(all);
  });

  it('lists those of one kind, whole', async () => {
    const lines = await listed(join(folder, 'b.sqlite'), '--data', '--kind', 'removed', '--json');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        id: 'ID',
        kind: 'removed',
        by: 'remove',
        at: 'TIME',
        source: null,
        subject: null,
        body: null,
        item: ['Note', 'a'],
        content: null,
      },
    ]);
  });

  it('says so where nothing is kept, and where no events are', async () => {
    const absent = join(folder, 'none.sqlite');
    expect(await tacet(['events', document, '--data', absent])).toMatchObject({
      code: 2,
      error: expect.stringContaining(`there is no ${absent}; name it with --data`),
    });
    const silent = join(folder, 'silent.sqlite');
    const { close } = await start('name: Silence', { data: silent });
    await close();
    expect(await tacet(['events', document, '--data', silent])).toMatchObject({
      code: 2,
      error: expect.stringContaining(`${silent} keeps no events`),
    });
  });
});
