import { describe, expect, it } from 'vitest';
import { withArticle } from '../../src/specification/reading/article.ts';
import { nearest } from '../../src/specification/reading/nearest.ts';
import { document } from './documents.ts';
import { findings } from './findings.ts';

const station = 'Station: { identifier: id, fields: { id: { type: string, set: { create: "${uuid()}" } } } }';

/** The findings of a document with one list of trips, whose query has these parameters. */
const trips = (query: string, errors = '(open)'): string[] =>
  findings(
    document({
      resources: `${station}\nTrip: { identifier: id, fields: { id: { set: { create: "\${uuid()}" } }, origin: { refers: Station } } }`,
      endpoints: [
        `GET /trips/{from}: { operation: list, does: list Trip, request: { query: ${query}, headers: { X-Unit: {} } }, response: 204 }`,
        'POST /trips: { operation: add, does: (none), request: { body: { fields: { length: {} } } }, response: 204 }',
      ].join('\n'),
      errors,
    }),
  );

describe('what most likely was meant', () => {
  it('is a word that is near', () => {
    expect(nearest('activ', ['active', 'activated'])).toBe('active');
    expect(nearest('iff', ['of', 'if'])).toBe('if');
    expect(nearest('hour', ['mode', 'size'])).toBeUndefined();
  });

  it('of two letters, only one with the same letters', () => {
    const known = ['if', 'in', 'or', 'id'];
    expect(nearest('of', known)).toBeUndefined();
    expect(nearest('ad', ['on', 'add'])).toBe('add');
    expect(nearest('a', ['b', 'A'])).toBe('A');
    expect(nearest('di', known)).toBe('id');
    expect(nearest('ID', known)).toBe('id');
  });

  it('is named where one word alone can stand', () => {
    const conditional = (rest: string): string[] =>
      findings(document({ endpoints: `GET /: { does: (none), conditional: { ${rest} }, response: 204 }` }));
    expect(conditional('ifNoneMatch: alowed')).toEqual([
      'unknown-word alowed: alowed cannot stand here: only allowed can → did you mean allowed?',
    ]);
    expect(conditional('etag: strung')).toEqual([
      'unknown-word strung: strung is none of: strong, weak → did you mean strong?',
    ]);
  });
});

describe('what a condition names of a request', () => {
  it.each([
    [
      'query.orign',
      'unknown-name invalid query.orign: orign is not the name of a parameter → did you mean origin?',
    ],
    ['path.form', 'unknown-name invalid path.form: form is not the name of a parameter → did you mean from?'],
    [
      'headers.X-Unti',
      'unknown-name invalid headers.X-Unti: X-Unti is not the name of a parameter → did you mean X-Unit?',
    ],
    [
      'body.lenght',
      'unknown-name invalid body.lenght: lenght is not the name of a member of a body → did you mean length?',
    ],
  ])('a slip is refused, with what was meant: %s', (subject, expected) => {
    expect(trips('{ origin: {} }', `codes: { a: { when: invalid ${subject}, status: 400 } }`)).toEqual([
      expected,
    ]);
  });

  it.each([
    'query.origin',
    'path.from',
    'headers.x-unit',
    'body.length',
    'body',
    'query.towards',
    'body.titles',
  ])('what is stated, or may be yet, is none: %s', (subject) => {
    expect(trips('{ origin: {} }', `codes: { a: { when: invalid ${subject}, status: 400 } }`)).toEqual([]);
  });

  it('of the operations of the row alone', () => {
    const row = (operation: string): string =>
      `codes: { a: { when: invalid query.orign, operations: [${operation}], status: 400 } }`;
    expect(trips('{ origin: {} }', row('list'))).toHaveLength(1);
    expect(trips('{ origin: {} }', row('add'))).toEqual([]);
  });
});

describe('a filter by a reference (language §E.11, §G.3)', () => {
  it('compares with the key that it refers by, and with what that item holds', () => {
    expect(trips('{ origin: { filter: origin } }')).toEqual([]);
    expect(trips('{ o: { filter: "${this.origin == request.query.o}" } }')).toEqual([]);
    expect(trips('{ o: { filter: "${this.origin.id == request.query.o}" } }')).toEqual([]);
  });
});

describe('the article before a name', () => {
  it('is that of how it is read', () => {
    expect(['Account', 'Item', 'Order', 'Entry', 'Todo', 'User'].map(withArticle)).toEqual([
      'an Account',
      'an Item',
      'an Order',
      'an Entry',
      'a Todo',
      'a User',
    ]);
  });
});
