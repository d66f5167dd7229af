import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliveriesIn, eventsIn, until } from '../service/events/kept.ts';
import { type Posted, receiver } from '../service/events/receiver.ts';
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

/** Which of the lines is of the delivery that failed: the first that came. */
function failedAt([first]: readonly Posted[]): number {
  return first?.url === '/' ? 1 : 3;
}

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
        deliveries: [],
      },
    ]);
  });

  it('shows where each went, and has it delivered again while the service runs, under the identifier that it had', async () => {
    const { url, count, posted } = await receiver((_, response, index) =>
      response.writeHead(index === 0 ? 500 : 204).end(),
    );
    const sending = `${text}  delivery: { hooks: { webhook: operator, order: all }, others: { webhook: operator } }\n`;
    const data = join(folder, 'sent.sqlite');
    const at = file('sending.yaml', sending);
    const service = await start(sending, { data, deliver: { hooks: url, others: `${url}other` } });
    for (const id of ['a', 'b']) await ask(service, 'POST /notes', { id });
    await count(4);
    await until(() => deliveriesIn(service).every(({ due }) => due !== 0));
    const shown = await tacet(['events', at, '--data', data]);
    expect(
      shown.out
        .split('\n')
        .filter((line) => line.startsWith(' '))
        .sort(),
    ).toEqual(
      [
        '    hooks: arrived, 1 attempt, the last 204',
        '    hooks: arrived, 1 attempt, the last 204',
        '    others: arrived, 1 attempt, the last 204',
        '    others: arrived, 1 attempt, the last 204',
      ].map((line, index) =>
        index === failedAt(posted) ? line.replace('arrived', 'given up').replace('204', '500') : line,
      ),
    );
    const [first] = eventsIn(service);
    const id = first?.id ?? '';
    expect(await tacet(['events', at, '--data', data, '--redeliver', id, '--way', 'hooks'])).toMatchObject({
      code: 0,
      out: 'in line again: 1 delivery of 1 event\n',
    });
    const again = (await count(5))[4];
    expect([again?.url, again?.content]).toEqual(['/', '{"id":"a"}']);
    expect(await tacet(['events', at, '--data', data, '--replay', '--since', first?.at ?? ''])).toMatchObject(
      {
        code: 0,
        out: 'in line again: 4 deliveries of 2 events\n',
      },
    );
    await count(9);
    for (const wrong of [
      ['--redeliver', 'none'],
      ['--way', 'hooks'],
      ['--since', 'now'],
      ['--replay', '--redeliver', id],
    ])
      expect([wrong, (await tacet(['events', at, '--data', data, ...wrong])).code]).toEqual([wrong, 2]);
  });

  it('removes what nothing waits for, and misses none of what comes after', async () => {
    const late = { isDown: true };
    const { url, count, posted } = await receiver((_, response) =>
      response.writeHead(late.isDown ? 500 : 204).end(),
    );
    const sending = `${text}  delivery: { hooks: { webhook: operator, retries: [PT1S] } }\n`;
    const data = join(folder, 'removed.sqlite');
    const at = file('removing.yaml', sending);
    const service = await start(sending, { data, deliver: { hooks: url } });
    const add = (id: string) => ask(service, 'POST /notes', { id });
    const remove = async (...more: string[]) =>
      (await tacet(['events', at, '--data', data, '--remove', '--until', '9999-01-01T00:00:00Z', ...more]))
        .out;
    await add('waits');
    await count(1);
    await until(() => deliveriesIn(service).every(({ tries }) => tries === 1));
    expect(await remove()).toBe('removed: 0 events\n');
    late.isDown = false;
    await count(2);
    for (const id of ['b', 'c', 'd']) await add(id);
    await ask(service, 'DELETE /notes/c');
    await count(5);
    await until(() => deliveriesIn(service).every(({ due }) => due === undefined));
    expect(await remove('--kind', 'other')).toBe('removed: 0 events\n');
    expect(await remove()).toBe('removed: 3 events\n');
    expect(eventsIn(service).map(({ kind, item }) => [kind, item?.[1]])).toEqual([
      ['added', 'd'],
      ['removed', 'c'],
    ]);
    expect(deliveriesIn(service)).toHaveLength(1);
    await add('e');
    expect((await count(6)).at(-1)?.content).toBe('{"id":"e"}');
    expect(posted).toHaveLength(6);
    for (const wrong of [['--remove'], ['--remove', '--replay', '--until', '2026-11-01T12:00:00Z']])
      expect([wrong, (await tacet(['events', at, '--data', data, ...wrong])).code]).toEqual([wrong, 2]);
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
