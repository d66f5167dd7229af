import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/conformance/random.ts';
import { blamed } from './documents.ts';
import { exampleOf, testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-orders-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isLong = process.env['TACET_LONG'] !== undefined;
const documents = isLong
  ? ['asking/lending', 'changing/tickets', 'listing/depot', 'listing/library']
  : ['asking/lending', 'listing/depot'];

/** The document with its `errors.order` in another order, by the seed. */
function permuted(document: string, seed: number): string {
  const random = seeded(seed);
  return document.replace(/^( *order:\s*\[)([a-z_, ]+)\]/m, (_, before: string, list: string) => {
    const ranked = list.split(',').map((code) => ({ code, rank: random.whole(0, 1_000_000) }));
    const codes = ranked.sort((a, b) => a.rank - b.rank).map(({ code }) => code.trim());
    return `${before}${codes.join(', ')}]`;
  });
}

describe('whatever order is stated', () => {
  it.each(
    documents.flatMap((path) =>
      Array.from({ length: isLong ? 10 : 1 }, (_, index) => [path, index + 1] as const),
    ),
  )(
    'our own service keeps to it, and is not blamed: %s, permutation %i',
    { timeout: 60_000 },
    async (path, seed) => {
      const stated = readFileSync(`test/documents/${path}.yaml`, 'utf8');
      const document = permuted(stated, seed);
      expect(document).not.toBe(stated);
      const data = join(folder, `${path.replace('/', '-')}-${seed}.sqlite`);
      const report = await testOwnService(path.replace(/.*\//, ''), document, 1, data, 'yaml');
      expect(blamed(report)).toEqual([]);
      expect(report.counts.conforms.stated / report.results.length).toBeGreaterThan(0.8);
    },
  );

  it.runIf(isLong).each(Array.from({ length: 10 }, (_, index) => index + 1))(
    'so it is of the parcel desk: permutation %i',
    { timeout: 120_000 },
    async (seed) => {
      const complete = exampleOf('parcel-desk').replace(/^open:\n( {2}.*\n)+/m, '');
      const inLine = complete.replace(/\norder:\n((?: {2}- .*\n)+)/, (_, list: string) => {
        const codes = list
          .trim()
          .split(/\n? *- /)
          .filter(Boolean);
        return `\norder: [${codes.join(', ').replaceAll('\n', '')}]\n`;
      });
      const document = permuted(inLine, seed);
      expect(document).not.toBe(inLine);
      const report = await testOwnService('parcel-desk', document, 1, join(folder, `desk-${seed}.sqlite`));
      expect(blamed(report)).toEqual([]);
    },
  );
});
