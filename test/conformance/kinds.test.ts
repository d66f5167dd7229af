import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf } from './documents.ts';

const path = fileURLToPath(new URL('../documents/asking/lending.yaml', import.meta.url));
const lending = readFileSync(path, 'utf8');
const credentials = { desk: { office: 'open sesame' } };
const patience = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'tacet-kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));
let runs = 0;

/** Tests a service that keeps to one document against what another states. */
async function tested(served: string, seed: number, given = credentials): Promise<Report> {
  const data = join(folder, `${runs++}.sqlite`);
  const service = await serve(specificationOf(served, 'served.yaml'), { data, credentials });
  try {
    return await testService(specificationOf(lending, 'lending.yaml'), {
      url: service.url,
      seed,
      credentials: given,
    });
  } finally {
    await service.close();
  }
}

/** The statements that are violated. */
function statements(report: Report): string[] {
  const violated = report.results.filter(({ verdict }) => verdict === 'violates');
  return [...new Set(violated.map(({ statement }) => statement.address))];
}

describe('operations that are for several kinds of people', () => {
  it.each([1, 2, 3])(
    'are all asked for, and nobody is blamed: seed %i',
    { timeout: patience },
    async (seed) => {
      const report = await tested(lending, seed);
      const { conforms } = report.counts;
      expect(blamed(report)).toEqual([]);
      expect(conforms.stated / report.results.length).toBeGreaterThan(0.8);
    },
  );

  it('are asked for as far as may be, without what the operator holds', { timeout: patience }, async () => {
    const report = await tested(lending, 1, { desk: {} } as typeof credentials);
    expect(blamed(report)).toEqual([]);
    const { conforms } = report.counts;
    expect(conforms.stated / report.results.length).toBeGreaterThan(0.5);
  });

  it.each([
    ['enrol', `enrol: ["\${request.body.role == 'reader'}", office]`, 'enrol: anyone'],
    ['enrol', `enrol: ["\${request.body.role == 'reader'}", office]`, 'enrol: office'],
    ['wish', 'wish: reader', 'wish: [reader, clerk]'],
    ['wishes', `wishes: { rule: anyone, items: ["\${this.by == actor}", clerk] }`, 'wishes: known'],
    ['wishes', `items: ["\${this.by == actor}", clerk] }`, `items: "\${this.by == actor}" }`],
    ['readWish', `readWish: ["\${this.by == actor}", clerk]`, 'readWish: known'],
    ['dropWish', `dropWish: "\${this.by == actor}"`, `dropWish: ["\${this.by == actor}", clerk]`],
    ['meetWish', 'meetWish: clerk', 'meetWish: known'],
  ])(
    'are judged by their rule: %s, where it is not %s but %s',
    { timeout: patience },
    async (name, from, to) => {
      const report = await tested(changed(lending, [from, to]), 1);
      expect(statements(report)).toContain(`authentication.authorization.${name}`);
    },
  );

  it('are refused with wrong credentials too, where none are needed', { timeout: patience }, async () => {
    const served = changed(lending, ['challenge: Key, wrong: refuse', 'challenge: Key, wrong: ignore']);
    const { results } = await tested(served, 1);
    const found = results.find(
      ({ says }) => says === 'POST /persons with a credential that nobody has for key is refused',
    );
    expect(found?.verdict).toBe('violates');
  });
});
