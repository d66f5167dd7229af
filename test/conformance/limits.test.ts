import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-limits-'));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true }));

const document = `
name: Notes
tacet: 1
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, text: { type: string, minLength: 1, maxLength: 20 } }
    required: [text]
    others: refuse
  Draft:
    identifier: id
    fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } } }
    others: refuse
endpoints:
  others: refuse
  POST /notes: { operation: makeNote, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { operation: dropNote, does: delete Note, response: 204 }
  GET /notes:
    operation: listNotes
    does: list Note
    request: { query: { limit: { page: size, type: integer, minimum: 1 }, offset: { page: offset, type: integer, minimum: 0 } } }
    response: { status: 200, body: { notes: "\${Note(page.items)}" } }
  POST /drafts: { operation: makeDraft, does: create Draft, response: { status: 201, body: Draft } }
  GET /drafts: { operation: listDrafts, does: list Draft, response: { status: 200, body: { drafts: "\${Draft(page.items)}" } } }
  DELETE /drafts/{id}: { operation: dropDraft, does: delete Draft, response: 204 }
  GET /fixed: { operation: fixed, does: (none), response: 204 }
  GET /sliding: { operation: sliding, does: (none), response: 204 }
  GET /bucket: { operation: bucket, does: (none), response: 204 }
  GET /queried: { operation: queried, does: (none), request: { query: { team: { type: string, required: true } } }, response: 204 }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400 }
    invalid: { when: invalid, status: 422 }
    unknown: { when: unknown, status: 404 }
    long: { when: too large body, status: 413 }
    wide: { when: too large page, status: 416 }
    full: { when: quota exceeded drafts, status: 409 }
    enough: { when: rate exceeded, status: 429, headers: { Retry-After: "\${rate.reset}", X-Of: "\${rate.limit}" } }
limits:
  sizes: { body: 200 B, page: 10 }
  quotas: { drafts: { of: Draft, allow: 6 } }
  rates:
    fixed: { allow: 5, every: PT2S, per: (none), window: fixed, operations: [fixed], headers: draft-10 }
    sliding: { allow: 4, every: PT1S, per: address, window: sliding, operations: [sliding], headers: { X-Limit: "\${rate.limit}", X-Left: "\${rate.remaining} left", X-Reset: "\${rate.reset}" } }
    bucket: { allow: 3, every: PT3S, per: (none), window: bucket, operations: [bucket] }
    queried: { allow: 2, every: PT1S, per: "\${request.query.team}", operations: [queried] }
versioning: (none)
`;

/** Tests the service of one document against another; both go by one clock, which waiting moves on. */
async function report(stated: string, served = stated): Promise<Report> {
  let now = 1_800_000_000_000;
  files += 1;
  const service = await serve(specificationOf(served, 'notes.yaml'), {
    data: join(folder, `${files}.sqlite`),
    milliseconds: () => now,
    counter: 'process',
  });
  try {
    return await testService(specificationOf(stated, 'notes.yaml'), {
      url: service.url,
      seed: 1,
      now: () => now,
      wait: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    });
  } finally {
    await service.close();
  }
}

const ofLimits = ({ results }: Report): string[] =>
  results
    .filter(({ statement }) => statement.address.startsWith('limits.'))
    .map(({ check, says, verdict }) => `${verdict}: ${check}: ${says}`)
    .sort();

describe('limits (language §8)', () => {
  it('are used up and recover, at their sizes and one past them, and our own service is not blamed', async () => {
    const found = await report(document);
    expect(blamed(found)).toEqual([]);
    expect(ofLimits(found)).toMatchSnapshot();
  });

  it.each<[string, string | RegExp, string]>([
    ['content one byte larger is taken', 'body: 200 B', 'body: 201 B'],
    ['content is refused that may be as large', 'body: 200 B', 'body: 199 B'],
    ['content of any size is taken', 'body: 200 B, ', ''],
    ['a larger page is shown', 'page: 10', 'page: 11'],
    ['a page is refused that may be as large', 'page: 10', 'page: 9'],
    ['one item more is kept', 'allow: 6 }', 'allow: 7 }'],
    ['one item less is kept', 'allow: 6 }', 'allow: 5 }'],
    ['one more is let in', 'allow: 5', 'allow: 6'],
    ['one less is let in', 'allow: 5', 'allow: 4'],
    ['one more is let in, in a sliding window', 'allow: 4', 'allow: 5'],
    ['one less is let in, in a sliding window', 'allow: 4', 'allow: 3'],
    ['a bucket holds one more', 'allow: 3', 'allow: 4'],
    ['nothing is counted', / {4}sliding: \{ allow.*\n/, ''],
    ['it recovers later', 'every: PT2S', 'every: PT3S'],
    ['another operation is counted as well', 'operations: [fixed]', 'operations: [fixed, listNotes]'],
    ['the time is told wrongly', 'X-Reset: "${rate.reset}"', 'X-Reset: "${rate.reset + 2}"'],
    [
      'the time is told wrongly to who is refused',
      'Retry-After: "${rate.reset}"',
      'Retry-After: "${rate.reset + 9}"',
    ],
    ['each request of a team is counted apart', 'per: "${request.query.team}"', 'per: actor'],
    ['a fixed window slides', 'window: fixed', 'window: sliding'],
    ['a fixed window is a bucket', 'window: fixed', 'window: bucket'],
    ['a sliding window is fixed', 'window: sliding', 'window: fixed'],
    ['a sliding window is a bucket', 'window: sliding', 'window: bucket'],
    ['a bucket is a fixed window', 'window: bucket', 'window: fixed'],
    ['a bucket is a sliding window', 'window: bucket', 'window: sliding'],
    ['requests of two teams are counted together', 'per: "${request.query.team}"', 'per: (none)'],
    ['it is not told what is left', ', headers: draft-10', ''],
    ['it is told of under another name', 'fixed: { allow', 'solid: { allow'],
    ['what is left is told wrongly', '${rate.remaining} left', '${rate.remaining + 1} left'],
    ['the limit is told wrongly', 'X-Limit: "${rate.limit}"', 'X-Limit: "${rate.limit + 1}"'],
    ['no field tells the time', ', X-Reset: "${rate.reset}"', ''],
    ['the refusal has another status', 'status: 429', 'status: 503'],
    ['the refusal does not say when to come again', 'Retry-After: "${rate.reset}", ', ''],
    [
      'content is refused as if it were a page',
      '{ when: too large body, status: 413 }',
      '{ when: too large body, status: 416 }',
    ],
  ])('a service is found of which %s', async (_fault, from, to) => {
    expect(blamed(await report(document, changed(document, [from, to])))).not.toEqual([]);
  });

  it('are not judged while it is open whether there are more', async () => {
    const open = changed(document, ['complete: true\n', '']);
    const found = await report(open, changed(open, ['allow: 3', 'allow: 2']));
    expect(blamed(found)).toEqual([]);
  });

  it('that take longer to use up or to recover than is waited for are told apart', async () => {
    const found = await report(
      changed(document, ['every: PT2S', 'every: PT1H'], ['allow: 4', 'allow: 4000']),
    );
    const reasons = found.results.flatMap(({ statement, reason }) =>
      /rates.(fixed|sliding)/.test(statement.address) ? [reason] : [],
    );
    expect([...new Set(reasons)]).toEqual([
      'what was sent before may count as well, and is not waited for',
      'it is not known how many it has counted',
      undefined,
      'the quota drafts may be used up',
      'it takes 3600 s to recover, which is not waited for',
      'a window of 3600 s is not waited for',
      'more than 1000 requests are not sent to use it up',
    ]);
  });
});
