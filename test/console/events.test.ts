import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventPage, EventView } from '../../src/console/stored/events.ts';
import type { TimeView } from '../../src/console/stored/time.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { type Served, served } from './opened.ts';

/** Notes of which each tells others, and which fade after an hour. */
const told = [
  '# Notes',
  '## Resources',
  '```yaml',
  'Note:',
  '  identifier: id',
  '  fields:',
  '    id: { type: integer, set: { create: "${sequence()}" } }',
  '    text: { type: string }',
  '    pin: { type: string, secret: hashed }',
  '    status: { type: string }',
  '```',
  '## States',
  '```yaml',
  'Note.status: { states: [new, old], initial: new, transitions: { fade: { from: new, to: old, after: PT1H } } }',
  '```',
  '## Endpoints',
  '```yaml',
  'POST /notes: { operation: add, does: create Note, request: { body: Note, others: ignore }, response: { status: 201, body: { id: "${this.id}" } } }',
  '```',
  '## Authentication',
  '```yaml',
  '(none)',
  '```',
  '## Events',
  '```yaml',
  'kinds: { added: { by: [add], body: { text: "${this.text}", pin: "${this.text}" } }, faded: { by: [Note.fade] } }',
  'envelope: cloudevents',
  'source: notes',
  'delivery: { hook: { webhook: operator, retries: [PT1H] } }',
  '```',
  '',
].join('\n');

const { file } = temporaryFolder();
let made = 0;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Somebody who is told, and takes what comes with a status; how often, and who waits for the next. */
async function receiver(status: number) {
  let next = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end(() => {
      next.resolve();
      next = Promise.withResolvers();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, next: () => next.promise };
}

async function desk(url: string, more: Parameters<typeof served>[1] = {}): Promise<Served> {
  made += 1;
  const document = file(`${made}-notes.md`, told);
  const options = { deliver: { hook: url }, allowPrivate: ['127.0.0.1'] };
  const one = await served(document, more, options);
  ends.unshift(one.close);
  return one;
}

describe('the events', () => {
  it('are listed with what came of their deliveries, and hide what is called as a secret is', async () => {
    const { url, next } = await receiver(204);
    const { query, send, service } = await desk(url);
    const arrived = next();
    await send('POST', '/notes', { text: 'tea' });
    await arrived;
    await service.settle();
    const page = await query<EventPage>('events');
    expect(page).toMatchObject({ kinds: ['added', 'faded'], next: null });
    expect(page.events).toMatchObject([
      {
        kind: 'added',
        by: 'add',
        item: { resource: 'Note', key: '[1]' },
        body: '{\n  "text": "tea",\n  "pin": "(secret)"\n}',
        isDelivered: true,
        deliveries: [{ way: 'hook', to: null, state: 'arrived', tries: 1, isAgain: false }],
      },
    ]);
  });

  it('are delivered again', async () => {
    const { url, next } = await receiver(204);
    const { query, act, send } = await desk(url);
    const first = next();
    await send('POST', '/notes', { text: 'tea' });
    await first;
    const { events } = await query<EventPage>('events');
    const second = next();
    expect(await act('redeliver', { id: events[0]?.id })).toEqual({ deliveries: 1 });
    await second;
    const { deliveries } = await query<EventView>(`event?id=${events[0]?.id}`);
    expect(deliveries.map(({ isAgain }) => isAgain)).toEqual([false, true]);
    await expect(act('redeliver', { id: 'none' })).rejects.toThrow('400 no event none is stored');
  });

  it('tell when one that did not arrive is tried next', async () => {
    const { url, next } = await receiver(500);
    const { query, send, service } = await desk(url);
    const came = next();
    await send('POST', '/notes', { text: 'tea' });
    await came;
    await service.settle();
    const { events } = await query<EventPage>('events');
    expect(events[0]?.deliveries).toMatchObject([{ state: 'to be tried again', tries: 1, last: '500' }]);
    expect(Date.parse(events[0]?.deliveries[0]?.due ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
  });
});

describe('the time', () => {
  it('tells what is due, and moves on to it, or by a span', async () => {
    const { url } = await receiver(204);
    const passed: number[] = [];
    const clock = { aheadMs: 5000, pass: async (ms: number) => void passed.push(ms) };
    const { query, act, send } = await desk(url, { clock });
    await send('POST', '/notes', { text: 'tea' });
    const time = await query<TimeView>('time');
    expect(time).toMatchObject({
      now: '2026-11-21T12:00:05.000Z',
      aheadMs: 5000,
      isMovable: true,
      timers: [{ resource: 'Note', key: '[1]', move: 'fade' }],
      timersLeft: 0,
    });
    await act('pass', { ms: 60_000 });
    await act('pass', {});
    expect(passed).toEqual([60_000, Math.max(0, Date.parse(time.next ?? '') - Date.parse(time.now)) + 1]);
    await expect(act('pass', { ms: 0 })).rejects.toThrow('400 ms is a whole number of milliseconds');
    await expect(act('pass', { ms: 1e15 })).rejects.toThrow('400 ms is a whole number of milliseconds');
  });

  it('is not moved where nothing is due, or the clock is not ours', async () => {
    const { url } = await receiver(204);
    const still = await desk(url);
    await expect(still.act('pass', { ms: 1 })).rejects.toThrow('400 the clock cannot be moved');
    const idle = await desk(url, { clock: { aheadMs: 0, pass: async () => {} } });
    await expect(idle.act('pass', {})).rejects.toThrow('400 nothing is due');
  });
});
