import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-first-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Notes that are listed up to a number, after which no way leads on. */
const document = (limit: string): string => `
name: notes
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      title: { type: string, minLength: 1, maxLength: 20 }
    required: [title]
endpoints:
  others: refuse
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes:
    operation: list
    does: { list: Note, order: [title] }
    request: { query: { limit: { ${limit} } } }
    response: { status: 200, body: "\${Note(page.items)}" }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    invalid: { when: invalid, status: 422 }
limits: (none)
versioning: (none)
`;

const plain = 'type: integer, minimum: 1, maximum: 4, default: 3';

async function results(served: string): Promise<readonly Result[]> {
  const service = await serve(specificationOf(document(served), 'notes.yaml'), {
    data: join(folder, served.includes('page') ? 'paged.sqlite' : 'plain.sqlite'),
  });
  const of = specificationOf(document(`page: size, ${plain}`), 'notes.yaml');
  return (await testService(of, { url: service.url, seed: 1 }).finally(() => service.close())).results;
}

it('is not taken for the list where no way leads to the next', async () => {
  const found = await results(`page: size, ${plain}`);
  expect(found.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
  const ended = (check: string) => found.find((one) => one.check === check)?.reason;
  expect(ended('effect.list')).toBe('a page of the list was seen, and no way to the rest is stated');
  expect(ended('page.whole')).toBe('the list has one page');
  expect(found.find(({ check }) => check === 'page.size')?.verdict).toBe('conforms');
});

it('is found to be larger than was asked for', async () => {
  const found = await results(plain);
  expect(found.filter(({ verdict }) => verdict === 'violates').map(({ check }) => check)).toContain(
    'page.size',
  );
});
