import { describe, expect, it } from 'vitest';
import type { Deviation } from '../../../src/conformance/deviations/deviation.ts';
import { client } from '../../../src/conformance/http.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { plan, type Walk } from '../../../src/conformance/search/plan.ts';
import { sampled } from '../../long.ts';
import { specificationOf, start } from '../../service/served.ts';
import { targetAt } from './target.ts';

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
      pinned: { type: boolean, default: false }
    required: [id, by, text]
endpoints:
  others: refuse
  POST /notes:
    operation: addNote
    does: create Note
    request: { body: Note }
    response: { status: 201, body: Note }
  GET /notes:
    operation: listNotes
    does: { list: Note, order: [id] }
    request: { query: { pinned: { type: boolean, filter: pinned }, limit: { page: size, type: integer, minimum: 1, maximum: 50, default: 50 } } }
    response: { status: 200, body: { notes: "\${Note(page.items)}", total: "\${page.total}" } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}:
    does: update Note
    request: { body: Note }
    response: { status: 200, body: Note }
  DELETE /notes/{id}: { operation: deleteNote, does: delete Note, response: 204 }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, wrong: refuse }
  authorization: { addNote: known, listNotes: known }
  otherwise: "\${this.by == actor}"
errors:
  order: listed
  codes:
    unreadable: { when: malformed, status: 400 }
    no_path: { when: [unknown path, method not allowed], status: 404 }
    no_media: { when: unsupported media, status: 415 }
    no_key: { when: [credential missing, credential wrong], status: 401 }
    none: { when: [unknown Note, not authorized Note], status: 404 }
    no: { when: not authorized, status: 403 }
    wrong: { when: invalid, status: 422 }
    broken: { when: internal, status: 500 }
    large: { when: too large body, status: 413 }
limits:
  rates: (none)
  sizes: { body: 400 }
  times: (none)
events: (none)
versioning: (none)
states: (none)
`;

const counting = '"${page.total}"';
const miscounting = '"${page.total + Note.filter(n, n.pinned).size()}"';

/** The violations that walks by one document find on the service of another, up to one that is enough. */
async function found(
  text: string,
  served: string,
  seed = 1,
  isEnough = (_: Result) => false,
  requests = 320,
): Promise<Result[]> {
  const { address, close } = await start(served);
  const results = await walked(text, address, seed, undefined, undefined, isEnough, requests);
  await close();
  return results;
}

/** The violations that walks by a document find on the service at an address. */
async function walked(
  text: string,
  url: string,
  seed: number,
  planned?: readonly Walk[],
  onTold = (_: Deviation): void => {},
  isEnough = (_: Result) => false,
  requests = planned ? 0 : 320,
): Promise<Result[]> {
  const http = client();
  const target = targetAt(url, text, http);
  const results: Result[] = [];
  const plan = planned && { plan: async () => ({ walks: planned, untold: [] }), onTold };
  const options = { requests, random: seeded(seed), ...(plan && { planned: plan }) };
  for await (const play of walks(target, options)) {
    results.push(...(await play()));
    if (results.some((result) => result.verdict === 'violates' && isEnough(result))) break;
  }
  http.close();
  expect(results.filter(({ verdict }) => verdict === 'conforms').length).toBeGreaterThan(0);
  return results.filter(({ verdict }) => verdict === 'violates');
}

describe('walks', () => {
  it.each(sampled([1, 2, 3], 3))('blame nobody who does what is stated (seed %i)', async (seed) => {
    expect(await found(notes, notes, seed)).toEqual([]);
  });

  it.each(
    sampled(
      [
        ['another status', 'does: delete Note, response: 204', 'does: delete Note, response: 200'],
        ['another default', 'default: false', 'default: true'],
        ['another bound', 'maxLength: 20', 'maxLength: 12'],
        ['a rule that lets everybody in', '"${this.by == actor}"', 'known'],
        [
          'a member that is not shown',
          'pinned: { type: boolean,',
          'pinned: { type: boolean, readable: false,',
        ],
        ['another status of a refusal', 'when: invalid, status: 422', 'when: invalid, status: 400'],
        ['another status of broken JSON', 'when: malformed, status: 400', 'when: malformed, status: 409'],
        [
          'another status of another media type',
          'unsupported media, status: 415',
          'unsupported media, status: 400',
        ],
        [
          'a media type that is taken, too',
          'does: update Note\n    request: { body',
          'does: update Note\n    request: { media: [application/json, application/x-another+json], body',
        ],
        ['content that may be larger', 'sizes: { body: 400 }', 'sizes: { body: 4000 }'],
        ['content that may not be as large', 'sizes: { body: 400 }', 'sizes: { body: 399 }'],
        [
          'a member that is never written',
          'pinned: { type: boolean,',
          'pinned: { type: boolean, writable: once,',
        ],
      ],
      4,
    ),
  )('find %s', async (_, stated, other) => {
    expect(notes).toContain(stated);
    const blamed = await found(notes, notes.replace(stated, other), 1, () => true, 960);
    expect(blamed.length).toBeGreaterThan(0);
    for (const { sequence, curl } of blamed) {
      expect(sequence?.length).toBeGreaterThan(0);
      expect(curl).toContain('curl ');
    }
  });

  it('find a count that is wrong if nobody else uses the service', async () => {
    expect(notes).toContain(counting);
    const blamed = await found(
      notes,
      notes.replace(counting, miscounting),
      1,
      ({ place }) => place === 'body.total',
    );
    expect(blamed.map(({ place }) => place)).toContain('body.total');
  });

  it('blame nobody where others are at work, or were before', async () => {
    const { address, close } = await start(notes);
    const all = await Promise.all(
      [1, 2, 3].map((seed) => walked(notes, address, seed, undefined, undefined, undefined, 160)),
    );
    expect(all.flat()).toEqual([]);
    expect(await walked(notes, address, 4)).toEqual([]);
    await close();
  });

  it.each(sampled([1, 2, 3], 3))(
    'know items of others by their keys, not by numbers that they hold (seed %i)',
    async (seed) => {
      const counted = `
tacet: 1
complete: true
resources:
  Task:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      size: { type: integer, minimum: 1, maximum: 9 }
    required: [size]
endpoints:
  others: refuse
  POST /tasks: { operation: addTask, does: create Task, request: { body: Task }, response: { status: 201, body: Task } }
  GET /tasks: { operation: listTasks, does: list Task, response: { status: 200, body: "\${Task(page.items)}" } }
  GET /tasks/count: { operation: countTasks, does: list Task, response: { status: 200, body: { total: "\${page.total}" } } }
authentication: (none)
errors: { codes: { wrong: { when: invalid, status: 422 } } }
limits: (none)
events: (none)
versioning: (none)
states: (none)
`;
      const { address, close } = await start(counted);
      for (let task = 0; task < 3; task++) {
        const body = JSON.stringify({ size: 4 + task });
        await fetch(`${address}/tasks`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
      }
      expect(await walked(counted, address, seed)).toEqual([]);
      await close();
    },
  );

  it('blame nobody who refuses for a reason that may still be stated', async () => {
    const open = notes.replace('complete: true', 'complete: [endpoints, resources, authentication]');
    const stricter = notes.replace('maxLength: 20', 'maxLength: 20, holds: { tidy: "${value != \'x\'}" }');
    expect(open).not.toBe(notes);
    expect(await found(open, stricter)).toEqual([]);
  });
});

const keySet = `set: { create: "\${'key_' + random(12)}" }`;
const uuidSet = 'format: uuid, set: { create: "${uuid()}" }';
const joining = `  POST /people:
    operation: join
    does: create Person
    request: { body: { of: Person, shows: [name] } }
    response: { status: 201, body: { name: "\${this.name}", key: "\${this.key}" } }
`;

describe('walks of a plan', () => {
  const turned = 'this.pinned != request.query.pinned';
  const { told, walks: planned } = plan(specificationOf(notes), { seed: 2, budgetMs: 1000, patienceMs: 0 });

  it('blame nobody who does what is stated, however often they are played', async () => {
    const { address, close } = await start(notes);
    const noticed = new Set<Deviation>();
    for (const seed of [1, 2])
      expect(await walked(notes, address, seed, planned, (deviation) => noticed.add(deviation))).toEqual([]);
    await close();
    // All of them could be sent.
    expect(noticed).toEqual(new Set(told.keys()));
    expect(noticed.size).toBeGreaterThan(150);
  });

  it.each([
    [
      'keys that nobody can guess',
      notes
        .replace('{ type: string, readable: false }', `{ type: string, readable: false, ${keySet} }`)
        .replace('  POST /notes:\n', `${joining}  POST /notes:\n`)
        .replace('authorization: {', 'authorization: { join: anyone,'),
    ],
    [
      'identifiers that are worked out from numbers',
      notes.replace(uuidSet, `set: { create: "\${'N-' + string(1000 + sequence())}" }`),
    ],
  ])('carry what the service made: %s', async (_, text) => {
    const { walks: planned, told } = plan(specificationOf(text), { budgetMs: 500, patienceMs: 0 });
    const { address, close } = await start(text);
    const noticed = new Set<Deviation>();
    expect(await walked(text, address, 1, planned, (deviation) => noticed.add(deviation))).toEqual([]);
    await close();
    expect(noticed).toEqual(new Set(told.keys()));
    expect(noticed.size).toBeGreaterThan(150);
  });

  it('go on from what is stored, where nothing more may be made', async () => {
    const full = notes
      .replace(
        'wrong: { when: invalid',
        'full: { when: quota exceeded, status: 409 }\n    wrong: { when: invalid',
      )
      .replace('limits:\n', 'limits:\n  quotas: { own: { of: Note, per: "${this.by}", allow: 1 } }\n')
      .replace(/ {2}DELETE \/notes\/\{id\}:.*\n/, '');
    const { walks: planned, told } = plan(specificationOf(full), { budgetMs: 1000, patienceMs: 0 });
    const { address, close } = await start(full);
    const noticed = new Set<Deviation>();
    const isEnough = (): boolean => false;
    const found = await walked(full, address, 1, planned, (each) => noticed.add(each), isEnough, 160);
    await close();
    expect(found).toEqual([]);
    expect(noticed.size).toBeGreaterThan(0.85 * told.size);
  });

  it.each([
    [
      'a filter that is turned',
      '{ type: boolean, filter: pinned }',
      `{ type: boolean, filter: "\${${turned}}" }`,
    ],
    ['a bound that is one more', 'maxLength: 20', 'maxLength: 21'],
    ['a note that anybody may delete', 'listNotes: known }', 'listNotes: known, deleteNote: known }'],
    ['a count that is wrong if nobody else uses the service', counting, miscounting],
  ])('find %s', async (_, stated, different) => {
    expect(notes).toContain(stated);
    const { address, close } = await start(notes.replace(stated, different));
    const results = await walked(notes, address, 1, planned);
    await close();
    expect(results.length).toBeGreaterThan(0);
  });
});
