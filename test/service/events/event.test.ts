import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { cloudEvent } from '../../../src/service/events/envelope.ts';
import { type Event, eventOf, rowOf } from '../../../src/service/events/event.ts';
import { ask, start } from '../served.ts';
import { eventsIn } from './kept.ts';
import { receiver } from './receiver.ts';

const wrapped = {
  id: '0190d2f4-0000-7000-8000-000000000000',
  kind: 'note.made',
  by: 'make',
  at: '2026-11-21T12:00:00.000001Z',
  source: 'notes',
  subject: 'notes/"a"',
  body: '{"data":{"content":"}"},"of":null}',
};
const event = (more: Partial<Event>): Event => {
  const all = { ...wrapped, ...more };
  return { ...all, item: ['Note', 'a'], content: cloudEvent(all), ...more };
};

describe('the row of an event', () => {
  it.each<[string, Event]>([
    ['a subject and a body', event({})],
    ['no subject', event({ subject: null })],
    ['an empty subject', event({ subject: '' })],
    ['no source', event({ source: null })],
    ['no body', event({ body: null })],
    ['a body that is null', event({ body: 'null' })],
    [
      'what older versions are sent, and what a way noted',
      event({ versions: { 1: null }, ways: { hooks: { headers: [] } } }),
    ],
    ['no item', event({ item: null })],
    ['no content', event({ content: null })],
  ])('gives the same event again that is a CloudEvent, with %s', (_, one) => {
    expect(eventOf(rowOf(one, true))).toEqual(one);
  });

  it('gives the same event again in an envelope of its own', () => {
    const one = event({ content: '{"specversion":"none"}' });
    expect(eventOf(rowOf(one, false))).toEqual(one);
  });

  it('says once what the CloudEvent says', () => {
    const { text } = rowOf(event({}), true);
    for (const once of ['note.made', wrapped.at, wrapped.id, wrapped.body])
      expect(text.split(once)).toHaveLength(2);
  });
});

const document = `
name: Notes
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  others: refuse
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: 204 }
events:
  kinds: { made: { by: [make], body: { id: "\${this.id}" } } }
  envelope: cloudevents
  source: notes
  delivery: { hooks: { webhook: operator, retries: [PT0.1S, PT0.1S] } }
`;

describe('an event that an earlier tacet kept', () => {
  it('is delivered as it was kept', async () => {
    let isDown = true;
    const hook = await receiver((_, response) => void response.writeHead(isDown ? 500 : 204).end());
    const options = { allowPrivate: ['127.0.0.1'], deliver: { hooks: hook.url } };
    const before = await start(document, options);
    expect((await ask(before, 'POST /notes', { id: 'a' })).status).toBe(204);
    const [first] = await hook.count(1);
    await before.close();
    const [made] = eventsIn(before) as [Event];
    const { id, ...members } = made;
    const database = new Database(before.data);
    database.prepare('UPDATE event SET members = ? WHERE key0 = ?').run(JSON.stringify(members), id);
    database.close();
    expect(eventsIn(before)).toEqual([made]);
    isDown = false;
    await start(document, { ...options, data: before.data });
    const posted = await hook.count(2);
    expect(posted.at(-1)?.content).toBe(first?.content);
    expect(first?.content).toBe(made.content);
  });
});
