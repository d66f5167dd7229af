import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { startFeed } from '../faulty/feed.ts';
import { specificationOf, start } from '../service/served.ts';
import { changed } from './documents.ts';

const server = process.env['TACET_TEST_NATS'] ?? 'nats://127.0.0.1:4222';
const there = await connect({ servers: new URL(server).host, timeout: 1000, reconnect: false }).catch(
  () => null,
);
await there?.close();
if (there === null) console.warn(`what a broker is given is not tested: no NATS answers at ${server}`);

const feed = readFileSync(new URL('../documents/events/feed.yaml', import.meta.url), 'utf8');
const stream = '{ feed: { stream: GET /feed, order: all } }';

/** A stream of this test's own, and the document that publishes to it. */
async function bus(
  subject = `\${event.kind}.\${event.item.id}`,
): Promise<{ nats: NatsConnection; root: string; text: string }> {
  const root = `tacet_test_${randomBytes(6).toString('hex')}`;
  const nats = await connect({ servers: new URL(server).host });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: root, subjects: [`${root}.>`] });
  onTestFinished(async () => {
    await manager.streams.delete(root);
    await nats.close();
  });
  return {
    nats,
    root,
    text: changed(feed, [stream, `{ bus: { broker: "${root}.${subject}", order: item } }`]),
  };
}

/** @param graceMs for how long what is to come is waited for, which only what does not come takes. */
async function ofEvents(
  text: string,
  url: string,
  { nats = server, graceMs = 5000 } = {},
): Promise<readonly Result[]> {
  const how = { seed: 1, patienceMs: 500, graceMs, nats };
  const { results } = await testService(specificationOf(text), { url, ...how });
  return results.filter(({ check }) => check.startsWith('event.'));
}

function amiss(results: readonly Result[]): readonly string[] {
  const all = results.filter(({ verdict }) => verdict !== 'conforms');
  return all.map(({ verdict, check, reason, found }) => `${verdict}: ${check}: ${reason ?? found}`);
}

/** What is published in place of an event as it is due. */
type Publishing = (event: {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id?: string };
}) => {
  readonly subject?: string;
  readonly id?: string | null;
};

/** The service of the feed, of which everything that its stream tells is published, as it is due or otherwise. */
async function publisher(
  { nats, root }: { nats: NatsConnection; root: string },
  publishing: Publishing,
): Promise<string> {
  const { url, close } = await startFeed();
  const js = jetstream(nats);
  const away = new AbortController();
  const response = await fetch(`${url}/feed`, { signal: away.signal });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  const going = (async () => {
    let rest = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = `${rest}${piece.value}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const [, data = ''] of blocks.flatMap((one) => [/^data: (.*)$/m.exec(one) ?? []])) {
        if (data === '') continue;
        const event = JSON.parse(data) as Parameters<Publishing>[0];
        const { subject = `${root}.${event.type}`, id = event.id } = publishing(event);
        const fields = headers();
        fields.set('Content-Type', 'application/cloudevents+json');
        await js.publish(subject, data, { headers: fields, ...(id !== null && { msgID: id }) });
      }
    }
  })().catch(() => undefined);
  onTestFinished(async () => {
    away.abort();
    await going;
    await close();
  });
  return url;
}

describe.skipIf(there === null)('what is published at a broker is held against part 6', () => {
  it('of our own service, nothing is wrong, and all is seen but what may be of the time before', async () => {
    const { text } = await bus();
    const { address } = await start(text, { deliver: { bus: server } });
    const results = await ofEvents(text, address);
    const before = /^not exercised: event\.(stray|refused): what comes may have been told of before$/;
    expect(amiss(results).filter((one) => !before.test(one))).toEqual([]);
    const names = [
      'emitted',
      'withheld',
      'body',
      'envelope',
      'unlisted',
      'stray',
      'order',
      'refused',
      'subject',
      'id',
    ];
    expect(new Set(results.map(({ check }) => check))).toEqual(new Set(names.map((name) => `event.${name}`)));
  });

  const faults: readonly (readonly [string, string, Publishing])[] = [
    ['the subject is another', 'event.subject', ({ type }) => ({ subject: `${type}` })],
    ['the id by which it is kept is another', 'event.envelope', () => ({ id: randomUUID() })],
    ['it has no id by which it is kept', 'event.id', () => ({ id: null })],
  ];

  it('of one that another wrote, nothing is wrong either', async () => {
    const own = await bus(`\${event.kind}`);
    const url = await publisher(own, () => ({}));
    expect((await ofEvents(own.text, url)).filter(({ verdict }) => verdict === 'violates')).toEqual([]);
  });

  it.each(faults)('finds that %s', async (fault, check, publishing) => {
    const own = await bus(`\${event.kind}`);
    const url = await publisher(own, (event) => {
      const made = publishing(event);
      return fault === 'the subject is another' ? { subject: `${own.root}.x.${event.type}` } : made;
    });
    const wrong = (await ofEvents(own.text, url, { graceMs: 500 })).filter(
      ({ verdict }) => verdict === 'violates',
    );
    expect(new Set(wrong.map((one) => one.check))).toContain(check);
  });

  it('is not judged where no broker is named, none answers, or none keeps what is published', async () => {
    const { text } = await bus();
    const { address } = await start(text, { deliver: { bus: server } });
    const { unchecked } = await testService(specificationOf(text), {
      url: address,
      seed: 1,
      patienceMs: 300,
    });
    expect(unchecked.map(({ why }) => why)).toContain(
      'it is published at a broker, and it was not said where the tester finds it',
    );
    const away = await ofEvents(text, address, { nats: 'nats://127.0.0.1:1' });
    expect(new Set(away.map(({ verdict }) => verdict))).toEqual(new Set(['not exercised']));
    expect(away[0]?.reason).toMatch(/^no broker answers at 127\.0\.0\.1:1/);
    const other = text.replace(/tacet_test_[0-9a-f]+/, 'tacet_test_none');
    const none = await ofEvents(other, address);
    expect(none[0]?.reason).toBe('no stream of the broker keeps tacet_test_none.>');
  });
});
