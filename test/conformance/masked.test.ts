import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf, violations } from './documents.ts';

const path = fileURLToPath(new URL('documents/crates.yaml', import.meta.url));
const crates = readFileSync(path, 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'tacet-masked-'));
afterAll(() => rmSync(folder, { recursive: true }));
let runs = 0;

/** Crates of one version, that are no larger than they may be, and stored once for each key. */
const ordered = changed(
  crates,
  [
    'response: { status: 201, body: Crate }',
    '$&\n    idempotency: { header: Key, required: false, life: PT1H, per: key, remembers: successes }',
  ],
  [
    '  codes:',
    '$&\n    other: { when: version unknown, status: 406 }\n    large: { when: too large, status: 413 }',
  ],
  [
    '  codes:',
    '$&\n    reused: { when: key reused, status: 409 }\n    twice: { when: key busy, status: 409 }',
  ],
  ['order: [unreadable, no_crate, bad', 'order: [other, unreadable, large, no_crate, bad, reused'],
  ['limits: (none)', 'limits: { sizes: { body: 2 KiB } }'],
  [
    'versioning: (none)',
    'versioning: { scheme: date, place: { header: Version }, default: 2026-01-01, versions: { 2026-01-01: {} } }',
  ],
);

/** Tests a service that keeps to one document against what another states. */
async function tested(served: string, seed: number, stated = crates): Promise<Report> {
  const data = join(folder, `${runs++}.sqlite`);
  const service = await serve(specificationOf(served, 'served.yaml'), { data });
  try {
    return await testService(specificationOf(stated, 'crates.yaml'), { url: service.url, seed });
  } finally {
    await service.close();
  }
}

describe('a fault that another refusal would hide', () => {
  it.each([1, 2, 3])('is not seen where there is none: seed %i', async (seed) => {
    expect(blamed(await tested(crates, seed))).toEqual([]);
  });

  it.each([
    [
      'a transition from a state more, of items that its guard lets pass',
      'scrap: { from: stored',
      'scrap: { from: [stored, moving]',
      'states["Crate.status"].transitions.scrap.from',
    ],
    [
      'an empty text in the body of a transition that would be made',
      'dock: { type: string, minLength: 1',
      'dock: { type: string, minLength: 0',
      'endpoints["POST /crates/{id}/move"].request.body.fields.dock.minLength',
    ],
    [
      "the order of a tag that is another and a condition of one's own",
      'bad, changed, gone',
      'bad, gone, changed',
      'errors.order',
    ],
  ])('is found: %s', async (_fault, from, to, address) => {
    const report = await tested(changed(crates, [from, to]), 1);
    expect(violations(report).map(({ statement }) => statement.address)).toContain(address);
  });
});

describe('the order of what can be wrong with one request', () => {
  it('is not blamed where it is kept to', async () => {
    const report = await tested(ordered, 1, ordered);
    expect(blamed(report)).toEqual([]);
    const orders = report.results.filter(({ check }) => check === 'order');
    expect(orders.filter(({ verdict }) => verdict === 'conforms').length).toBeGreaterThan(10);
    const reasons = orders.flatMap(({ reason }) => reason ?? []);
    expect([...new Set(reasons)]).toEqual(['what a patch comes to is told of an item that is there']);
  });

  it.each([
    [
      'a version that is not there, and content that cannot be read',
      'other, unreadable',
      'unreadable, other',
    ],
    ['content that is too large, and an item that is not there', 'large, no_crate', 'no_crate, large'],
    ['what does not fit, and a key that came before', 'bad, reused', 'reused, bad'],
  ])('is seen: %s', async (_, from, to) => {
    const report = await tested(changed(ordered, [from, to]), 1, ordered);
    expect(violations(report).map(({ statement }) => statement.address)).toContain('errors.order');
  });
});
