import { describe, expect, it } from 'vitest';
import { answer, ask, type Served, start } from '../served.ts';
import { absence, schema } from '../store/postgres.ts';
import { eventsIn } from './kept.ts';
import { follow } from './reader.ts';

const missing = await absence();

const text = (
  rest = 'kinds: { added: { by: [add], body: { id: "${this.id}" } } }\n  envelope: (none)',
): string => `
name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string } } }
  Reader: { identifier: id, fields: { id: { type: string }, key: { type: string } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 204 }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
  PUT /readers/{id}: { operation: join, does: { create: Reader, present: keep }, request: { body: Reader }, response: 204 }
  DELETE /readers/{id}: { operation: leave, does: delete Reader, response: 204 }
  GET /feed: { operation: feed, does: (none), response: { status: 200, headers: { X-Feed: notes } } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Reader.key }, actor: Reader, wrong: refuse } }
  authorization: { add: anyone, remove: anyone, join: anyone, leave: anyone, feed: known }
errors: { codes: { nobody: { when: not authenticated, status: 401 }, twice: { when: not unique, status: 409 } } }
events:
  ${rest}
  delivery: { feed: { stream: GET /feed } }
`;

const key = { 'X-Key': 'k' };

async function notes(data?: string, options = {}): Promise<Served> {
  const service = await start(text(), { ...(data !== undefined && { data }), ...options });
  expect(await ask(service, 'PUT /readers/r', { key: 'k' })).toEqual(answer(204));
  return service;
}

async function add(service: Served, ...ids: string[]): Promise<void> {
  for (const id of ids) expect((await ask(service, 'POST /notes', { id })).status).toBe(204);
}

describe('a stream of events (language §6.3)', () => {
  it('begins with the next event, and gives each with its id, its kind and what it is sent in', async () => {
    const service = await notes();
    await add(service, 'before');
    const reader = await follow(`${service.address}/feed`, key);
    expect([reader.status, reader.type]).toEqual([200, 'text/event-stream']);
    await add(service, 'a', 'b');
    expect((await ask(service, 'POST /notes', { id: 'a' })).status).toBe(409);
    await add(service, 'c');
    const [, ...events] = eventsIn(service);
    expect(await reader.take(3)).toEqual(
      events.map(({ id, kind, content }) => ({ id, event: kind, data: content })),
    );
    expect(events.map(({ content }) => content)).toEqual(['{"id":"a"}', '{"id":"b"}', '{"id":"c"}']);
  });

  it('goes on after the last event that the client had, over drops and a restart', async () => {
    const service = await notes();
    let reader = await follow(`${service.address}/feed`, key);
    const ids = Array.from({ length: 30 }, (_, index) => String(index));
    const seen: string[] = [];
    let last = '';
    for (const id of ids) {
      await add(service, id);
      const { data, id: event } = await reader.next();
      seen.push(data);
      last = event;
      reader.close();
      reader = await follow(`${service.address}/feed`, { ...key, 'Last-Event-ID': last });
    }
    await add(service, 'late', 'later');
    await service.close();
    await reader.ended;
    const again = await start(text(), { data: service.data });
    const next = await follow(`${again.address}/feed`, { ...key, 'Last-Event-ID': last });
    seen.push(...(await next.take(2)).map(({ data }) => data));
    expect(seen).toEqual([...ids, 'late', 'later'].map((id) => JSON.stringify({ id })));
  });

  it('gives more than are read at once, in their order', async () => {
    const service = await notes();
    const reader = await follow(`${service.address}/feed`, key);
    const ids = Array.from({ length: 250 }, (_, index) => `n${index}`);
    await Promise.all(ids.map((id) => add(service, id)));
    const order = eventsIn(service).map(({ content }) => content);
    expect((await reader.take(250)).map(({ data }) => data)).toEqual(order);
  });

  it('leaves out what is not to be delivered', async () => {
    const service = await start(
      text('kinds: { held: { by: [remove] }, added: { by: [add], body: "${this.id}" } }\n  envelope: (none)'),
    );
    await ask(service, 'PUT /readers/r', { key: 'k' });
    const reader = await follow(`${service.address}/feed`, key);
    await add(service, 'a');
    await ask(service, 'DELETE /notes/a');
    await add(service, 'b');
    expect((await reader.take(2)).map(({ data }) => data)).toEqual(['"a"', '"b"']);
  });

  it('is its endpoint’s: who may not ask it is refused, and its header fields are sent', async () => {
    const service = await notes();
    expect(await ask(service, 'GET /feed')).toMatchObject({ status: 401, body: '' });
    expect(await ask(service, 'HEAD /feed', undefined, ['X-Key: k'])).toMatchObject({
      status: 200,
      fields: expect.arrayContaining(['Content-Type: text/event-stream', 'X-Feed: notes']),
    });
  });

  it('ends once who follows it may no longer', async () => {
    const clock = { now: Date.parse('2026-01-31T12:00:00Z') };
    const service = await notes(undefined, { milliseconds: () => clock.now });
    const reader = await follow(`${service.address}/feed`, key);
    await add(service, 'a');
    await reader.next();
    clock.now += 30_000;
    await add(service, 'b');
    expect((await reader.next()).data).toBe('{"id":"b"}');
    expect(await ask(service, 'DELETE /readers/r')).toEqual(answer(204));
    clock.now += 30_000;
    await add(service, 'c');
    await reader.ended;
    await expect(reader.next()).rejects.toThrow('the stream ended');
  });

  it('ends with the service', async () => {
    const service = await notes();
    const reader = await follow(`${service.address}/feed`, key);
    await service.close();
    await reader.ended;
  });

  it.skipIf(missing !== null)('tells of what another process committed', async () => {
    const { address } = await schema();
    const [one, other] = [await notes(address), await notes(address)];
    const reader = await follow(`${one.address}/feed`, key);
    await add(other, 'a');
    await add(one, 'b');
    expect((await reader.take(2)).map(({ data }) => data)).toEqual(['{"id":"a"}', '{"id":"b"}']);
  });
});
