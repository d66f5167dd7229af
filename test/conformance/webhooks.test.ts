import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Described, Result } from '../../src/conformance/check.ts';
import { selfSigned } from '../../src/conformance/events/certificate.ts';
import { type Report, type TestOptions, testService } from '../../src/conformance/run.ts';
import type { RunEvent } from '../../src/conformance/stream.ts';
import { type Fault, faults, startOffice } from '../faulty/office.ts';
import { freePort } from '../listening.ts';
import { specificationOf, start } from '../service/served.ts';
import { changed } from './documents.ts';

const text = readFileSync(new URL('../documents/events/office.yaml', import.meta.url), 'utf8');
const owned = readFileSync(new URL('../documents/events/tenants.yaml', import.meta.url), 'utf8');
const certified = selfSigned(['127.0.0.1'], Date.now());
const trusted = getCACertificates();

beforeAll(() => setDefaultCACertificates([...trusted, certified.certificate]));
afterAll(() => setDefaultCACertificates(trusted));

/** What is to come is waited for long: only what does not come takes so long. */
async function tested(document: string, url: string, more: Partial<TestOptions> = {}): Promise<Report> {
  const receiver = { certified, ...more.receiver };
  const only = ({ name }: Described): boolean => name.startsWith('event.');
  const how = { seed: 1, patienceMs: 2000, graceMs: 5000, only, ...more, receiver };
  return testService(specificationOf(document), { url, ...how });
}

/** The first check of part 6 that goes wrong; null where none does. A run goes no further. */
async function blamed(fault: Fault | null, document = text): Promise<string | null> {
  const { url, close } = await startOffice(fault);
  const found: string[] = [];
  const stop = (event: RunEvent): void => {
    if (event.kind !== 'result') return;
    const { check, verdict } = event.result;
    if (verdict !== 'violates' || !check.startsWith('event.')) return;
    found.push(check);
    throw found;
  };
  // The time-out and the pause after it are waited for where they tell something.
  const patienceMs = fault === 'no answer is waited for without end' ? 1500 : 500;
  await tested(document, url, { onEvent: stop, patienceMs, ...(fault && { graceMs: 500 }) }).catch(
    (error: unknown) => {
      if (error !== found) throw error;
    },
  );
  await close();
  return found[0] ?? null;
}

function ofEvents({ results }: Report): readonly Result[] {
  return results.filter(({ check }) => check.startsWith('event.'));
}

/** The checks that did not find what is stated, and what they found. */
function amiss(report: Report): readonly string[] {
  const all = ofEvents(report).filter(({ verdict }) => verdict !== 'conforms');
  return all.map(({ verdict, says, found, reason }) => `${verdict}: ${says}: ${reason ?? found}`);
}

const ways: Readonly<Record<string, readonly [string, string][]>> = {
  'of Standard Webhooks': [],
  'over TLS': [
    ['url: { type: string, format: uri }', 'url: { type: string, format: uri, pattern: "^https://" }'],
  ],
  'signed by an HMAC of its own': [
    [
      'sign: standard-webhooks',
      `sign: { header: X-Signature, hmac: sha256, over: "\${int(now)}.\${event.content}", as: "t=\${int(now)},v1=\${event.signature.hex}" }`,
    ],
  ],
  'in an envelope of its own': [
    [
      'envelope: cloudevents',
      'envelope: { id: "evt_${event.id}", type: "${event.kind}", data: "${event.body}" }',
    ],
    ['sign: standard-webhooks', 'media: application/json'],
    ['      secret: Hook.secret\n', ''],
  ],
};

describe('what is posted is held against part 6', () => {
  it.each(Object.entries(ways))(
    'of our own service, nothing is wrong, and all is seen: %s',
    async (_, changes) => {
      const document = changes.length > 0 ? changed(text, ...changes) : text;
      const { address } = await start(document, { allowPrivate: ['127.0.0.1'] });
      const report = await tested(document, address);
      expect(amiss(report)).toEqual([]);
      expect(new Set(ofEvents(report).map(({ check }) => check))).toEqual(
        new Set(
          [
            ...['emitted', 'body', 'envelope', 'media', 'headers', 'unlisted', 'stray', 'order', 'refused'],
            ...['elsewhere', 'retried', 'paused', 'again', 'redirected'],
            ...['attempts', 'paced', 'exhausted'],
            ...(document.includes('sign: ') ? ['signature'] : []),
          ].map((name) => `event.${name}`),
        ),
      );
    },
  );

  it.each([
    ['under ids', []],
    [
      'under no ids, and some of it by all',
      [
        ['this.owner == event.item.tenant', "this.owner == event.item.tenant || event.kind == 'desk.left'"],
        ['envelope: cloudevents', 'envelope: { type: "${event.kind}", data: "${event.body}" }'],
        ['      sign: standard-webhooks\n      secret: Hook.secret\n', ''],
      ],
    ],
  ] as [string, [string, string][]][])(
    'hears of items that each may make but one of, where their owners alone are told: %s',
    async (_, changes) => {
      const document = changes.length > 0 ? changed(owned, ...changes) : owned;
      const { address } = await start(document, { allowPrivate: ['127.0.0.1'] });
      const report = await tested(document, address);
      expect(amiss(report).filter((one) => !one.endsWith('nothing shows its id'))).toEqual([]);
      expect(ofEvents(report).map(({ check }) => check)).toEqual(
        expect.arrayContaining(['event.emitted', 'event.order', 'event.refused', 'event.elsewhere']),
      );
    },
  );

  it('of one that another wrote, nothing is wrong either', async () => {
    expect(await blamed(null)).toBe(null);
  });

  it.each(faults)('finds that %s', async (fault) => {
    expect(await blamed(fault)).toMatch(/^event\./);
  });

  it('blames nobody for what it cannot receive', async () => {
    const untrusted = selfSigned(['127.0.0.1'], Date.now());
    const document = changed(text, ...(ways['over TLS'] ?? []));
    const { address } = await start(document, { allowPrivate: ['127.0.0.1'] });
    const report = await tested(document, address, {
      receiver: { certified: untrusted },
      patienceMs: 300,
      graceMs: 300,
    });
    const emitted = ofEvents(report).filter(({ check }) => check === 'event.emitted');
    expect(emitted.map(({ verdict }) => verdict)).toEqual([
      'not exercised',
      'not exercised',
      'not exercised',
    ]);
    expect(emitted[0]?.reason).toMatch(/^no connection came about, of which TLS says: /);
  });

  it('receives what the operator has sent to it, where it is said where it listens', async () => {
    const document = changed(
      text,
      ['webhook: Hook.url', 'webhook: operator'],
      [/ {6}where: .*\n/, ''],
      ['secret: Hook.secret', 'secret: operator'],
      ['      exhausted: Hook.lose\n', ''],
    );
    const port = await freePort();
    const key = `whsec_${Buffer.from('a key of twenty-four bits').toString('base64')}`;
    const { address } = await start(document, {
      deliver: { hooks: `http://127.0.0.1:${port}/hooks` },
      secrets: { hooks: key },
    });
    const report = await tested(document, address, { receiver: { port }, secrets: { hooks: key } });
    // The address was there before the run, so that nothing is known of what is told besides.
    const besides =
      / (nothing is told besides, .*|no \S+ comes of it): what comes may have been told of before$/;
    expect(amiss(report).filter((one) => !one.includes('redirect') && !besides.test(one))).toEqual([]);
    const how = { url: address, seed: 1, patienceMs: 300 };
    const { unchecked } = await testService(specificationOf(document), how);
    expect(unchecked.map(({ why }) => why)).toContain(
      'the operator says where it is sent, and it was not said where the tester receives it',
    );
  });
});

describe('what is sent of the version that an address wants', () => {
  const scales = (wanted: string): string => `
name: Scales
complete: true
resources:
  Parcel: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } } } }
  Hook:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      url: { type: string, format: uri }
      speaks: { type: string, enum: ["1", "2", "9"] }
    required: [url, speaks]
endpoints:
  others: refuse
  POST /parcels: { operation: add, does: create Parcel, response: { status: 201, body: Parcel } }
  POST /hooks: { operation: hook, does: create Hook, request: { body: Hook }, response: { status: 201, body: Hook } }
states: (none)
authentication: (none)
events:
  kinds: { added: { by: [add], body: { id: "\${this.id}" } } }
  envelope: cloudevents
  source: scales
  delivery: { hooks: { webhook: Hook.url, version: "\${${wanted}}" } }
errors: { payload: (none), codes: { malformed: { when: malformed, status: 400 }, invalid: { when: invalid, status: 422 }, media: { when: unsupported media, status: 415 } } }
limits: (none)
versioning:
  scheme: number
  place: { header: Version }
  default: 2
  versions: { 2: {}, 1: { differs: { 'events.kinds.added.body': { was: "\${this.id}" } } } }
`;
  const found = async (served: string, seed: number): Promise<readonly string[]> => {
    const { address: url } = await start(scales(served), { allowPrivate: ['127.0.0.1'] });
    const only = ({ name }: Described): boolean => /^event\.(version|emitted)$/.test(name);
    const report = await tested(scales('this.speaks'), url, { seed, only, patienceMs: 300 });
    return ofEvents(report).flatMap(({ check, verdict }) => (verdict === 'violates' ? [check] : []));
  };

  it.each([1, 2, 3])(
    'is not blamed where it is, nor where there is no such version: seed %i',
    async (seed) => {
      expect(await found('this.speaks', seed)).toEqual([]);
    },
  );

  it('is found where it is of another', async () => {
    const other = "this.speaks == '1' ? '2' : (this.speaks == '2' ? '1' : this.speaks)";
    const all = await Promise.all([1, 2, 3].map((seed) => found(other, seed)));
    expect(all.flat()).toContain('event.version');
  });
});
