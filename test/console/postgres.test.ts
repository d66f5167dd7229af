import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventPage } from '../../src/console/stored/events.ts';
import type { ItemDetail } from '../../src/console/stored/item.ts';
import type { ItemPage, ResourceList } from '../../src/console/stored/items.ts';
import type { MachineView } from '../../src/console/stored/machines.ts';
import type { TimeView } from '../../src/console/stored/time.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { absence, schema } from '../service/store/postgres.ts';
import { served } from './opened.ts';

const isSkipped = (await absence()) !== null;

/** Tasks of people, which tell that they were added, and fade. */
const tasks = [
  '# Tasks',
  '## Resources',
  '```yaml',
  'Person: { identifier: name, fields: { name: { type: string }, pin: { type: string, secret: hashed } } }',
  'Task:',
  '  identifier: id',
  '  fields:',
  '    id: { type: integer, set: { create: "${sequence()}" } }',
  '    text: { type: string }',
  '    of: { type: string, refers: Person, deleted: refuse }',
  '    status: { type: string }',
  '```',
  '## States',
  '```yaml',
  'Task.status: { states: [new, old], initial: new, transitions: { fade: { from: new, to: old, after: PT1H }, end: { from: new, to: old } } }',
  '```',
  '## Endpoints',
  '```yaml',
  'POST /people: { does: create Person, request: { body: Person, others: ignore }, response: { status: 201 } }',
  'POST /tasks: { operation: add, does: create Task, request: { body: Task, others: ignore }, response: { status: 201 } }',
  'PUT /tasks/{id}/end: { does: end Task, request: { others: ignore }, response: { status: 204 } }',
  '```',
  '## Authentication',
  '```yaml',
  '(none)',
  '```',
  '## Events',
  '```yaml',
  'kinds: { added: { by: [add], body: { text: "${this.text}" } } }',
  '```',
  '',
].join('\n');

const { file } = temporaryFolder();

/** Ada with two tasks of which she ended the first, stored on PostgreSQL. */
async function busy() {
  const { address } = await schema();
  const one = await served(file('tasks.md', tasks), {}, { data: address });
  onTestFinished(one.close);
  await one.send('POST', '/people', { name: 'Ada', pin: '1234' });
  await one.send('POST', '/tasks', { text: 'engine', of: 'Ada' });
  await one.send('POST', '/tasks', { text: 'notes', of: 'Ada' });
  await one.send('PUT', '/tasks/1/end');
  return one;
}

describe.skipIf(isSkipped)('a service that stores on PostgreSQL', () => {
  it('shows its items, narrowed by values and words, without secrets', async () => {
    const { query } = await busy();
    expect((await query<ResourceList>('resources')).resources).toEqual([
      { name: 'Person', items: 1 },
      { name: 'Task', items: 2 },
    ]);
    const keys = async (search: string): Promise<readonly string[]> =>
      (await query<ItemPage>(`items?${search}`)).rows.map(({ key }) => key);
    expect(await keys('resource=Task')).toEqual(['[2]', '[1]']);
    expect(await keys('resource=Task&where=status&is=old')).toEqual(['[1]']);
    expect(await keys('resource=Task&words=not')).toEqual(['[2]']);
    expect(await keys('resource=Task&before=2')).toEqual(['[1]']);
    expect(JSON.stringify(await query('items?resource=Person'))).not.toContain('1234');
  });

  it('shows an item with its state, what refers to it, and its history', async () => {
    const { query } = await busy();
    const item = await query<ItemDetail>('item?resource=Task&key=[1]');
    expect(item.machines).toEqual([{ name: 'Task.status', state: 'old' }]);
    expect(item.history.map(({ how, fields }) => [how, fields])).toEqual([
      ['changed', ['status']],
      ['created', ['id', 'text', 'of', 'status']],
    ]);
    const { referrers } = await query<ItemDetail>('item?resource=Person&key=["Ada"]');
    expect(referrers).toEqual([{ resource: 'Task', field: 'of', items: 2, is: 'Ada' }]);
  });

  it('counts what is in each state, and tells what is due, by a clock that cannot be moved', async () => {
    const { query, act } = await busy();
    const { machine } = await query<MachineView>('machine');
    expect([machine?.counts, machine?.timers]).toMatchObject([
      { new: 1, old: 1 },
      [{ resource: 'Task', key: '[2]', move: 'fade' }],
    ]);
    const time = await query<TimeView>('time');
    expect([time.isMovable, time.timers.length, Date.parse(time.next ?? '')]).toEqual([
      false,
      1,
      Date.parse(time.timers[0]?.due ?? ''),
    ]);
    await expect(act('pass', { ms: 1000 })).rejects.toThrow('400 the clock cannot be moved');
  });

  it('lists its events, the latest first', async () => {
    const { query } = await busy();
    const { events, next } = await query<EventPage>('events');
    expect(events.map(({ kind, item, isDelivered }) => [kind, item?.key, isDelivered])).toEqual([
      ['added', '[2]', false],
      ['added', '[1]', false],
    ]);
    expect(next).toBeNull();
  });
});
