import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { GivenCredentials } from '../../src/conformance/access/wallet.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-examples-'));
const patience = 240_000;
const seeds = Array.from({ length: process.env['TACET_LONG'] ? 20 : 2 }, (_, seed) => seed + 1);

afterAll(() => rmSync(folder, { recursive: true }));

function exampleOf(name: string, place = 'examples'): string {
  return readFileSync(fileURLToPath(new URL(`../../${place}/${name}.md`, import.meta.url)), 'utf8');
}

/** What the operator gives, of the schemes of an example. */
const given: Readonly<Record<string, GivenCredentials>> = {
  broker: { basic: { platform: 'open sesame' } },
  'parcel-desk': { desk: { office: 'open sesame' } },
};

/** The document without an open part or list, so that nothing hangs on one: of who asks, of events and rates. */
function completed(document: string): string {
  const parts = ['Authentication', 'Events'];
  const closed = changed(document, [/^open:\n( {2}.*\n)+/m, '']).replace(/^rates: \(open\).*\n/m, '');
  return parts.reduce(
    (so, part) => so.replace(new RegExp(`(## ${part}\\n).*?(?=\\n## |$)`, 's'), '$1\n```yaml\n(none)\n```\n'),
    closed,
  );
}

async function testOwnService(name: string, document: string, seed: number): Promise<Report> {
  const of = specificationOf(document, `${name}.md`);
  const credentials = of.authentication.kind === 'stated' ? (given[name] ?? {}) : {};
  const data = join(folder, `${name}-${seed}-${document.length}.sqlite`);
  const service = await serve(of, { data, credentials });
  try {
    return await testService(of, { url: service.url, seed, credentials });
  } finally {
    await service.close();
  }
}

/** The share of checks that end in *conforms* or *violates* (language §F.2). */
function shareJudged({ counts, results }: Report): number {
  return (counts.conforms.stated + counts.violates.stated) / results.length;
}

describe.each([['broker'], ['parcel-desk']])(
  'our own service of %s, while it is open who may ask',
  (name) => {
    const place = 'test/documents/open';
    it.each(seeds)(
      'is never blamed, and nearly every check is made: seed %i',
      { timeout: patience },
      async (seed) => {
        const report = await testOwnService(name, completed(exampleOf(name, place)), seed);
        expect(blamed(report)).toEqual([]);
        expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
        expect(shareJudged(report)).toBeGreaterThan(0.95);
      },
    );

    it('is never blamed as it stands, though parts of it are open', { timeout: patience }, async () => {
      const report = await testOwnService(name, exampleOf(name, place), 1);
      expect(blamed(report)).toEqual([]);
      expect(report.inOrder).toBe(true);
    });
  },
);

describe('our own service of the example publishing, in which it is stated who may ask', () => {
  it.each(process.env['TACET_LONG'] ? seeds : [1])(
    'is never blamed, and nearly every check is made: seed %i',
    { timeout: 2 * patience },
    async (seed) => {
      const report = await testOwnService('publishing', exampleOf('publishing'), seed);
      expect(blamed(report)).toEqual([]);
      expect(report.counts['not stated']).toEqual({ stated: 0, assumed: 0 });
      expect(shareJudged(report)).toBeGreaterThan(0.95);
    },
  );
});

describe.each(['broker', 'parcel-desk'])('our own service of the example %s', (name) => {
  it.each(seeds)('is never blamed: seed %i', { timeout: patience }, async (seed) => {
    const report = await testOwnService(name, exampleOf(name), seed);
    expect(blamed(report)).toEqual([]);
    expect(report.inOrder).toBe(true);
  });
});
