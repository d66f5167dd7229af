import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { blamed, changed, shareJudged, violations } from './documents.ts';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-dates-'));
const document = readFileSync(new URL('documents/tables.yaml', import.meta.url), 'utf8');
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

const tested = (seed: number, served = document) =>
  testOwnService('tables', document, seed, join(folder, `${files++}.sqlite`), 'yaml', { served });

/** Tables that are booked for a time to come, of a document that states how far off it may be and how long. */
describe('what should hold of times, and of how far they are from now', () => {
  it.each([1, 2, 3])('is never blamed where it is kept to, and is judged: seed %i', async (seed) => {
    const report = await tested(seed);
    expect(blamed(report)).toEqual([]);
    expect(shareJudged(report)).toBeGreaterThan(0.97);
  });

  it.each([
    [
      'a time that is past is taken',
      'errors.codes.bad.status',
      ['value > now', "value > now - duration('P800D')"],
    ],
    [
      'a time that is to come is refused',
      'resources.Table.fields.from',
      ['value > now', "value > now + duration('P30D')"],
    ],
    [
      'a time that is too far off is taken',
      'resources.Table.fields.held.holds["it is within the year"]',
      ['P366D', 'P369D'],
    ],
    [
      'a day that is past is taken',
      'resources.Table.fields.callOn.holds["it is no day past"]',
      ['value >= substring(string(now), 0, 10)', "value >= '2001-01-01'"],
    ],
    [
      'it may end before it begins',
      'resources.Table.invariants["it ends after it begins"]',
      ['this.until > this.from', 'this.until != this.from'],
    ],
    [
      'it may be longer',
      'resources.Table.invariants["it is no longer than four hours"]',
      ["this.until - this.from <= duration('PT4H')", "this.until - this.from <= duration('PT4H1S')"],
    ],
    [
      'a transition leads out too late',
      'states["Table.state"].transitions.cancel.when',
      ["now >= duration('P3D')", "now >= duration('P2D')"],
    ],
    [
      'a transition leads out too early alone',
      'states["Table.state"].transitions.cancel.when',
      ["now >= duration('P3D')", "now >= duration('P4D')"],
    ],
  ] as const)('is blamed where %s', async (_, address, change) => {
    const report = await tested(1, changed(document, change));
    expect(violations(report).map(({ statement }) => statement.address)).toContainEqual(
      expect.stringContaining(address),
    );
  });
});
