import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-settled-'));
const document = readFileSync(new URL('documents/bookings.yaml', import.meta.url), 'utf8');

afterAll(() => rmSync(folder, { recursive: true }));

/** A booking is refused that ends before it begins: both run from 0 to 100. */
it('tries a value at its bound with others that must be on one side of it', async () => {
  const report = await testOwnService('bookings', document, 1, join(folder, 'a.sqlite'), 'yaml');
  const verdicts = new Map(report.results.map(({ says, verdict }) => [says, verdict]));
  for (const given of ['from: 100', 'from: 0', 'until: 0', 'until: 100'])
    expect(verdicts.get(`POST /bookings with ${given} succeeds`), given).toBe('conforms');
});
