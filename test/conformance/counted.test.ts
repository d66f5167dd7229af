import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-counted-'));
const document = readFileSync(new URL('documents/copies.yaml', import.meta.url), 'utf8');

afterAll(() => rmSync(folder, { recursive: true }));

async function tested(served: string, name: string) {
  const service = await serve(specificationOf(served, 'copies.yaml'), {
    data: join(folder, `${name}.sqlite`),
  });
  try {
    return (await testService(specificationOf(document, 'copies.yaml'), { url: service.url, seed: 1 }))
      .results;
  } finally {
    await service.close();
  }
}

it('makes another item to refer to where what always holds counts those that refer to one', async () => {
  const results = await tested(document, 'sound');
  const judged = results.filter(({ verdict }) => verdict === 'conforms' || verdict === 'violates');
  // Not seen from outside: what invariants read of other items, and what refusals leave of resources without a list.
  expect(judged.length / results.length).toBeGreaterThan(0.8);
  expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
});

it('brings items on by requests that what other items hold might refuse, and blames what these do', async () => {
  const results = await tested(document.replace('renewals + 1', 'renewals + 2'), 'faulty');
  const blamed = results
    .filter(({ verdict }) => verdict === 'violates')
    .map(({ statement }) => statement.address);
  expect(blamed).toContain('states["Loan.status"].transitions.renew.set.renewals');
});

it('makes what refers to an item where a guard is not true of one to which nothing does', async () => {
  const results = await tested(document, 'populated');
  const moved = results.filter(({ says }) =>
    says.startsWith('POST /books/{isbn}/listing of a Book in ordered'),
  );
  expect(moved.map(({ check, verdict }) => [check, verdict])).toContainEqual(['transition.to', 'conforms']);
});
