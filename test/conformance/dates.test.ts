import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TestOptions } from '../../src/conformance/run.ts';
import type { Reporter } from '../../src/conformance/stream.ts';
import { blamed, changed, shareJudged } from './documents.ts';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-dates-'));
const document = readFileSync(new URL('documents/tables.yaml', import.meta.url), 'utf8');
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

const tested = (seed: number, served = document, options: Pick<TestOptions, 'onEvent'> = {}) =>
  testOwnService('tables', document, seed, join(folder, `${files++}.sqlite`), 'yaml', { served, options });

/** The statements that are violated until one of these is; a run goes no further. */
async function blamedUntil(address: string, served: string): Promise<readonly string[]> {
  const found: string[] = [];
  const onEvent: Reporter = (event) => {
    if (event.kind !== 'result' || event.result.verdict !== 'violates') return;
    found.push(event.result.statement.address);
    if (found.at(-1)?.includes(address)) throw found;
  };
  await tested(1, served, { onEvent }).catch((error: unknown) => {
    if (error !== found) throw error;
  });
  return found;
}

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
    const found = await blamedUntil(address, changed(document, change));
    expect(found).toContainEqual(expect.stringContaining(address));
  });
});
