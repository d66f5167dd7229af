import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listening } from '../../../src/conformance/events/listening.ts';
import { exploring } from '../../../src/conformance/explore/explorer.ts';
import { observing } from '../../../src/conformance/observe/observe.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { messageOf } from '../../../src/conformance/requests/message.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import type { EventFinding } from '../../../src/semantics/judge/events.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { Range } from '../../../src/semantics/value/value.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf, start } from '../../service/served.ts';

const document = readFileSync('test/semantics/notices.yaml', 'utf8')
  .replace('pattern: "^https://[a-z]+\\\\.example/"', 'pattern: "^http://"')
  .replace('retries: (none) }', 'retries: (none), sign: standard-webhooks, secret: Hook.secret }')
  .replace(
    '    required: [url, kinds]',
    '      secret: { type: string, set: { create: "${\'whsec_\' + random(32)}" } }\n      other: { type: string, set: { create: "${\'whsec_\' + random(32)}" } }\n    required: [url, kinds]',
  );

/** The kinds that the first items want which hold an address. */
const hooks = [['note.made', 'note.starred', 'note.gone', 'note.pinned', 'note.seen'], ['note.made'], []];

function listen({ specification }: World, kinds: readonly string[], place: number, url: string): Request {
  const operation = specification.operations.find(({ name }) => name === 'listen') as Operation;
  const content = { url: `http://to.example/${place}`, kinds };
  return { operation, path: {}, query: {}, headers: {}, credentials: [], content, url };
}

/** Plays a walk on a service of another document, while its events are observed, and judges these by this one. */
async function walked(served: string, seed: number): Promise<readonly EventFinding[]> {
  const { address: url } = await start(served, { allowPrivate: ['127.0.0.1'] });
  const specification = specificationOf(document);
  const ears = listening({}, Date.now);
  const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await pause(ms, undefined, signal && { signal }).catch(() => {});
  };
  const reached = new Set([(await ears.receiver()).url(false)]);
  const session = await observing<null | string>(specification, {
    ...{ url, listening: ears, random: seeded(seed), now: Date.now },
    ...{ graceMs: 3000, patienceMs: 0, wait, heard: { mute: new Set(), reached } },
  });
  if (session === null) throw new TypeError('nothing can be observed');
  const explorer = exploring(new Pool(specification, seeded(seed)), url);
  let world = new World(specification);
  try {
    for (let place = 0; place < 50; place++) {
      world = await session.begin(world);
      const kinds = hooks[place];
      const candidate = explorer.next(world, world.received);
      const request = session.addressed(kinds ? listen(world, kinds, place, url) : candidate.request);
      const { method, path, headers, body } = messageOf(request, specification);
      const sent = Date.now();
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
      const text = await answer.text();
      const settled = judge(step(world, request, { at: new Range(sent, Date.now() + 1), offMs: 0 }), {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: text === '' ? undefined : (JSON.parse(text) as Json),
      });
      expect(settled.differences).toEqual([]);
      session.note(request, settled.events, answer.status, request.operation.name);
      // What is refused changes nothing.
      if (settled.world === null && answer.status < 300) break;
      const after = settled.world ?? world;
      if (!kinds) explorer.note(candidate, answer.status, world, after);
      world = after;
    }
    return (await session.collect(world, false)).map(({ finding }) => finding);
  } finally {
    await session.close();
    await ears.close();
  }
}

describe('the events of a service', () => {
  it('come by a stream and by webhooks as its document says', async () => {
    const findings = await walked(document, 2);
    expect(findings.flatMap(({ differences }) => differences)).toEqual([]);
    expect(findings.filter(({ came }) => came?.way === 'feed').length).toBeGreaterThan(10);
    expect(findings.filter(({ came }) => came?.way === 'hooks').length).toBeGreaterThan(2);
    expect(findings.flatMap(({ by }) => by)).toContain('events.delivery.hooks.sign');
  });

  it.each([
    [
      'one is left out',
      (text: string) => text.replace('by: [make], ', 'by: [], '),
      'an event by feed, emitted by make',
    ],
    [
      'one says something else',
      (text: string) => text.replace('was: "${old.stars}"', 'was: "${this.stars}"'),
      '',
    ],
    [
      'one goes to addresses that it is not for',
      (text: string) => text.replace('event.kind in this.kinds', 'true'),
      'no event',
    ],
    [
      'one comes for what emits none',
      (text: string) =>
        text.replace('note.edited:  { by: [edit, put]', 'note.edited:  { by: [edit, put, make]'),
      'no event',
    ],
    [
      'it is signed with another key',
      (text: string) => text.replace('secret: Hook.secret', 'secret: Hook.other'),
      'a signature that can be verified',
    ],
  ])('are violated if %s', async (_, wrong, expected) => {
    const differences = (await walked(wrong(document), 2)).flatMap((each) => each.differences);
    expect(differences.map((each) => each.expected).join()).toContain(expected);
    expect(differences).not.toEqual([]);
  });
});
