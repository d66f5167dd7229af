import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../../../src/conformance/events/listening.ts';
import { client } from '../../../src/conformance/http.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { sent, type Target } from '../../../src/conformance/play/target.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { sampled } from '../../long.ts';
import { specificationOf, start } from '../../service/served.ts';

const notes = `
name: Notes
tacet: 1
complete: true
resources:
  Person:
    identifier: name
    fields:
      name: { type: string, pattern: "^[a-z]+$" }
      key: { type: string, readable: false }
    items: [{ name: ann, key: key-of-ann }, { name: bob, key: key-of-bob }]
  Note:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      by: { refers: Person, set: { create: "\${actor}" } }
      text: { type: string, minLength: 1, maxLength: 20 }
      stars: { type: integer, minimum: 0, maximum: 3, default: 0 }
    required: [text]
  Hook:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${'hook_' + random(16)}" } }
      by: { refers: Person, set: { create: "\${actor}" } }
      url: { type: string, format: uri, pattern: "^http://[a-z0-9]" }
      secret: { type: string, set: { create: "\${'whsec_' + random(32)}" } }
      other: { type: string, readable: false, set: { create: "\${'whsec_' + random(32)}" } }
    required: [url]
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, wrong: refuse }
  authorization: { addNote: known, listen: known, follow: known }
  otherwise: "\${this.by == actor}"
endpoints:
  others: refuse
  POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { operation: edit, does: { update: Note, same: unchanged }, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { operation: deleteNote, does: delete Note, response: 204 }
  POST /hooks: { operation: listen, does: create Hook, request: { body: Hook }, response: { status: 201, body: Hook } }
  DELETE /hooks/{id}: { operation: unlisten, does: delete Hook, response: 204 }
  GET /events: { operation: follow, does: (none), response: { status: 200 } }
events:
  kinds:
    made:    { by: [addNote], body: { note: "\${this.id}", text: "\${this.text}" } }
    starred: { by: [edit], when: "\${old.stars < this.stars}", body: { note: "\${this.id}", from: "\${old.stars}", to: "\${this.stars}" } }
    gone:    { by: [deleteNote], body: { note: "\${this.id}" } }
  envelope: cloudevents
  source: notes
  delivery:
    feed: { stream: GET /events, order: all }
    hooks:
      webhook: Hook.url
      where: "\${this.by == event.item.by}"
      sign: standard-webhooks
      secret: Hook.secret
      media: application/cloudevents+json
      headers: { X-Kind: "\${event.kind}" }
      retries: (none)
errors:
  order: listed
  codes:
    unreadable: { when: malformed, status: 400 }
    no_path: { when: [unknown path, method not allowed], status: 404 }
    no_media: { when: unsupported media, status: 415 }
    no_key: { when: [credential missing, credential wrong], status: 401 }
    none: { when: [unknown, not authorized Note, not authorized Hook], status: 404 }
    no: { when: not authorized, status: 403 }
    wrong: { when: invalid, status: 422 }
    broken: { when: internal, status: 500 }
limits: (none)
versioning: (none)
states: (none)
`;

/** The results of walks by the document on a service at an address. */
async function walked(
  url: string,
  seed: number,
  isHeard = true,
  isEnough = (_: Result) => false,
): Promise<readonly Result[]> {
  const http = client();
  const ears = listening({}, Date.now);
  onTestFinished(ears.close);
  const target: Target = {
    specification: specificationOf(notes),
    url,
    send: (message) => sent(http, url, message),
    now: Date.now,
    credentials: {},
    wait: async (ms, met) => {
      await pause(ms, undefined, met && { signal: met }).catch(() => {});
    },
    patienceMs: 0,
    graceMs: 2000,
    ...(isHeard && { listening: ears }),
  };
  const results: Result[] = [];
  for await (const play of walks(target, { requests: 160, random: seeded(seed) })) {
    results.push(...(await play()));
    if (results.some(isEnough)) break;
  }
  http.close();
  return results;
}

/** The violations that events show on the service of another document, up to one that is at this place. */
async function found(served: string, place: string): Promise<readonly Result[]> {
  const { address } = await start(served, { allowPrivate: ['127.0.0.1'] });
  const isEnough = (result: Result): boolean => result.verdict === 'violates' && result.place === place;
  const results = await walked(address, 1, true, isEnough);
  return results.filter(({ verdict }) => verdict === 'violates');
}

describe('the events of walks', () => {
  it.each(sampled([1, 2, 3], 3))('blame nobody who sends what is stated (seed %i)', async (seed) => {
    const { address } = await start(notes, { allowPrivate: ['127.0.0.1'] });
    const results = await walked(address, seed);
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    const conforming = results.filter(({ check }) => check === 'event.permitted');
    const statements = new Set(conforming.map(({ statement }) => statement.address));
    for (const stated of [
      'kinds.made.body',
      'kinds.starred.by',
      'delivery.hooks.sign',
      'delivery.hooks.headers',
    ])
      expect([...statements].some((address) => address.startsWith(`events.${stated}`))).toBe(true);
  });

  it('blame nobody where others are at work', async () => {
    const { address } = await start(notes, { allowPrivate: ['127.0.0.1'] });
    const all = await Promise.all([1, 2, 3].map((seed) => walked(address, seed)));
    expect(all.flat().filter(({ verdict }) => verdict === 'violates')).toEqual([]);
  });

  it.each(
    sampled(
      [
        ['is left out', 'by: [deleteNote]', 'by: []', 'event.gone'],
        ['is emitted by another operation, too', 'by: [deleteNote]', 'by: [deleteNote, edit]', 'event.gone'],
        [
          'comes though its condition is not true',
          'old.stars < this.stars',
          'old.stars <= this.stars',
          'event.starred',
        ],
        [
          'does not come at a bound of its condition',
          'old.stars < this.stars',
          'old.stars + 1 < this.stars',
          'event.starred',
        ],
        [
          'tells what is after the change',
          'from: "${old.stars}"',
          'from: "${this.stars}"',
          'event.body.from',
        ],
        ['has another envelope', 'source: notes', 'source: note', 'event.envelope.source'],
        ['goes to the items of others', '"${this.by == event.item.by}"', '"${true}"', 'event.made'],
        [
          'goes to none of its items',
          '"${this.by == event.item.by}"',
          '"${event.kind != \'made\'}"',
          'event.made',
        ],
        ['is signed with another key', 'secret: Hook.secret', 'secret: Hook.other', 'event.signature'],
        [
          'has another media type',
          'media: application/cloudevents+json',
          'media: application/json',
          'event.media',
        ],
        [
          'has another header field',
          'X-Kind: "${event.kind}"',
          'X-Kind: "${event.by}"',
          'event.headers.x-kind',
        ],
      ],
      4,
    ),
  )('find an event that %s', async (_, stated, other, place) => {
    expect(notes).toContain(stated);
    const violations = await found(notes.replace(stated, other), place);
    expect(violations.map((each) => each.place)).toContain(place);
    for (const { check, statement, sequence } of violations) {
      expect(check).toBe('event.permitted');
      expect(statement.address).toMatch(/^events\b/);
      expect(sequence?.length).toBeGreaterThan(0);
    }
  });

  it('are not looked at where nobody listens', async () => {
    const { address } = await start(notes.replace('by: [deleteNote]', 'by: []'));
    const results = await walked(address, 1, false);
    expect(results.filter(({ check }) => check === 'event.permitted')).toEqual([]);
  });
});
