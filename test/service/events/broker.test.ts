import { randomBytes } from 'node:crypto';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { ask, dataFile, type Served, start } from '../served.ts';
import { deliveriesIn, eventsIn, until } from './kept.ts';

const server = process.env['TACET_TEST_NATS'] ?? 'nats://127.0.0.1:4222';
const there = await connect({ servers: new URL(server).host, timeout: 1000, reconnect: false }).catch(
  () => null,
);
await there?.close();
if (there === null) console.warn(`the broker is not tested: no NATS answers at ${server}`);

const text = (bus: string, envelope = 'envelope: cloudevents\n  source: notes'): string => `
name: Notes
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string }, of: { type: integer } } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 204 }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: 204 }
errors: { codes: {} }
events:
  kinds: { note.added: { by: [add], body: { id: "\${this.id}" } }, note.changed: { by: [change], body: { of: "\${this.of}" } } }
  ${envelope}
  delivery: { bus: { ${bus} } }
`;

/** Subjects, and where it is wanted a stream, of this test's own. */
async function bus(): Promise<{
  root: string;
  manager: JetStreamManager;
  add: () => Promise<void>;
  nats: NatsConnection;
}> {
  const root = `tacet_test_${randomBytes(6).toString('hex')}`;
  const nats = await connect({ servers: new URL(server).host });
  const manager = await jetstreamManager(nats);
  onTestFinished(async () => {
    await manager.streams.delete(root).catch(() => {});
    await nats.close();
  });
  const add = async (): Promise<void> =>
    void (await manager.streams.add({ name: root, subjects: [`${root}.>`] }));
  return { root, manager, nats, add };
}

async function send(service: Served, line: string, body: unknown): Promise<void> {
  expect([line, (await ask(service, line, body)).status]).toEqual([line, 204]);
}

/** All that a stream holds, in order. */
async function held(manager: JetStreamManager, stream: string) {
  const { state } = await manager.streams.info(stream);
  const all = [];
  for (let seq = state.first_seq; seq <= state.last_seq && seq > 0; seq += 1) {
    const found = await manager.streams.getMessage(stream, { seq });
    if (found) all.push({ subject: found.subject, content: found.string(), headers: found.header });
  }
  return all;
}

const isDone = (service: Served, wanted: number) => (): boolean =>
  deliveriesIn(service).filter(({ arrived }) => arrived).length === wanted;

describe.skipIf(there === null)('a broker (language §6.3)', () => {
  const deliver = (options: Partial<ServiceOptions> = {}): Partial<ServiceOptions> => ({
    deliver: { bus: server },
    ...options,
  });

  it('is given each event under its subject, with its id and its media type, and keeps it', async () => {
    const { root, manager, add } = await bus();
    await add();
    const service = await start(
      text(`broker: "${root}.\${event.kind}.\${event.item.id}", order: all`),
      deliver(),
    );
    for (const id of ['a', 'b']) await send(service, 'POST /notes', { id });
    for (let of = 1; of <= 5; of += 1) await send(service, 'PATCH /notes/a', { of });
    await until(isDone(service, 7));
    const events = eventsIn(service);
    const all = await held(manager, root);
    expect(all.map(({ subject, content }) => [subject, content])).toEqual(
      events.map(({ kind, item, content }) => [`${root}.${kind}.${item?.[1]}`, content]),
    );
    expect(all[0]?.headers.get('Nats-Msg-Id')).toBe(events[0]?.id);
    expect(all[0]?.headers.get('Content-Type')).toBe('application/cloudevents+json');
  });

  it('that has no place for a subject, or is away, is given the events once it has, each kept once', async () => {
    const { root, manager, add } = await bus();
    const data = dataFile();
    const document = text(`broker: "${root}.notes", media: text/plain`, 'envelope: (none)');
    const away = await start(document, { data, deliver: { bus: 'nats://127.0.0.1:1' } });
    for (let id = 0; id < 20; id += 1) await send(away, 'POST /notes', { id: `n${id}` });
    await away.close();
    const service = await start(document, deliver({ data }));
    await send(service, 'POST /notes', { id: 'last' });
    await until(() => deliveriesIn(service).some(({ last }) => last !== undefined));
    await add();
    await until(isDone(service, 21));
    const all = await held(manager, root);
    expect(new Set(all.map(({ content }) => content))).toEqual(
      new Set(eventsIn(service).map(({ content }) => content)),
    );
    expect(all).toHaveLength(21);
    expect(all[0]?.headers.get('Content-Type')).toBe('text/plain');
  });

  it('leaves out what it has already: an event that is published twice is kept once', async () => {
    const { root, manager, add } = await bus();
    await add();
    const service = await start(text(`broker: ${root}.notes`), deliver());
    await send(service, 'POST /notes', { id: 'a' });
    await until(isDone(service, 1));
    const [event] = eventsIn(service);
    const { natsAt } = await import('../../../src/service/events/broker.ts');
    const { publish, close } = natsAt(server, undefined);
    onTestFinished(close);
    await publish({
      id: event?.id ?? '',
      subject: `${root}.notes`,
      content: event?.content ?? '',
      media: undefined,
    });
    expect(await held(manager, root)).toHaveLength(1);
  });
});

it('where a broker is, is the operator’s to say', async () => {
  await expect(start(text('broker: notes'))).rejects.toThrow(
    "where bus delivers to is the operator's to say: --deliver bus=nats://HOST",
  );
  await expect(start(text('broker: notes'), { deliver: { bus: 'https://example.com' } })).rejects.toThrow(
    'https://example.com is no address to deliver to; nats://HOST is wanted',
  );
});
