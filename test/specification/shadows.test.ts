import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings, pairs } from './findings.ts';

/** A document of paths, each of which only answers, and of the fields of one resource. */
const paths = (list: readonly string[], fields = 'id: { type: string }', path?: string): string =>
  document({
    resources: `Parcel: { identifier: id, fields: { ${fields} } }\nWord: { identifier: (none), enum: [north, south] }`,
    endpoints: list
      .map(
        (key) =>
          `${key}: { does: (none), response: 204${path && key.includes('{id}') ? `, request: { path: { id: ${path} } }` : ''} }`,
      )
      .join('\n'),
  });

describe('an endpoint that a literal segment hides from some requests is told', () => {
  it.each<[string, readonly string[], string[]]>([
    [
      'of the same method',
      ['GET /parcels/{id}', 'GET /parcels/late'],
      [
        'shadowed-path GET /parcels/{id}: GET /parcels/{id} is never reached with late: GET /parcels/late goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'which may be the end of what a parameter takes',
      ['GET /parcels/{id}', 'GET /parcels/{id}.json', 'GET /parcels/a{id}.json'],
      [
        'shadowed-path GET /parcels/{id}: GET /parcels/{id} is never reached with ….json: GET /parcels/{id}.json goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
        'shadowed-path GET /parcels/{id}: GET /parcels/{id} is never reached with a….json: GET /parcels/a{id}.json goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
        'shadowed-path GET /parcels/{id}.json: GET /parcels/{id}.json is never reached with a….json: GET /parcels/a{id}.json goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'of another method, which is then not allowed',
      ['DELETE /parcels/{id}', 'GET /parcels/late'],
      [
        'shadowed-path DELETE /parcels/{id}: DELETE /parcels/{id} is never reached with late: GET /parcels/late goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'by the one of its method, of several',
      ['GET /parcels/{id}', 'PUT /parcels/late', 'GET /parcels/late'],
      [
        'shadowed-path GET /parcels/{id}: GET /parcels/{id} is never reached with late: GET /parcels/late goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'further along the path',
      ['GET /parcels/{id}/events', 'GET /parcels/late/events'],
      [
        'shadowed-path GET /parcels/{id}/events: GET /parcels/{id}/events is never reached with late: GET /parcels/late/events goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'by parameters after it',
      ['GET /parcels/{id}/events', 'GET /parcels/late/{kind}'],
      [
        'shadowed-path GET /parcels/{id}/events: GET /parcels/{id}/events is never reached with late: GET /parcels/late/{kind} goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'in several segments',
      ['GET /{a}/{b}', 'GET /x/y'],
      [
        'shadowed-path GET /{a}/{b}: GET /{a}/{b} is never reached with x, y: GET /x/y goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
    [
      'by several',
      ['GET /parcels/{id}', 'GET /parcels/late', 'GET /parcels/early'],
      [
        'shadowed-path GET /parcels/{id}: GET /parcels/{id} is never reached with late: GET /parcels/late goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
        'shadowed-path GET /parcels/{id}: GET /parcels/{id} is never reached with early: GET /parcels/early goes before it → more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
      ],
    ],
  ])('%s', (_, list, expected) => {
    expect(findings(paths(list))).toEqual(expected);
  });

  it('and beside it, the one that is reached', () => {
    expect(pairs(paths(['GET /parcels/{id}', 'GET /parcels/late']))).toEqual([
      'shadowed-path GET /parcels/{id} ~ GET /parcels/late',
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['a longer path', ['GET /parcels/{id}', 'GET /parcels/late/events']],
    ['a shorter one', ['GET /parcels/{id}/events', 'GET /parcels/late']],
    ['other words after it', ['GET /parcels/{id}/events', 'GET /parcels/late/labels']],
    ['another beginning', ['GET /parcels/{id}', 'GET /vans/late']],
    ['the same path by several methods', ['GET /parcels/{id}', 'PUT /parcels/{id}', 'DELETE /parcels/{id}']],
  ])('not by %s', (_, list) => {
    expect(findings(paths(list))).toEqual([]);
  });
});

describe('a word that the parameter cannot be hides nothing', () => {
  const both = ['GET /parcels/{id}', 'GET /parcels/late'];
  it.each<[string, string, string]>([
    ['no number', 'id: { type: integer }', 'Parcel.id'],
    ['of another format', 'id: { type: string, format: uuid }', 'Parcel.id'],
    ['of another pattern', 'id: { type: string, pattern: "^[0-9]+$" }', 'Parcel.id'],
    ['too short', 'id: { type: string, minLength: 10 }', 'Parcel.id'],
    ['none of its values', 'id: { enum: [a, b] }', 'Parcel.id'],
    ['none of a named shape’s', 'id: Word', 'Parcel.id'],
    ['by a shape of the parameter’s own', 'id: {}', '{ enum: [a, b] }'],
    ['none that the service makes', 'id: { set: { create: "${uuid()}" } }', 'Parcel.id'],
    ['of another beginning', 'id: { type: string, set: { create: "par_${random(24)}" } }', 'Parcel.id'],
    [
      'of another beginning, added',
      'id: { type: string, set: { create: "${\'par_\' + random(8) + string(now)}" } }',
      'Parcel.id',
    ],
    ['of another length', 'id: { type: string, set: { create: "${random(24)}" } }', 'Parcel.id'],
    ['no number of a sequence', 'id: { set: { create: "${sequence()}" } }', 'Parcel.id'],
  ])('%s', (_, fields, path) => {
    expect(findings(paths(both, fields, path))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['the word itself is a value', 'id: { enum: [late, b] }', 'Parcel.id'],
    [
      'a client may give it too',
      'id: { type: string, writable: once, set: { create: "${uuid()}" } }',
      'Parcel.id',
    ],
    [
      'it is made of what a client gives',
      'id: { type: string, set: { create: "${slug(this.title)}" } }, title: {}',
      'Parcel.id',
    ],
    ['it may be made so', 'id: { type: string, set: { create: "${random(4)}" } }', 'Parcel.id'],
    ['it may begin so', 'id: { type: string, set: { create: "la${random(2)}" } }', 'Parcel.id'],
    ['how it is made is not known', 'id: { set: { create: { handled: h } } }', 'Parcel.id'],
    ['nothing is said of the field', 'id: {}', 'Parcel.id'],
  ])('but told where %s', (_, fields, path) => {
    expect(findings(paths(both, fields, path)).map((one) => one.split(' ')[0])).toEqual(['shadowed-path']);
  });
});
