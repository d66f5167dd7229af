import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';

/** A service that answers one request, and refuses another. */
const service = (answer: string, { row = 'status: 404', payload = '', head = '' } = {}): string => `
name: Things
${head}
resources:
  Thing:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, size: { type: integer } }
endpoints:
  others: refuse
  GET /status: { does: (none), response: { ${answer} } }
  POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }
  GET /things/{id}: { does: read Thing, response: { status: 200, body: Thing } }
errors:
  ${payload}
  codes: { gone: { when: unknown Thing, ${row} } }
  order: [gone]
authentication: (none)
limits: (none)
versioning: (none)
`;

const closed = 'complete: [endpoints, errors]';

/** What the tester says of an implementation, by the kind of check: of `GET /status`, or of the refusal. */
async function judged(
  stated: string,
  implementation: string,
  about: RegExp,
): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-payload-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const running = await serve(specificationOf(implementation, 'x.yaml'), { data: join(folder, 'x.sqlite') });
  onTestFinished(() => running.close());
  const { results } = await testService(specificationOf(stated, 'x.yaml'), { url: running.url, seed: 1 });
  const found = results.filter(({ check, says }) => about.test(`${check} ${says}`));
  return Object.fromEntries(
    found.map(({ check, verdict, points }) => [check, points ? `${verdict}: ${points.join(', ')}` : verdict]),
  );
}

const answered = (stated: string, sent: string, head = '') =>
  judged(service(stated, { head }), service(sent), /^answer\.\w+ GET \/status answers/);

const refused = (
  stated: { row: string; payload?: string },
  sent: { row: string; payload?: string },
  head = closed,
) =>
  judged(
    service('status: 204', { ...stated, head }),
    service('status: 204', sent),
    /^refusal\.(status|body|shape) GET \/things\S* of a Thing that nobody made/,
  );

const body = 'endpoints["GET /status"].response.body';

describe('a member that the body does not list', () => {
  const one = 'status: 200, body: { a: 1 }';
  const two = 'status: 200, body: { a: 1, b: 2 }';

  it('is not stated where the list is open', async () => {
    expect(await answered(one, two)).toMatchObject({ 'answer.body': `not stated: ${body}.*` });
    expect(await answered(one, one)).toMatchObject({ 'answer.body': 'conforms' });
  });

  it('violates where it is closed, at any depth', async () => {
    const nested = (inner: string) => `status: 200, body: { a: [{ ${inner} }] }`;
    expect(await answered(one, two, closed)).toMatchObject({ 'answer.body': 'violates' });
    expect(await answered(nested('b: 1'), nested('b: 1, c: 2'), closed)).toMatchObject({
      'answer.body': 'violates',
    });
    expect(await answered(nested('b: 1'), nested('b: 1, c: 2'))).toMatchObject({
      'answer.body': `not stated: ${body}.a[0].*`,
    });
    expect(await answered(one, one, closed)).toMatchObject({ 'answer.body': 'conforms' });
  });

  it('does not save one that it lists and that is wrong', async () => {
    expect(await answered(one, 'status: 200, body: { a: 3, b: 2 }')).toMatchObject({
      'answer.body': 'violates',
    });
    expect(await answered(one, 'status: 200, body: { b: 2 }')).toMatchObject({ 'answer.body': 'violates' });
  });

  it('of an error is told at the payload that all rows share', async () => {
    const payload = (members: string) => ({
      row: 'status: 404',
      payload: `payload: { body: { ${members} } }`,
    });
    expect(await refused(payload('a: 1'), payload('a: 1, b: 2'), '')).toMatchObject({
      'refusal.body': expect.stringContaining('errors.payload.body.*'),
    });
    expect(await refused(payload('a: 1'), payload('a: 1, b: 2'))).toMatchObject({
      'refusal.body': 'violates',
    });
  });
});

describe('a member that is a marker', () => {
  const marked = (marker: string) => `status: 200, body: { a: 1, b: ${marker} }`;
  const withIt = 'status: 200, body: { a: 1, b: { c: 2 } }';
  const without = 'status: 200, body: { a: 1 }';

  it.each([
    ['(open) which?', `not stated: ${body}.b`, `not stated: ${body}.b`],
    ['(any)', 'conforms', 'conforms'],
    ['(none)', 'violates', 'conforms'],
  ])('%s: %s where it is there, %s where it is not', async (marker, there, absent) => {
    expect(await answered(marked(marker), withIt, closed)).toMatchObject({ 'answer.body': there });
    expect(await answered(marked(marker), without, closed)).toMatchObject({ 'answer.body': absent });
  });

  it('open, does not excuse the others', async () => {
    expect(await answered(marked('(open)'), 'status: 200, body: { a: 2 }')).toMatchObject({
      'answer.body': 'violates',
    });
  });
});

describe('a payload member that reads what is stated to be free', () => {
  const free = (members: string, extra = 'extra: { url: (any) }') => ({
    row: `status: 404, message: (any), ${extra}`,
    payload: `payload: { body: { code: "\${error.code}", ${members} } }`,
  });
  const sent = (members: string) => ({
    row: 'status: 404',
    payload: `payload: { body: { code: gone, ${members} } }`,
  });

  it.each(['url: 1', 'url: null', 'url: { a: 1 }'])('is accepted as %s', async (members) => {
    expect(await refused(free('url: "${error.extra.url}"'), sent(members))).toMatchObject({
      'refusal.body': 'conforms',
    });
  });

  it('and where it is not there, so that our own service conforms', async () => {
    const stated = free('url: "${error.extra.url}", text: "see ${error.extra.url}"');
    expect(await refused(stated, stated)).toMatchObject({ 'refusal.body': 'conforms' });
    const all = free('url: "${error.extra.url}"', 'extra: (any)');
    expect(await refused(all, all)).toMatchObject({ 'refusal.body': 'conforms' });
  });

  it('but what stands beside it is judged', async () => {
    const stated = free('text: "see ${error.extra.url}"');
    expect(await refused(stated, sent('text: look at it'))).toMatchObject({ 'refusal.body': 'violates' });
  });
});

describe('the shape of an answer', () => {
  const shape = 'endpoints["GET /status"].response.shape';
  const shaped = (keywords: string) => `status: 200, shape: { ${keywords} }`;

  it('is met by content, whatever its values', async () => {
    const stated = shaped('type: object, properties: { a: { type: integer } }, required: [a]');
    expect(await answered(stated, 'status: 200, body: { a: 1, b: 2 }')).toEqual({
      'answer.status': 'conforms',
      'answer.media': 'conforms',
      'answer.body': `not stated: ${body}`,
      'answer.shape': 'conforms',
    });
    for (const sent of ['{ a: x }', '{ b: 1 }', '[1]', '1'])
      expect(await answered(stated, `status: 200, body: ${sent}`)).toMatchObject({
        'answer.shape': 'violates',
      });
    expect(await answered(stated, 'status: 200')).toMatchObject({ 'answer.shape': 'violates' });
  });

  it('is closed by its own keywords', async () => {
    const sent = 'status: 200, body: { a: 1, b: 2 }';
    const fields = 'fields: { a: { type: integer } }';
    expect(await answered(shaped('properties: { a: {} }, additionalProperties: false'), sent)).toMatchObject({
      'answer.shape': 'violates',
    });
    expect(await answered(shaped(`${fields}, others: refuse`), sent)).toMatchObject({
      'answer.shape': 'violates',
    });
    expect(await answered(shaped(`${fields}, others: ignore`), sent)).toMatchObject({
      'answer.shape': 'conforms',
    });
  });

  it('or else as the list of its fields is', async () => {
    const stated = shaped('fields: { a: { type: integer } }');
    const sent = 'status: 200, body: { a: 1, b: 2 }';
    expect(await answered(stated, sent)).toMatchObject({ 'answer.shape': `not stated: ${shape}.fields.*` });
    expect(await answered(stated, sent, closed)).toMatchObject({ 'answer.shape': 'violates' });
    expect(await answered(stated, 'status: 200, body: { a: 1 }')).toMatchObject({
      'answer.shape': 'conforms',
    });
  });

  it('knows a resource by its readable fields', async () => {
    const stated = shaped('type: array, items: Thing');
    expect(await answered(stated, 'status: 200, body: [{ id: a, size: 1 }]')).toMatchObject({
      'answer.shape': 'conforms',
    });
    expect(await answered(stated, 'status: 200, body: [{ id: a, size: large }]')).toMatchObject({
      'answer.shape': 'violates',
    });
    expect(await answered(stated, 'status: 200, body: [{ id: a, colour: red }]')).toMatchObject({
      'answer.shape': 'not stated: resources.Thing.fields.*',
    });
  });

  it('is not looked for in content that is no JSON', async () => {
    const stated = 'status: 200, media: text/plain, shape: { type: object }';
    expect(await answered(stated, 'status: 200, media: text/plain, body: a text')).toMatchObject({
      'answer.shape': 'not exercised',
    });
  });

  it('of an error is judged as well', async () => {
    const stated = { row: 'status: 404, shape: { type: object, required: [a] }' };
    const sent = (members: string) => ({ row: `status: 404, body: { ${members} }` });
    expect(await refused(stated, sent('a: 1'))).toMatchObject({ 'refusal.shape': 'conforms' });
    expect(await refused(stated, sent('b: 1'))).toMatchObject({ 'refusal.shape': 'violates' });
    const shared = { row: 'status: 404', payload: 'payload: { shape: { type: object, required: [a] } }' };
    expect(await refused(shared, sent('b: 1'))).toMatchObject({ 'refusal.shape': 'violates' });
  });
});

describe('a member that comes to absent()', () => {
  it('must not be there', async () => {
    const stated = 'status: 200, body: { a: 1, b: "${1 == 1 ? absent() : 2}" }';
    expect(await answered(stated, 'status: 200, body: { a: 1 }')).toMatchObject({
      'answer.body': 'conforms',
    });
    for (const b of ['2', 'null'])
      expect(await answered(stated, `status: 200, body: { a: 1, b: ${b} }`)).toMatchObject({
        'answer.body': 'violates',
      });
  });

  it.each([
    '[{ a: "${[absent()]}" }, "${absent()}"]',
    "\"${[1, 2].map(n, { 'n': n, 'm': n == 1 ? absent() : n })}\"",
    '{ a: "<${absent()}>", b: "${absent() == null}" }',
  ])('means the same to the service: %s', async (template) => {
    const stated = `status: 200, body: ${template}`;
    expect(await answered(stated, stated, closed)).toMatchObject({ 'answer.body': 'conforms' });
  });

  it('as does a field that is not there, which is null but where a member is wholly it', async () => {
    const shown =
      '{ a: ["${this.size}"], b: "${1 == 1 ? this.size : 2}", c: "${{ \'d\': this.size }}", e: "${this.size}" }';
    const document = service('status: 204').replace(
      'response: { status: 200, body: Thing }',
      `response: { status: 200, body: ${shown} }`,
    );
    const found = await judged(document, document, /^answer\.body GET \/things\/\{id\} answers/);
    expect(found).toEqual({ 'answer.body': 'conforms' });
  });
});

describe('one of several statuses', () => {
  it('is accepted, and no other', async () => {
    const stated = 'status: [200, 203], body: yes';
    for (const status of [200, 203])
      expect(await answered(stated, `status: ${status}, body: yes`)).toMatchObject({
        'answer.status': 'conforms',
      });
    expect(await answered(stated, 'status: 202, body: yes')).toMatchObject({ 'answer.status': 'violates' });
  });

  it('that has no content has no body to be judged', async () => {
    expect(await answered('status: [200, 204], body: yes', 'status: 204')).toEqual({
      'answer.status': 'conforms',
      'answer.media': 'not exercised',
      'answer.body': 'not exercised',
    });
  });

  it('of an error is accepted, and error.status is any of them', async () => {
    const stated = { row: 'status: [404, 410], body: { status: "${error.status}" }' };
    expect(await refused(stated, { row: 'status: 410, body: { status: 410 }' })).toMatchObject({
      'refusal.status': 'conforms',
      'refusal.body': 'conforms',
    });
    expect(await refused(stated, { row: 'status: 400, body: { status: 400 }' })).toMatchObject({
      'refusal.status': 'violates',
      'refusal.body': 'violates',
    });
  });
});
