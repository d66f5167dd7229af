import { describe, expect, it } from 'vitest';
import { client, type Exchange } from '../../../src/conformance/http.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { sent, type Target } from '../../../src/conformance/play/target.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { isLong, sampled } from '../../long.ts';
import { specificationOf, start } from '../../service/served.ts';

/** Who has a key may add notes, at most three in ten seconds. */
const notes = (window = 'window: fixed, '): string => `
name: Notes
tacet: 1
complete: true
resources:
  Person:
    identifier: name
    fields: { name: { type: string, pattern: "^[a-z]+$" }, key: { type: string, readable: false } }
    items: [{ name: ann, key: key-of-ann }, { name: bob, key: key-of-bob }]
  Note:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, minLength: 1, maxLength: 20 }
    required: [id, text]
endpoints:
  others: refuse
  POST /notes: { operation: addNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { operation: listNotes, does: list Note, response: { status: 200, body: { notes: "\${Note(page.items)}" } } }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
states: (none)
events: (none)
versioning: (none)
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, wrong: refuse, challenge: Key }
  authorization: {}
  otherwise: known
errors:
  codes:
    no_key:  { when: credential missing, status: 401 }
    bad_key: { when: credential wrong, status: 401 }
    often:   { when: rate exceeded adding, status: 429 }
    misfit:  { when: invalid, status: 422 }
    unread:  { when: malformed, status: 400 }
    no_note: { when: unknown Note, status: 404 }
  order: listed
limits:
  rates:
    adding: { allow: 3, every: PT10S, per: actor, ${window}operations: [addNote], headers: { X-Left: "\${rate.remaining}" } }
`;

interface Played {
  readonly seed?: number;
  /** How far the service's clock is ahead. */
  readonly aheadMs?: number;
  /** What becomes of an answer on its way. */
  readonly changed?: (exchange: Exchange) => Exchange;
  /** Whether somebody else sends requests in between. */
  readonly hasOthers?: boolean;
}

/** The violations that walks by a document find on a service that does what another one states: all, or the first if it does something else. */
async function found(
  stated: string,
  done: string,
  { seed = 1, aheadMs = 0, changed = (exchange) => exchange, hasOthers = false }: Played = {},
): Promise<readonly Result[]> {
  let passedMs = 0;
  const now = (): number => Date.now() + passedMs;
  const { address, close } = await start(done, { milliseconds: () => now() + aheadMs });
  const http = client();
  let count = 0;
  const target: Target = {
    specification: specificationOf(stated),
    url: address,
    send: async (message) => {
      count += 1;
      const add = { method: 'POST', path: '/notes', body: JSON.stringify({ text: 'of others' }) };
      const headers = { 'content-type': 'application/json', 'x-key': 'key-of-ann' };
      if (hasOthers && count % 3 === 0) await sent(http, address, { ...add, headers } as never);
      return changed(await sent(http, address, message));
    },
    now,
    credentials: {},
    wait: async (ms) => {
      passedMs += ms;
    },
    patienceMs: 60_000,
  };
  const results: Result[] = [];
  for await (const play of walks(target, { requests: 160, random: seeded(seed) })) {
    results.push(...(await play()));
    if (stated !== done && results.some(({ verdict }) => verdict === 'violates')) break;
  }
  http.close();
  await close();
  expect(results.some(({ verdict }) => verdict === 'conforms')).toBe(true);
  return results.filter(({ verdict }) => verdict === 'violates');
}

/** Answers with another field, if they have a status. */
const withField =
  (status: number, name: string, value: string | null) =>
  (exchange: Exchange): Exchange => {
    const { response } = exchange;
    if (response?.status !== status) return exchange;
    const others = response.headers.filter(([field]) => field.toLowerCase() !== name);
    const headers = value === null ? others : [...others, [name, value] as const];
    return { ...exchange, response: { ...response, headers } };
  };

describe('walks on a service with rates', () => {
  it.each(['fixed', 'sliding', 'bucket'])('blame nobody whose window is %s', async (window) => {
    const exact = notes(`window: ${window}, `);
    expect(await found(exact, exact)).toEqual([]);
    if (isLong) expect(await found(notes(''), exact, { seed: 2 })).toEqual([]);
  });

  it('blame nobody whose clock is ten minutes off', async () => {
    expect(await found(notes(), notes(), { aheadMs: 600_000 })).toEqual([]);
    expect(await found(notes(), notes(), { aheadMs: -600_000 })).toEqual([]);
  });

  it.each(sampled(['actor', 'address', '(none)'], 3))(
    'blame nobody where others are at work, counted by %s',
    async (per) => {
      const text = notes().replace('per: actor', `per: ${per}`);
      for (const seed of isLong ? [1, 2] : [1])
        expect(await found(text, text, { seed, hasOthers: true })).toEqual([]);
    },
  );

  it('blame nobody where others are at work whom nobody sees', async () => {
    const text = notes().replace(/ {2}GET .notes: .*\n/, '');
    expect(text).not.toBe(notes());
    expect(await found(text, text, { hasOthers: true })).toEqual([]);
    const lax = text.replace('allow: 3', 'allow: 300');
    expect((await found(text, lax, { hasOthers: true })).length).toBeGreaterThan(0);
  });

  it.each(
    sampled(
      [
        ['never refuses', 'allow: 3', 'allow: 300'],
        ['refuses one too early', 'allow: 3', 'allow: 2'],
        ['refuses one too late', 'allow: 3', 'allow: 4'],
        ['counts all clients together', 'per: actor', 'per: (none)'],
        ['counts them by their address', 'per: actor', 'per: address'],
        ['has a longer time', 'PT10S', 'PT30S'],
        ['has a shorter time', 'PT10S', 'PT2S'],
        ['reckons otherwise', 'window: fixed', 'window: bucket'],
        ['counts other operations', 'operations: [addNote]', 'operations: [addNote, readNote]'],
        ['counts only some', 'operations', `when: "\${actor.name == 'bob'}", operations`],
        ['refuses with another status', 'status: 429', 'status: 503'],
        ['counts what it refuses before', 'order: listed', 'order: [often, no_key, bad_key, misfit]'],
        ['does not count what it refuses later', 'order: listed', 'order: [misfit, unread, often]'],
      ],
      6,
    ),
  )('find one that %s', async (_, right, wrong) => {
    expect(notes()).toContain(right);
    expect((await found(notes(), notes().replace(right, wrong))).length).toBeGreaterThan(0);
  });

  it('shows the requests that the rate counted before', async () => {
    const silent = notes().replace(/, headers: .* \}$/m, ' }');
    expect(silent).not.toBe(notes());
    const blamed = await found(silent, silent.replace('allow: 3', 'allow: 4'), { seed: 3 });
    const { sequence = [] } = blamed.find(({ expected }) => expected?.startsWith('status 429')) as Result;
    expect(sequence.filter(({ request }) => request.method === 'POST').length).toBeGreaterThan(3);
  });

  it.each([
    ['a refusal without its field', withField(429, 'x-left', null), 'headers.x-left'],
    ['a refusal that tells of another number', withField(429, 'x-left', '1'), 'headers.x-left'],
    ['a success that tells of another number', withField(201, 'x-left', '2'), 'headers.x-left'],
  ])('find %s', async (_, changed, place) => {
    const blamed = await found(notes(), notes(), { changed });
    expect(blamed.map((result) => result.place)).toEqual([place]);
    expect(blamed[0]?.statement.address).toContain('limits.rates.adding.headers');
  });
});
