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

/** Tests a service that keeps to one document against what the document of the crates states. */
async function tested(served: string, seed: number): Promise<Report> {
  const data = join(folder, `${runs++}.sqlite`);
  const service = await serve(specificationOf(served, 'served.yaml'), { data });
  try {
    return await testService(specificationOf(crates, 'crates.yaml'), { url: service.url, seed });
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
