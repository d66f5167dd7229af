import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-guarding-'));
afterAll(() => rmSync(folder, { recursive: true }));
let services = 0;

const document = `
name: jars
complete: true
resources:
  Jar:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      size: { type: integer, minimum: 0, maximum: 9 }
    required: [size]
    guards: { create: "\${this.size <= 5}", update: "\${this.size >= old.size}", delete: "\${this.size != 3}" }
endpoints:
  others: refuse
  GET /jars: { operation: jars, does: list Jar, response: { status: 200, body: { jars: "\${Jar(page.items)}" } } }
  POST /jars: { operation: put, does: create Jar, request: { body: Jar }, response: { status: 201, body: Jar } }
  GET /jars/{id}: { operation: look, does: read Jar, response: { status: 200, body: Jar } }
  PATCH /jars/{id}: { operation: fill, does: update Jar, request: { media: application/merge-patch+json, body: Jar }, response: { status: 200, body: Jar } }
  DELETE /jars/{id}: { operation: break, does: delete Jar, response: 204 }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    media: { when: unsupported media, status: 415 }
    guarded: { when: guard refused, status: 409 }
limits: (none)
versioning: (none)
`;

/** Tests our own service of a document against the one above, or against another one. */
async function tested(served: string, content = document): Promise<Report> {
  const data = join(folder, `${services++}.sqlite`);
  const service = await serve(specificationOf(served, 'jars.yaml'), { data });
  const of = specificationOf(content, 'jars.yaml');
  return await testService(of, { url: service.url, seed: 1 }).finally(() => service.close());
}

/** How the checks ended that cite the guard of a change. */
function ended({ results }: Report, change: string): readonly string[] {
  const own = results.filter(({ statement }) => statement.address === `resources.Jar.guards.${change}`);
  return [
    ...new Set(own.map(({ check, verdict, reason }) => [check, verdict, reason].filter(Boolean).join(': '))),
  ].sort();
}

describe('the guards of a resource (language §2.1)', () => {
  it.each(['create', 'update', 'delete'])('are tried on both sides: %s', async (change) => {
    const report = await tested(document);
    expect(blamed(report)).toEqual([]);
    expect(ended(report, change)).toEqual(['refused: conforms', 'succeeds: conforms']);
  });

  it.each([
    ['create', 'this.size <= 5', 'this.size <= 6', 'refused'],
    ['create', 'this.size <= 5', 'this.size <= 4', 'succeeds'],
    ['update', 'this.size >= old.size', 'true', 'refused'],
    ['update', 'this.size >= old.size', 'this.size > old.size + 1', 'succeeds'],
    ['delete', 'this.size != 3', 'true', 'refused'],
  ])('are told from another one: the guard of %s, %s and not %s', async (change, right, wrong, check) => {
    const report = await tested(changed(document, [right, wrong]));
    expect(ended(report, change)).toContain(`${check}: violates`);
  });

  it('are not exercised where nothing leads to a side of them, and never conform there', async () => {
    const content = changed(document, [/ {2}PATCH .*\n/, ''], ['this.size <= 5', 'this.size <= 50']);
    const report = await tested(content, content);
    expect(blamed(report)).toEqual([]);
    expect(ended(report, 'create')).toEqual([
      'refused: not exercised: no way was found to such an item and request',
      'succeeds: conforms',
    ]);
    expect(ended(report, 'update')).toEqual([
      'refused: not exercised: no operation that can be exercised makes such a change',
    ]);
  });
});
