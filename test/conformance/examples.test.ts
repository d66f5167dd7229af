import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/conformance/run.ts';
import { absence, schema } from '../service/store/postgres.ts';
import { blamed, changed } from './documents.ts';
import { exampleOf, testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-examples-'));
const patience = 240_000;
const isLong = process.env['TACET_LONG'] !== undefined;
const seeds = Array.from({ length: isLong ? 20 : 1 }, (_, seed) => seed + 1);

afterAll(() => rmSync(folder, { recursive: true }));

/** The document without an open part or list, so that nothing hangs on one: of who asks, of events and rates. */
function completed(document: string): string {
  const parts = ['Authentication', 'Events'];
  const closed = changed(document, [/^open:\n( {2}.*\n)+/m, '']).replace(/^rates: \(open\).*\n/m, '');
  return parts.reduce(
    (so, part) => so.replace(new RegExp(`(## ${part}\\n).*?(?=\\n## |$)`, 's'), '$1\n```yaml\n(none)\n```\n'),
    closed,
  );
}

/** A file of its own for each run. */
const fileFor = (name: string, document: string, seed: number): string =>
  join(folder, `${name}-${seed}-${document.length}.sqlite`);

const inFile = (name: string, document: string, seed: number): Promise<Report> =>
  testOwnService(name, document, seed, fileFor(name, document, seed));

describe.each([['broker'], ['parcel-desk']])(
  'our own service of %s, while it is open who may ask',
  (name) => {
    const place = 'test/documents/open';
    it.each(seeds)('is never blamed: seed %i', { timeout: patience }, async (seed) => {
      const report = await inFile(name, completed(exampleOf(name, place)), seed);
      expect(blamed(report)).toEqual([]);
      expect(report.inventions).toEqual([]);
    });

    // The parcel desk waits for the attempts of many webhooks: what is open in it is open in the broker, too.
    const isLate = name === 'parcel-desk' && !isLong;
    it.skipIf(isLate)(
      'is never blamed as it stands, though parts of it are open',
      { timeout: patience },
      async () => {
        const report = await inFile(name, exampleOf(name, place), 1);
        expect(blamed(report)).toEqual([]);
        expect(report.inventions).toEqual([]);
        expect(report.inOrder).toBe(true);
      },
    );
  },
);

describe('our own service of the example publishing, in which it is stated who may ask', () => {
  it.each(seeds)('is never blamed: seed %i', { timeout: 2 * patience }, async (seed) => {
    const report = await inFile('publishing', exampleOf('publishing'), seed);
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
  });
});

describe.each(['broker', 'parcel-desk'])('our own service of the example %s', (name) => {
  it('is never blamed, once its question is answered', { timeout: patience }, async () => {
    const answered = changed(exampleOf(name), [/^open:\n( {2}.*\n)+/m, '']);
    const report = await inFile(name, answered, 1);
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
  });
});

const asItStands = isLong
  ? ['broker', 'parcel-desk', 'subscriptions', 'directory', 'files', 'ledger']
  : ['directory', 'ledger'];
describe.each(asItStands)('our own service of the example %s', (name) => {
  it.each(seeds)('is never blamed: seed %i', { timeout: patience }, async (seed) => {
    const report = await inFile(name, exampleOf(name), seed);
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
    expect(report.inOrder).toBe(true);
  });
});

const missing = await absence();
const inPostgres = isLong
  ? ['publishing', 'subscriptions', 'parcel-desk', 'broker', 'directory', 'files', 'ledger']
  : ['broker', 'files'];

describe.skipIf(missing !== null).each(inPostgres)(
  'our own service of the example %s, in PostgreSQL',
  (name) => {
    it.each(seeds)('is never blamed: seed %i', { timeout: 2 * patience }, async (seed) => {
      const { address } = await schema();
      const report = await testOwnService(name, exampleOf(name), seed, address);
      expect(blamed(report)).toEqual([]);
      expect(report.inOrder).toBe(true);
    });
  },
);
