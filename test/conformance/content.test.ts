import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/conformance/run.ts';
import { blamed } from './documents.ts';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-content-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

const notes = `
complete: true
resources:
  Note:
    identifier: id
    fields:
      id:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, minLength: 1, maxLength: 30 }
      size: { type: integer, minimum: 0, maximum: 9 }
    required: [text, size]
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /notes:
    does: create Note
    request:
      content:
        text/plain: { body: { type: string } }
        application/json: { under: note, body: Note }
        application/x-www-form-urlencoded: { body: Note }
    response: { status: 201, body: Note }
  GET /notes/{id}:
    does: read Note
    response:
      status: 200
      content:
        application/json: { body: Note }
        application/hal+json: { under: note, body: { id: "\${this.id}", self: "/notes/\${this.id}" } }
        text/csv: { body: "\${this.id + ',' + this.text}" }
        multipart/mixed: { body: [{ headers: { Content-Type: application/json }, body: "\${Note(this)}" }] }
  GET /notes:
    does: { list: Note, order: [id] }
    response:
      status: 200
      content:
        text/csv: { body: "\${page.items.map(n, n.text).join(',')}" }
        application/json: { body: "\${Note(page.items)}" }
authentication: (none)
events: (none)
states: (none)
limits: (none)
versioning: (none)
errors:
  payload:
    content:
      text/plain: { body: "\${error.code}" }
      application/json: { body: { code: "\${error.code}" } }
  codes:
    unreadable: { when: malformed, status: 400 }
    unknown:    { when: unknown, status: 404 }
    none:       { when: not acceptable, status: 406 }
    media:      { when: unsupported media, status: 415 }
    invalid:    { when: invalid, status: 422 }
`;

const run = async (seed: number, served = notes): Promise<Report> => {
  const file = join(folder, `${files++}.sqlite`);
  return await testOwnService('notes', notes, seed, file, 'yaml', { served });
};

describe('content by media type (language §4.2, §H.3)', () => {
  it.each([1, 2, 3])('of our own service is never blamed: seed %i', async (seed) => {
    const report = await run(seed);
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
    const verdicts = report.results.flatMap(({ check, says, verdict }) =>
      check === 'answer.content' ? [`${says}: ${verdict}`] : [],
    );
    expect(verdicts.sort()).toEqual(
      [
        ...['application/json', 'application/hal+json', 'text/csv', 'multipart/mixed'].map(
          (type) => `GET /notes/{id} with Accept: ${type} is answered with ${type}: conforms`,
        ),
        'GET /notes/{id} with Accept: application/json;q=0.2, multipart/mixed;q=0.7 is answered with multipart/mixed: conforms',
        'GET /notes/{id} with Accept: */* is answered with application/json: conforms',
        ...['text/csv', 'application/json'].map(
          (type) => `GET /notes with Accept: ${type} is answered with ${type}: conforms`,
        ),
        'GET /notes with Accept: text/csv;q=0.2, application/json;q=0.7 is answered with application/json: conforms',
        'GET /notes with Accept: */* is answered with text/csv: conforms',
      ].sort(),
    );
  });

  it.each([
    [
      'a type that is not sent',
      '        text/csv: { body: "${this.id + \',\' + this.text}" }\n',
      '',
      'GET /notes/{id} with Accept: text/csv succeeds',
    ],
    ['another text', "this.id + ','", "this.id + ';'", 'GET /notes/{id} answers with the stated body'],
    ['another member', 'self: "/notes', 'self: "/note', 'GET /notes/{id} answers with the stated body'],
    [
      'another first type',
      '        application/json: { body: Note }\n        application/hal',
      '        application/hal+json: { body: { a: 1 } }\n        application/json: { body: Note }\n        application/o',
      'GET /notes/{id} with Accept: */* is answered with application/json',
    ],
    [
      'a type that is not taken',
      '        application/x-www-form-urlencoded: { body: Note }\n',
      '',
      'POST /notes as application/x-www-form-urlencoded succeeds',
    ],
    [
      'a type too many',
      '        text/plain: { body: { type: string } }\n',
      '        text/plain: { body: { type: string } }\n        application/x-unstated: { body: { type: string } }\n',
      'POST /notes with content of the media type application/x-unstated is answered with the status of media',
    ],
  ])('is found out with %s', async (_, from, to, expected) => {
    expect(notes).toContain(from);
    const report = await run(
      1,
      notes.replace(from, () => to),
    );
    expect(blamed(report).join('\n')).toContain(expected);
  });

  it('is found out without Vary', async () => {
    const plain = 'response: { status: 200, body: Note }\n  GET /notes:';
    const served = notes.replace(/response:\n {6}status: 200\n[\s\S]*?\n {2}GET \/notes:/, plain);
    expect(blamed(await run(1, served)).join('\n')).toContain('is answered with Vary: Accept');
  });
});
