import { describe, expect, it } from 'vitest';
import { document, faults } from './documents.ts';

const media = 'media: a/b';

/** What is said of a document with a resource of bytes. */
const said = (endpoint: string, fields = '', more: Readonly<Record<string, string>> = {}): string[] =>
  faults(
    document({
      resources: `File: { identifier: id, fields: { id: { type: string }, content: { type: string, format: binary }${fields} } }`,
      endpoints: endpoint,
      ...more,
    }),
  );

const reading = (answer: string): string =>
  `GET /files/{id}: { does: read File, response: { status: 200, ${answer} } }`;
const asking = (request: string): string =>
  `POST /a: { does: (none), request: { ${request} }, response: 204 }`;
const json = expect.arrayContaining([expect.stringContaining('bytes-in-json')]);

describe('bytes (language §H.1)', () => {
  it('are a field, a whole body with a media type, or a part', () => {
    expect(said(reading(`${media}, body: "\${this.content}"`))).toEqual([]);
    expect(said(reading('body: File'))).toEqual([]);
    expect(said(asking(`${media}, body: { type: string, format: binary }`))).toEqual([]);
    expect(
      said(asking('media: multipart/form-data, body: { fields: { a: { type: string, format: binary } } }')),
    ).toEqual([]);
    expect(
      said(
        asking(
          'media: multipart/form-data, body: { fields: { a: { type: array, items: { type: string, format: binary } } } }',
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    ['a body without a media type', reading('body: "${this.content}"')],
    ['a body of JSON', reading('media: application/json, body: "${this.content}"')],
    ['a body under a name', reading(`${media}, under: a, body: "\${this.content}"`)],
    ['a member of a body', reading('body: { a: "${this.content}" }')],
    ['a list in a body', reading('body: ["${this.content}"]')],
    ['a map in an expression', reading(`body: "\${{'a': this.content}}"`)],
    ['a header field', reading('headers: { X: "${this.content}" }')],
    ['a request without a media type', asking('body: { type: string, format: binary }')],
    ['a member of JSON', asking('body: { fields: { a: { type: string, format: binary } } }')],
    ['a parameter', asking('query: { a: { type: string, format: binary } }')],
    [
      'bytes deep within a part',
      asking(
        'media: multipart/form-data, body: { fields: { a: { fields: { b: { type: string, format: binary } } } } }',
      ),
    ],
  ])('are refused as %s', (_, endpoint) => {
    expect(said(endpoint)).toEqual(json);
  });

  it.each([
    ', a: { type: object, properties: { b: { type: string, format: binary } } }',
    ', a: { format: binary }',
    ', a: { type: string, format: binary, enum: [x] }',
    ', a: { type: string, format: binary, unique: true }',
    ', a: { type: string, format: binary, readable: true }',
    ', a: { type: string, format: binary, shown: "${value}" }',
    ', a: { type: string, derived: "${this.content}" }',
  ])('are refused as a field %s', (field) => {
    expect(said(reading('body: File'), field)).not.toEqual([]);
  });

  it('are in no event, no view and no named shape', () => {
    expect(
      said('DELETE /files/{id}: { operation: drop, does: delete File, response: 204 }', '', {
        events: 'kinds: { gone: { by: drop, body: { a: "${this.content}" } } }',
      }),
    ).toEqual(json);
    const named = (entry: string): string[] =>
      faults(
        document({
          resources: `File: { identifier: id, fields: { id: { type: string }, content: { type: string, format: binary } } }\n${entry}`,
        }),
      );
    expect(named('Seen: { of: File, shows: [content] }')).toEqual(json);
    expect(named('Blob: { identifier: (none), type: string, format: binary }')).toEqual(json);
  });

  it.each([
    ['size(this.content) > 3', []],
    ['this.content == null', []],
    ["sha256(this.content).hex == 'a'", []],
    ['this.content == this.content', ['expression-type']],
    ["this.content == 'a'", ['expression-type']],
    ['this.content < this.content', ['expression-type']],
    ["string(this.content) == 'a'", ['not-storable', 'expression-type']],
    ["contains(this.content, 'a')", ['expression-type', 'expression-type']],
    ['size([this.content]) > 3', ['expression-type']],
  ])('an expression may ask of them: %s', (expression, codes) => {
    const found = said(
      `GET /files: { does: { list: File, where: "\${${expression}}" }, response: { status: 200, body: "\${File(page.items)}" } }`,
    );
    expect(found.map((one) => one.split(':')[0])).toEqual(codes);
  });

  it('are deleted by then, where they are those of `old` or of an item that is deleted', () => {
    const put = (answer: string): string =>
      `PUT /files/{id}: { does: { update: File, with: { content: "\${request.body}" } }, request: { ${media}, body: { type: string, format: binary } }, response: { status: 200, ${answer} } }`;
    const gone = (answer: string): string =>
      `DELETE /files/{id}: { does: delete File, response: { status: 200, ${answer} } }`;
    const moved =
      'POST /files/{id}/end: { does: end File, response: { status: 200, media: a/b, body: "${this.content}" } }';
    const states = {
      states: 'File.state: { states: [a], initial: a, transitions: { end: { from: a, to: (none) } } }',
    };
    const deleted = (text: string): string[] => [`bytes-deleted: ${text}`];
    expect(said(put(`${media}, body: "\${old.content}"`))).toEqual(deleted('old.content'));
    expect(said(put(`${media}, body: "\${old.id == 'a' ? this.content : old.content}"`))).toEqual(
      deleted('old.content'),
    );
    expect(said(gone(`${media}, body: "\${this.content}"`))).toEqual(deleted('this.content'));
    expect(said(moved, ', state: { type: string }', states)).toEqual(deleted('this.content'));
    expect(
      said(
        put(`${media}, body: "\${this.content}"`),
        ', before: { type: string, format: binary, set: { update: "${old.content}" } }',
      ),
    ).toEqual(deleted('old.content'));
    expect(said(put('body: { was: "${size(old.content)}", sha: "${sha256(old.content).hex}" }'))).toEqual([]);
    expect(said(gone('body: { was: "${size(this.content)}", had: "${this.content != null}" }'))).toEqual([]);
    expect(said(put(`${media}, body: "\${this.content}"`))).toEqual([]);
  });
});
