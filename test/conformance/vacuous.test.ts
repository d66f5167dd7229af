import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-vacuous-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A sign that nobody makes another of; and tags that are all alike in what their list is put in order by. */
const document = `
name: signs
complete: true
resources:
  Sign:
    identifier: name
    fields: { name: { type: string }, text: { type: string } }
    items: [{ name: exit, text: this way }]
  Tag:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      kind: { type: string, set: { create: plain } }
      word: { type: string, minLength: 8, secret: hashed }
      any: {}
    required: [word]
endpoints:
  others: refuse
  GET /signs:
    operation: signs
    does: { list: Sign, order: [name] }
    request:
      query:
        limit: { page: size, type: integer, minimum: 1, maximum: 5, default: 3 }
        after: { page: cursor }
    response: { status: 200, body: { signs: "\${Sign(page.items)}", next: "\${page.next}" } }
    cors: { origins: [any], methods: [GET] }
  GET /tags: { operation: tags, does: { list: Tag, order: [kind] }, response: { status: 200, body: { tags: "\${Tag(page.items)}" } } }
  POST /tags: { operation: tag, does: create Tag, request: { body: Tag }, response: { status: 201, body: Tag } }
  GET /tags/{id}:
    operation: look
    does: read Tag
    conditional: { etag: strong, ifNoneMatch: allowed }
    response: { status: 200, body: Tag }
  PATCH /tags/{id}:
    operation: retag
    does: update Tag
    request: { media: application/merge-patch+json, body: { of: Tag, shows: [word] } }
    response: { status: 200, body: Tag }
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
limits: (none)
versioning: (none)
`;

const of = specificationOf(document, 'signs.yaml');
const service = await serve(of, { data: join(folder, 'signs.sqlite') });
const { results } = await testService(of, { url: service.url, seed: 1 }).finally(() => service.close());

/** How what is said begins, and how a check of a statement ended. */
function ended(check: string, address: string | RegExp): readonly string[] {
  const isAt = ({ statement }: Result): boolean => statement.address.match(address) !== null;
  const found = results.filter((one) => one.check === check && isAt(one));
  return [...new Set(found.map(({ verdict, reason }) => `${verdict}${reason ? `: ${reason}` : ''}`))];
}

it('blames nothing', () => {
  expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
});

it.each<[string, string | RegExp, string]>([
  ['order.list', 'GET /signs', 'no two items are known to differ by name'],
  ['order.list', 'GET /tags', 'no two items are known to differ by kind'],
  ['page.whole', 'GET /signs', 'the list has one page'],
  ['page.size', 'GET /signs', 'the list has one page'],
  ['page.default', 'GET /signs', 'the list has no more than 1'],
  ['effect.members', 'resources.Tag.fields.word', 'nothing shows what it becomes'],
  ['etag.changes', 'GET /tags/{id}', 'its content was never another'],
  ['cors.methods', 'GET /signs', 'pages may ask for GET without leave'],
])('does not say of %s that it conforms where nothing could go against it: %s', (check, address, reason) => {
  expect(ended(check, address)).toEqual([`not exercised: ${reason}`]);
});

it('makes no check of a shape that states nothing', () => {
  expect(ended('shown.shape', 'Tag.fields.kind')).toEqual(['conforms']);
  expect(ended('shown.shape', 'Tag.fields.any')).toEqual([]);
});

it('goes on where no value is left that an item could be told by', async () => {
  const lamps = specificationOf(
    `
name: lamps
complete: true
resources: { Lamp: { identifier: name, fields: { name: { type: string, enum: [hall] } } } }
endpoints:
  others: refuse
  POST /lamps: { operation: light, does: create Lamp, request: { body: Lamp }, response: { status: 201, body: Lamp } }
states: (none)
authentication: (none)
events: (none)
errors: { payload: (none), codes: { malformed: { when: malformed, status: 400 }, taken: { when: not unique, status: 409 } } }
limits: (none)
versioning: (none)
`,
    'lamps.yaml',
  );
  const own = await serve(lamps, { data: join(folder, 'lamps.sqlite') });
  const report = await testService(lamps, { url: own.url, seed: 1 }).finally(() => own.close());
  expect(report.results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
  expect(report.results.map(({ reason }) => reason)).toContain('no value for name is left that was not used');
});
