import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { changed, specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-shapes-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Words that are made and changed; and requests whose body sets no member of an item: of what only answers, and of a removal. */
const document = `
name: words
complete: true
resources:
  Word: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, text: { type: string, maxLength: 200 } } }
endpoints:
  others: refuse
  POST /words: { operation: add, does: create Word, request: { body: Word }, response: { status: 201, body: Word } }
  POST /echo:
    operation: echo
    does: (none)
    request:
      query: { among: { type: array, items: { type: string, maxLength: 7 }, maxItems: 2 } }
      body: { fields: { word: { type: string, maxLength: 5 }, times: { type: integer, minimum: 1 } }, required: [word] }
    response: { status: 200, body: { word: "\${request.body.word}" } }
  PATCH /words/{id}:
    operation: change
    does: update Word
    request: { media: application/merge-patch+json, body: Word }
    response: { status: 200, body: Word }
  POST /words/{id}/removal:
    operation: remove
    does: delete Word
    request: { body: { fields: { why: { type: string, minLength: 3 } }, required: [why] } }
    response: 204
states: (none)
authentication: (none)
events: (none)
errors:
  payload: { body: { code: "\${error.code}", failures: "\${error.failures}" } }
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    media: { when: unsupported media, status: 415 }
    invalid: { when: invalid, status: 422 }
limits: (none)
versioning: (none)
`;

/** The statements that a service of another document goes against. */
async function found(served: string): Promise<readonly string[]> {
  files += 1;
  const service = await serve(specificationOf(served, 'words.yaml'), { data: join(folder, `${files}`) });
  try {
    const of = specificationOf(document, 'words.yaml');
    const report = await testService(of, { url: service.url, seed: 1 });
    return [...new Set(violations(report).map(({ statement }) => statement.address))].sort();
  } finally {
    await service.close();
  }
}

const echo = 'endpoints["POST /echo"].request.body';
const among = 'endpoints["POST /echo"].request.query.among';
const text = 'resources.Word.fields.text';
const removal = 'endpoints["POST /words/{id}/removal"].request.body';

describe('a body of whatever operation, and a list in its query, is held to what is stated of it', () => {
  it('and is not blamed where it is', async () => {
    expect(await found(document)).toEqual([]);
  });

  it.each<[string, string, string, readonly string[]]>([
    ['one more than it may have is taken', 'maxLength: 5', 'maxLength: 6', [`${echo}.fields.word.maxLength`]],
    ['as many as it may have are refused', 'maxLength: 5', 'maxLength: 4', [`${echo}.fields.word.maxLength`]],
    [
      'a text is changed otherwise than it is given',
      'does: update Word',
      'does: { update: Word, with: { text: "$${trim(request.body.text)}" } }',
      [text],
    ],
    ['more elements are taken', 'maxItems: 2', 'maxItems: 3', [`${among}.maxItems`]],
    ['fewer elements are taken', 'maxItems: 2', 'maxItems: 1', [`${among}.maxItems`]],
    ['elements are longer', 'maxLength: 7', 'maxLength: 8', [`${among}.items.maxLength`]],
    ['less than there may be is taken', 'minimum: 1', 'minimum: 0', [`${echo}.fields.times.minimum`]],
    ['of a removal', 'minLength: 3', 'minLength: 2', [`${removal}.fields.why.minLength`]],
    ['what a removal wants is not wanted', 'required: [why]', 'required: []', [`${removal}.required`]],
  ])('%s', async (_, from, to, expected) => {
    expect(await found(changed(document, [from, to]))).toEqual(expect.arrayContaining([...expected]));
  });
});
