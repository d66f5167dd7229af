import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { type Fault, faults, guard, machineToken, startGate } from '../faulty/gate.ts';
import { blamed, changed, specificationOf } from './documents.ts';

const path = fileURLToPath(new URL('../documents/asking/gate.yaml', import.meta.url));
const gate = readFileSync(path, 'utf8');
const patience = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'tacet-gate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const report = (url: string, stated: string, seed = 1): Promise<Report> =>
  testService(specificationOf(stated, 'gate.yaml'), {
    url,
    seed,
    credentials: { machine: { m3: machineToken() }, guard: { [guard.name]: guard.password } },
  });

async function ofGate(fault: Fault | null, seed = 1): Promise<Report> {
  const running = await startGate(fault);
  try {
    return await report(running.url, gate, seed);
  } finally {
    await running.close();
  }
}

let runs = 0;
/** Tests our own service of one document against another. */
async function ofOurs(stated: string, served = stated): Promise<Report> {
  const service = await serve(specificationOf(served, 'gate.yaml'), {
    data: join(folder, `${runs++}.sqlite`),
    credentials: {
      machine: { key: 'the key of the floor, of 32 bytes or more' },
      guard: { [guard.name]: guard.password },
    },
  });
  try {
    return await report(service.url, stated);
  } finally {
    await service.close();
  }
}

const first = changed(gate, ['several: refuse', 'several: first']);

describe('credentials that are not good', () => {
  it.each([1, 2])(
    'are refused by a service that is never blamed: seed %i',
    { timeout: patience },
    async (seed) => {
      const found = await ofGate(null, seed);
      expect(blamed(found)).toEqual([]);
      expect(found.counts.conforms.stated / found.results.length).toBeGreaterThan(0.85);
      const of = (text: string) => found.results.filter(({ says }) => says.includes(text)).length;
      expect([
        of('a token that nobody signed'),
        of('a credential of refresh'),
        of('where none is needed'),
      ]).not.toContain(0);
    },
  );

  it.each(faults)('are found to be taken: %s', { timeout: patience }, async (fault) => {
    expect(blamed(await ofGate(fault))).not.toEqual([]);
  });

  it.each([
    ['refuse', gate],
    ['first', first],
  ])('of our own service too, where of several it says %s', { timeout: patience }, async (_, document) => {
    expect(blamed(await ofOurs(document))).toEqual([]);
  });

  it('are found to be taken where the first of several does not count', { timeout: patience }, async () => {
    const found = (await ofOurs(first, gate)).results.filter(({ verdict }) => verdict === 'violates');
    expect([...new Set(found.map(({ statement }) => statement.address))]).toEqual(['authentication.several']);
  });

  it('are not judged where it is open what becomes of several', { timeout: patience }, async () => {
    const silent = changed(gate, ['  several: refuse\n', '']);
    const found = await ofOurs(silent, first);
    expect(blamed(found)).toEqual([]);
    expect(found.results.filter(({ says }) => says.includes('credentials of'))).toEqual([]);
  });
});
