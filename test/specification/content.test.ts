import { describe, expect, it } from 'vitest';
import { fixedMedia } from '../../src/specification/reading/media.ts';
import { type Said, stated } from '../../src/specification/reading/said.ts';
import type { PlacedTemplate } from '../../src/specification/reading/templates.ts';
import { requestByMedia } from '../../src/specification/vocabulary/request.ts';
import { document, specification } from './documents.ts';
import { findings, pairs } from './findings.ts';

const resources = `Note:
  identifier: id
  fields:
    id: { type: string }
    text: { type: string }
    pages: { type: integer }
    scan: { type: string, format: binary }
Card: { of: Note, shows: [text] }`;

const request = (content: string, does = 'does: (none)'): string =>
  document({ resources, endpoints: `POST /:\n  ${does}\n  request: { ${content} }\n  response: 204` });
const response = (answer: string): string =>
  document({ resources, endpoints: `GET /{id}:\n  does: read Note\n  response: { status: 200, ${answer} }` });
const found = (text: string): string[] => findings(text).map((one) => one.replace(/ → .*$/s, ''));
/** The media type that an answer states. */
const typeOf = (media: Said<PlacedTemplate>): unknown => stated(fixedMedia(media));
const shape = 'this content cannot be as it is stated:';

describe('content by media type (language §4.2, §H.3)', () => {
  it('takes a body as each of them may be', () => {
    const text =
      'content: { application/json: { under: n, body: Note }, multipart/form-data: { body: Note }, image/*: { body: { type: string, format: binary } }, text/plain: { body: { type: string } }, multipart/mixed: { body: { type: array, items: { properties: { body: { type: string, format: binary } } } } }, application/x-www-form-urlencoded: { nesting: brackets, body: { fields: { a: {} } } } }';
    expect(findings(request(text))).toEqual([]);
  });

  it('sends each of them as it may be', () => {
    const text =
      'content: { application/json: { under: n, body: Card }, text/csv: { body: "${this.text}" }, image/png: { body: "${this.scan}" }, multipart/mixed: { body: [{ headers: { A: b }, body: "${this.scan}" }] }, application/hal+json: { shape: Note } }';
    expect(findings(response(text))).toEqual([]);
  });

  it('has the members of each under its address, and whether there are more is one point', () => {
    const text = response(
      'content: { application/json: { body: { a: 1 } }, text/csv: { body: (open) which? } }',
    );
    const above = 'endpoints["GET /{id}"].response';
    const points = [...specification(text).points.values()].filter(({ address }) =>
      address.startsWith(above),
    );
    expect(points.map(({ address, state }) => `${address.slice(above.length)} ${state}`)).toEqual([
      '.status stated',
      '.content["application/json"].body stated',
      '.content["application/json"].body.a stated',
      '.content["application/json"].body.* open',
      '.content["application/json"].* open',
      '.content["text/csv"].body open',
      '.content["text/csv"].* open',
      '.content.* open',
      '.* open',
    ]);
  });

  it('closes its list where the document is complete', () => {
    const endpoints =
      'POST /: { request: { content: { a/b: { body: { type: string } }, a/c: { body: { type: string } } } } }';
    const restOf = (head?: string): unknown =>
      specification(document({ ...(head && { head }), endpoints })).points.get(
        'endpoints["POST /"].request.content.*',
      )?.state;
    expect([restOf(), restOf('complete: true')]).toEqual(['open', 'stated']);
  });

  it('shows as its only body the first that is JSON, or the first', () => {
    const [operation] = specification(
      request('content: { text/plain: { body: { type: string } }, application/json: { body: Card } }'),
    ).operations;
    const asked = operation?.request;
    expect(asked && [stated(asked.media), stated(asked.body)?.of?.name]).toEqual([
      ['application/json'],
      'Note',
    ]);
    expect(asked && requestByMedia(asked).flatMap(({ media }) => stated(media))).toEqual([
      'text/plain',
      'application/json',
    ]);
  });

  it.each([
    [
      'content: { text/plain: { body: { type: string } } }',
      ['content-of-one { text/plain: { body: { type: string } } }: content has two media types or more'],
    ],
    [
      'media: a/b, content: { a/b: { body: { type: string } }, a/c: { body: { type: string } } }',
      [`content-shape media: ${shape} media stands beside content, whose entries say it`],
    ],
    [
      'content: { text: { body: { type: string } }, a/c: { body: { type: string } } }',
      [`content-shape text: ${shape} text is no media type`],
    ],
    [
      'content: { text/csv: { body: Note }, application/json: { body: Note } }',
      [`content-shape Note: ${shape} text/csv holds a text or bytes, and this is none`],
    ],
    [
      'content: { text/csv: { under: n, body: { type: string } }, application/json: { body: Note } }',
      [`content-shape n: ${shape} text/csv holds no object, so nothing is under a name`],
    ],
    [
      'content: { multipart/mixed: { body: { type: object } }, application/json: { body: Note } }',
      [`content-shape { type: object }: ${shape} multipart/mixed holds a list of parts, and this is none`],
    ],
    [
      'media: multipart/mixed, body: { type: object }',
      [`content-shape { type: object }: ${shape} multipart/mixed holds a list of parts, and this is none`],
    ],
    [
      'media: multipart/mixed, body: { type: array, items: { properties: { head: { type: string, format: binary } } } }',
      [
        'bytes-in-json { type: array, items: { properties: { head: { type: string, format: binary } } } }: JSON and events hold no bytes: of a part, bytes are the member body',
      ],
    ],
    [
      'content: { application/json: { body: Nope }, a/c: { body: { type: string } } }',
      ['unknown-name Nope: Nope is not the name of a shape'],
    ],
    [
      'content: { application/json: (open), a/c: { body: { type: string } } }',
      ['marker-in-literal (open): (open) would be a marker, and a literal stands here'],
    ],
    [
      'content: { application/json: { body: Note, media: a/b }, a/c: { body: { type: string } } }',
      ['unknown-key media: endpoints["POST /"].request.content["application/json"] has no key media'],
    ],
  ])('refuses a request of %s', (text, expected) => {
    expect(found(request(text))).toEqual(expected);
  });

  it.each([
    [
      'content: { image/*: { body: "${this.scan}" }, a/c: { body: a } }',
      [`content-shape image/*: ${shape} image/* is a range, and an answer has one media type`],
    ],
    [
      'content: { text/csv: { body: Note }, application/json: { body: Note } }',
      [`content-shape Note: ${shape} text/csv holds a text or bytes, and this is none`],
    ],
    [
      'content: { text/csv: { body: { a: 1 } }, application/json: { body: Note } }',
      [`content-shape { a: 1 }: ${shape} text/csv holds a text or bytes, and this is none`],
    ],
    [
      'content: { text/csv: { shape: { fields: { a: {} } } }, application/json: { body: Note } }',
      [`content-shape { fields: { a: {} } }: ${shape} text/csv holds a text, and this is none`],
    ],
    [
      'content: { application/json: { body: "${this.scan}" }, a/c: { body: a } }',
      [
        'bytes-in-json "${this.scan}": JSON and events hold no bytes: a body that is bytes states its own `media`',
      ],
    ],
    [
      'content: { multipart/mixed: { body: "${this.text}" }, a/c: { body: a } }',
      [`content-shape "\${this.text}": ${shape} multipart/mixed holds a list of parts, and this is none`],
    ],
    [
      'media: multipart/mixed, body: [{ headers: { X: "${this.scan}" }, body: a }]',
      ['bytes-in-json this.scan: JSON and events hold no bytes: this is bytes, or holds some'],
    ],
    [
      'content: { application/json: { body: Note }, text/csv: { body: "${nope}" } }',
      [
        'expression-type nope: nothing is called nope here; known here: service, now, request, actor, old, outcome, this',
      ],
    ],
  ])('refuses an answer of %s', (text, expected) => {
    expect(found(response(text))).toEqual(expected);
  });

  it('has no content with a status that has none', () => {
    const text = response('content: { a/b: { body: a }, a/c: { body: a } }').replace('200', '204');
    expect(found(text)).toEqual([
      'body-with-status { a/b: { body: a }, a/c: { body: a } }: an answer of 204 has no content, so it can have no body',
    ]);
  });

  it('points at both ways to say it', () => {
    const text = request(
      'body: Note, content: { a/b: { body: { type: string } }, a/c: { body: { type: string } } }',
    );
    expect(pairs(text)).toEqual(['content-shape body ~ content']);
  });

  it('leaves the boundary of parts to the service', () => {
    const text = response('media: multipart/mixed; boundary=b, body: [{ body: a }]');
    expect(found(text)).toEqual([
      `content-shape multipart/mixed; boundary=b: ${shape} the service chooses the boundary of parts`,
    ]);
  });

  it('tells requests apart by the type without parameters', () => {
    const text = request(
      'content: { text/plain: { body: { type: string } }, Text/Plain; charset=utf-8: { body: { type: string } } }',
    );
    expect(pairs(text)).toEqual(['key-twice Text/Plain; charset=utf-8 ~ text/plain']);
  });

  it('gives expressions the members of any', () => {
    const text = (member: string): string =>
      request(
        'content: { application/json: { body: { type: object, properties: { a: { type: integer } } } }, application/x-www-form-urlencoded: { body: { type: object, properties: { b: { type: integer } } } } }',
        `does: (none)\n  also: [{ create: Note, with: { pages: "\${request.body.${member}}" } }]`,
      );
    expect([...found(text('a')), ...found(text('b'))]).toEqual([]);
  });

  it('takes no media and no nesting from a rule for several endpoints', () => {
    const text = request(
      'content: { application/json: { body: Note }, a/c: { body: { type: string } } } }\nevery POST: { request: { media: [a/d], nesting: brackets }',
    ).replace('\n  response: 204', '');
    expect(found(text).filter((one) => one.startsWith('content'))).toEqual([]);
  });

  it('is that of all rows for a row that has no content of its own', () => {
    const text = document({
      errors: `payload: { headers: { X: y }, content: { a/b: { body: "\${error.code}" }, a/c: { body: c } } }
codes:
  one: { when: unknown, status: 404 }
  two: { when: malformed, status: 400, media: text/html, body: a }
  three: { when: internal, status: 500, content: { a/d: { body: d }, a/e: { body: e } } }`,
    });
    const { errors, points } = specification(text);
    const rows = [...(stated(stated(errors)?.codes)?.values() ?? [])].map((said) => stated(said));
    const types = rows.map((row) => stated(row?.content)?.map(({ media }) => typeOf(media)));
    expect(types).toEqual([['a/b', 'a/c'], undefined, ['a/d', 'a/e']]);
    expect([...points.keys()].filter((one) => one.includes('a/b'))).toEqual([
      'errors.payload.content["a/b"].body',
      'errors.payload.content["a/b"].*',
    ]);
  });
});

describe('content of an older version (language §9.3)', () => {
  const versioned = (newest: string, older: string): string =>
    document({
      resources,
      endpoints: `GET /{id}: { does: read Note, response: { status: 200, ${newest} } }`,
      versioning: `versions: { "2": {}, "1": { differs: { 'endpoints["GET /{id}"].response${older} } } }`,
    });
  const typesOf = (text: string): unknown => {
    expect(findings(text)).toEqual([]);
    const [older] = specification(text).older.values();
    const [answer] = stated(older?.specification.operations[0]?.response) ?? [];
    const said = stated(answer?.content)?.map(({ media }) => typeOf(media));
    return said ?? (answer && typeOf(answer.media));
  };
  const two = 'content: { application/json: { body: Note }, text/csv: { body: "${this.text}" } }';

  it.each([
    ['another way to say it', two, '\': { media: text/plain, body: "${this.text}" }', 'text/plain'],
    [
      'several in place of one',
      'media: text/plain, body: "${this.text}"',
      `': { ${two} }`,
      ['application/json', 'text/csv'],
    ],
    [
      'a type less',
      two.replace(' } }', ' }, text/plain: { body: a } }'),
      '\'.content["text/csv"]\': (none)'.slice(1),
      ['application/json', 'text/plain'],
    ],
    [
      'another body of a type',
      two,
      '\'.content["text/csv"].body\': a'.slice(1),
      ['application/json', 'text/csv'],
    ],
  ])('is %s', (_, newest, older, expected) => {
    expect(typesOf(versioned(newest, older))).toEqual(expected);
  });
});

describe('content that may be missing (language §4.2)', () => {
  it('is an object', () => {
    for (const body of ['Note', '{ fields: {} }', '{ type: [object, "null"] }', '{ minProperties: 1 }'])
      expect(findings(request(`body: ${body}, required: false`))).toEqual([]);
    for (const body of ['{ type: array }', '{ type: string, format: binary }'])
      expect(found(request(`body: ${body}, required: false`))).toContainEqual(
        expect.stringContaining('content that may be missing is an empty object then, and this body is none'),
      );
  });
});

describe('a list of media types (language §H.3)', () => {
  it('has two types or more, and each is one', () => {
    expect(findings(response('media: [application/json, text/*], body: Card'))).toEqual([]);
    expect(found(response('media: [application/json], body: Card'))).toEqual([
      expect.stringContaining('one media type is no list'),
    ]);
    expect(found(response('media: [application/json, xml], body: Card'))).toEqual([
      expect.stringContaining('xml is no media type'),
    ]);
  });
});
