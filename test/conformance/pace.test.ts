import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { bucketLog, windowLog } from '../../src/conformance/limits/log.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { Reporter } from '../../src/conformance/stream.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-pace-'));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true }));

const document = `
name: Desks
tacet: 1
complete: true
resources:
  Account:
    identifier: id
    fields:
      id:    { type: string, set: { create: "\${uuid()}" } }
      email: { type: string, format: email, maxLength: 100, unique: caseless }
      key:   { type: string, secret: hashed, set: { create: "\${random(32)}" } }
    required: [email]
    others: refuse
  Note:
    identifier: id
    fields:
      id:    { type: string, set: { create: "\${uuid()}" } }
      owner: { refers: Account, ifDeleted: refuse, set: { create: "\${actor}" } }
      text:  { type: string, minLength: 1, maxLength: 20 }
    required: [text]
    others: refuse
  Profile:
    identifier: id
    fields:
      id:   { type: string, set: { create: "\${uuid()}" } }
      of:   { refers: Account, ifDeleted: refuse, unique: true, set: { create: "\${actor}" } }
      name: { type: string, minLength: 1, maxLength: 20 }
    required: [name]
    others: refuse
endpoints:
  others: refuse
  POST /accounts:
    operation: register
    does: create Account
    request: { body: Account }
    response: { status: 201, body: { id: "\${this.id}", email: "\${this.email}", key: "\${this.key}" } }
  POST /notes: { operation: makeNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes: { operation: listNotes, does: list Note, response: { status: 200, body: { notes: "\${Note(page.items)}" } } }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
  PATCH /notes/{id}:
    operation: changeNote
    does: update Note
    request: { media: application/merge-patch+json, body: Note }
    response: { status: 200, body: Note }
  DELETE /notes/{id}: { operation: dropNote, does: delete Note, response: 204 }
  POST /profiles: { operation: makeProfile, does: create Profile, request: { body: Profile }, response: { status: 201, body: Profile } }
states: (none)
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Account.key }, actor: Account, challenge: Key, wrong: refuse } }
  authorization:
    register: anyone
    makeNote: known
    makeProfile: known
    listNotes: { rule: known, items: "\${this.owner == actor}" }
    readNote: "\${this.owner == actor}"
    changeNote: "\${this.owner == actor}"
    dropNote: "\${this.owner == actor}"
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400 }
    unnamed: { when: not authenticated, status: 401 }
    barred: { when: not authorized, status: 403 }
    invalid: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    unknown: { when: unknown, status: 404 }
    enough: { when: rate exceeded, status: 429 }
limits:
  rates: { desk: { allow: 30, every: PT1M, per: actor, window: sliding, headers: draft-10 } }
versioning: (none)
`;

interface Run extends Report {
  /** How long was waited, in milliseconds, each time. */
  readonly waits: readonly number[];
}

interface Options {
  readonly served: string;
  readonly patienceMs: number;
  readonly onEvent: Reporter;
}

/** Tests the service of one document against another; both go by one clock, which waiting moves on. */
async function report(
  stated: string,
  { served = stated, patienceMs = 5000, onEvent = (): void => undefined }: Partial<Options> = {},
): Promise<Run> {
  let now = 1_800_000_000_000;
  const waits: number[] = [];
  files += 1;
  const service = await serve(specificationOf(served, 'desks.yaml'), {
    data: join(folder, `${files}.sqlite`),
    milliseconds: () => now,
    counter: 'process',
  });
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    now += ms;
    return Promise.resolve();
  };
  try {
    const of = specificationOf(stated, 'desks.yaml');
    const how = { now: () => now, wait, patienceMs, onEvent };
    const found = await testService(of, { url: service.url, seed: 1, ...how });
    return { ...found, waits };
  } finally {
    await service.close();
  }
}

const usedUp = ({ results }: Report): readonly string[] =>
  results.flatMap(({ says, reason }) => (reason?.includes('is used up') ? [says] : []));

const rate = /desk: \{.*\} \}/;

describe('a rate that counts what the tester sends (language §8.1)', () => {
  it('by who asks holds up nothing: others ask, with items of their own, and nobody waits', async () => {
    const found = await report(document);
    expect(blamed(found)).toEqual([]);
    expect(usedUp(found)).toEqual([]);
    expect(found.waits).toEqual([]);
    const without = await report(
      changed(document, [rate, 'none: { allow: 1, every: PT1S, per: actor, operations: [] } }']),
    );
    const made = (one: Report): readonly string[] =>
      one.results
        .flatMap(({ check, says, verdict }) =>
          verdict !== 'conforms' || check.startsWith('rate.') || /desk is used up|when refused/.test(says)
            ? []
            : [says.replace(/unstated[a-z]+|"[^"]+"/g, '…').replace(/GET \/[a-z]{8}\/\S+/, 'GET /…')],
        )
        .sort();
    expect(made(found)).toEqual(made(without));
  });

  it('of everybody is waited for, within the patience', async () => {
    const shared = changed(document, [
      rate,
      'desk: { allow: 20, every: PT2S, per: (none), window: fixed } }',
    ]);
    const found = await report(shared);
    expect(blamed(found)).toEqual([]);
    expect(usedUp(found)).toEqual([]);
    expect(found.waits.length).toBeGreaterThan(10);
    expect(Math.max(...found.waits)).toBeLessThan(5000);
  });

  it('that is not waited for leaves checks unexercised, and says so', async () => {
    const shared = changed(document, [rate, 'desk: { allow: 20, every: PT1H, per: (none) } }']);
    const found = await report(shared);
    expect(blamed(found)).toEqual([]);
    expect(found.waits).toEqual([]);
    expect(found.requests).toBeLessThan(50);
    expect(usedUp(found).length).toBeGreaterThan(50);
    expect(found.results.find(({ reason }) => reason?.includes('is used up'))?.reason).toBe(
      'limits.rates.desk is used up, and it is not waited until it lets in more: up to 3600 s',
    );
  });

  it('is alone to blame for a refusal that it does not explain', async () => {
    const found = await report(document, { served: changed(document, ['allow: 30', 'allow: 12']) });
    expect(violations(found).length).toBeGreaterThan(0);
    for (const { statement } of violations(found)) expect(statement.address).toMatch(/^limits\.rates\.desk/);
  });

  it.each<[string, string, string]>([
    ['counts everybody together', 'per: actor', 'per: (none)'],
    ['counts each apart', 'per: (none)', 'per: actor'],
    ['lets in one more in a sliding window', 'allow: 30', 'allow: 31'],
    ['lets in one less', 'allow: 30', 'allow: 29'],
  ])('is found not to be kept to by an implementation that %s', async (_fault, from, to) => {
    const stated =
      from === 'per: (none)' ? changed(document, ['per: actor', from], ['PT1M', 'PT4S']) : document;
    const found = await report(stated, { served: changed(stated, [from, to]) });
    expect(blamed(found)).not.toEqual([]);
  });
});

it('tells of a rate in the first answer to somebody new, which is judged before any is used up', async () => {
  const served = changed(document, ['allow: 30', 'allow: 31']);
  const violated: { readonly says: string; readonly after: number }[] = [];
  let sent = 0;
  const onEvent: Reporter = (event) => {
    if (event.kind === 'exchange') sent += 1;
    if (event.kind === 'result' && event.result.verdict === 'violates')
      violated.push({ says: event.result.says, after: sent });
  };
  await report(document, { served, onEvent });
  const [first] = violated;
  expect(first?.says).toBe('GET /notes, asked by somebody new, is answered with RateLimit-Policy of desk');
  expect(first?.after).toBeLessThan(30);
});

describe('what is open of a rate', () => {
  it.each(['allow: 30, ', 'every: PT1M, ', 'per: actor, '])('excuses a refusal: %s', async (said) => {
    const open = changed(document, [said, '']);
    const served = changed(document, ['allow: 30', 'allow: 12']);
    const found = await report(open, { served });
    expect(blamed(found)).toEqual([]);
    const points = found.results.flatMap(({ check, points = [] }) => (check === 'succeeds' ? points : []));
    expect(new Set(points)).toEqual(new Set([`limits.rates.desk.${said.split(':')[0]}`]));
  });
});

describe('what the tester takes to have been counted', () => {
  const asks = fc.record({
    allow: fc.integer({ min: 1, max: 6 }),
    everyMs: fc.constantFrom(100, 250, 1000),
    /** Pauses between what is sent, and how long each answer takes. */
    pauses: fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 30 })), {
      maxLength: 40,
    }),
    /** When within the time an answer takes the implementation counts. */
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  /** The times at which an implementation counts what is sent as soon as it may be. */
  function counted(
    log: ReturnType<typeof windowLog>,
    { pauses, share }: { readonly pauses: readonly (readonly [number, number])[]; readonly share: number },
  ): number[] {
    let now = 0;
    return pauses.map(([pause, took]) => {
      now = Math.max(now + pause, log.opensAt());
      const at = now + took * share;
      now += took;
      log.add(now);
      return at;
    });
  }

  const runs = { numRuns: process.env['TACET_LONG'] ? 20_000 : 300 };

  it('lets no window be overrun, fixed or sliding', () => {
    fc.assert(
      fc.property(asks, ({ allow, everyMs, ...rest }) => {
        const times = counted(windowLog(allow, everyMs), rest);
        for (const one of times)
          expect(times.filter((at) => at >= one && at < one + everyMs).length).toBeLessThanOrEqual(allow);
      }),
      runs,
    );
  });

  it('lets no bucket be emptied', () => {
    fc.assert(
      fc.property(asks, ({ allow, everyMs, ...rest }) => {
        for (const log of [bucketLog(allow, everyMs), windowLog(allow, everyMs)]) {
          let [level, last] = [allow, 0];
          for (const at of counted(log, rest)) {
            level = Math.min(allow, level + ((at - last) * allow) / everyMs) - 1;
            last = at;
            expect(level).toBeGreaterThan(-1e-6);
          }
        }
      }),
      runs,
    );
  });

  it('is no more than it has to be: as many as are allowed go at once, and again a window later', () => {
    for (const log of [windowLog(3, 1000), bucketLog(3, 1000)]) {
      for (const at of [0, 0, 0]) {
        expect(log.opensAt()).toBeLessThanOrEqual(at);
        log.add(at);
      }
      expect(log.opensAt()).toBeGreaterThan(0);
      expect(log.left(0)).toBe(0);
      expect(log.left(1001)).toBe(3);
    }
  });
});
