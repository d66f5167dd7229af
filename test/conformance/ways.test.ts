import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-ways-'));
afterAll(() => rmSync(folder, { recursive: true }));
let services = 0;

const document = `
name: pages
complete: true
resources:
  Page:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      title: { type: string }
      content: { type: string, format: binary, maxLength: 100, writable: false }
endpoints:
  others: refuse
  POST /pages:
    operation: add
    matching: [caseless, slash]
    does: create Page
    request: { body: Page }
    response: { status: 201, body: Page }
  GET /pages/{id}:
    operation: look
    paths: ["/leaves/{id}"]
    does: read Page
    response: { status: 200, body: Page }
  PUT /pages/{id}/content:
    operation: fill
    does: { update: Page, with: { content: "\${request.body}" } }
    request: { media: text/plain, body: { type: string, format: binary, maxLength: 100 } }
    response: 204
  GET /pages/{id}/content:
    operation: get
    does: read Page
    conditional: { etag: strong, ifNoneMatch: allowed, ranges: allowed }
    response: { status: 200, media: text/plain, body: "\${this.content}" }
  GET /either:
    - { operation: one, when: "\${request.query.one != null}", does: (none), request: { query: { one: { type: string } } }, response: { status: 200, body: { it: one } } }
    - { operation: other, does: (none), response: { status: 200, body: { it: other } } }
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
    past: { when: range not satisfiable, status: 416 }
    used: { when: in use Page, status: 409 }
limits: (none)
versioning: (none)
`;

/** Tests our own service of a document against the one above. */
async function tested(served = document): Promise<Report> {
  const data = join(folder, `${services++}.sqlite`);
  const service = await serve(specificationOf(served, 'pages.yaml'), { data });
  const of = specificationOf(document, 'pages.yaml');
  return await testService(of, { url: service.url, seed: 1 }).finally(() => service.close());
}

/** How the checks ended that cite a statement. */
function ended({ results }: Report, address: string): readonly string[] {
  const own = results.filter(({ statement }) => statement.address === address);
  const words = own.map(({ check, verdict, reason }) => [check, verdict, reason].filter(Boolean).join(': '));
  return [...new Set(words)].sort();
}

const paths = 'endpoints["GET /pages/{id}"].paths';
const matching = 'endpoints["POST /pages"].matching';
const ranges = 'endpoints["GET /pages/{id}/content"].conditional.ranges';
const bytes = 'resources.Page.fields.content.format';

describe('further paths, other spellings, bytes and ranges of them', () => {
  it('are judged, and blame nobody who keeps to them', async () => {
    const report = await tested();
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
    expect(ended(report, paths)).toEqual(['path.answers: conforms']);
    expect(ended(report, matching)).toEqual(['path.answers: conforms']);
    expect(ended(report, bytes)).toEqual(['bytes.kept: conforms']);
    expect(ended(report, ranges)).toEqual(['range.part: conforms', 'refused: conforms']);
  });

  it.each([
    ['    paths: ["/leaves/{id}"]\n', paths, 'path.answers'],
    ['    matching: [caseless, slash]\n', matching, 'path.answers'],
    [', ranges: allowed', ranges, 'range.part'],
  ])('are missed: %s', async (text, address, check) => {
    expect(ended(await tested(changed(document, [text, ''])), address)).toContain(`${check}: violates`);
  });

  it('are missed: bytes that are kept', async () => {
    const other = changed(document, ['body: "${this.content}"', 'body: other']);
    expect(ended(await tested(other), bytes)).toEqual(['bytes.kept: violates']);
  });
});

it('a word that the tester does not know is not stated, and says so', async () => {
  const { results } = await tested();
  const own = results.filter(({ verdict, reason }) => verdict === 'not stated' && reason !== undefined);
  expect([...new Set(own.map(({ reason }) => reason))].sort()).toEqual([
    'the tester does not know bytes in a request yet',
    'the tester does not know the choice among operations yet',
  ]);
  expect(own.every(({ points }) => points === undefined)).toBe(true);
});

it('a condition that was never seen to hold is not exercised', async () => {
  expect(ended(await tested(), 'errors.codes.used.when')).toEqual([
    'refused: not exercised: no request was made for which it surely holds',
  ]);
});
