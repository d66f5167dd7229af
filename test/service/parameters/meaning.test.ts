import { describe, expect, it } from 'vitest';
import { compileParameters, isReadable } from '../../../src/service/parameters/parameters.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../served.ts';

/** What the parameters of a list come to, and what is wrong with them. */
function read(request: string, url: string, path: Readonly<Record<string, string>> = {}): unknown {
  const specification = specificationOf(`
name: Notes
resources:
  Book: { identifier: isbn, fields: { isbn: { type: string }, shelf: { type: integer, unique: true } } }
  Loan: { identifier: id, fields: { id: { type: integer }, book: { refers: Book.shelf }, due: { type: string } } }
endpoints:
  GET /books/{shelf}/loans: { does: list Loan, request: { others: refuse, ${request} }, response: 204 }
`);
  const [operation] = specification.operations as [Operation];
  const [, query = null] = url.split('?');
  const found = compileParameters(specification, operation, { depth: 9, nodes: 99 })({
    from: {},
    method: 'GET',
    url,
    query,
    path: { shelf: '5', ...path },
    places: { shelf: 1 },
    headers: {},
    content: () => null,
    version: null,
  });
  if (!isReadable(found)) throw new Error(`${found.unreadable} cannot be read`);
  const failures = found.checked?.failures.map(({ subjects, limit }) => [subjects[0], limit]);
  return failures ?? { ...found.path, ...found.query };
}

const loans = '/books/5/loans';

describe('a parameter by which a client sorts (language §4.2)', () => {
  const sort = 'query: { by: { sort: [due, id], default: -due } }';

  it('names the fields that are listed', () => {
    for (const by of ['due', '-due', 'id,due', '-id,-due', 'due,-id'])
      expect(read(sort, `${loans}?by=${by}`)).toEqual({ shelf: '5', by });
    expect(read(sort, loans)).toEqual({ shelf: '5', by: '-due' });
  });

  it('is invalid with any other', () => {
    for (const by of ['', 'book', '--due', 'due,', 'due, id', '+due', 'Due', 'toString'])
      expect([by, read(sort, `${loans}?by=${encodeURIComponent(by)}`)]).toEqual([
        by,
        [['query.by.sort', null]],
      ]);
  });

  it('may be a list', () => {
    const list = 'query: { by: { type: array, explode: false, sort: [due, id] } }';
    expect(read(list, `${loans}?by=due,-id`)).toEqual({ shelf: '5', by: ['due', '-id'] });
    expect(read(list, `${loans}?by=due,x`)).toEqual([['query.by.sort', null]]);
  });
});

describe('a parameter of a page (language §4.2)', () => {
  it.each([
    ['offset', 0],
    ['size', 0],
    ['start', 1],
    ['number', 1],
  ])('%s counts from %i', (page, from) => {
    const request = `query: { n: { page: ${page} } }`;
    expect(read(request, `${loans}?n=${from}`)).toEqual({ shelf: '5', n: from });
    expect(read(request, `${loans}?n=${from - 1}`)).toEqual([['query.n.minimum', from]]);
    expect(read(request, `${loans}?n=x`)).toEqual([['query.n.type', 'integer']]);
  });

  it('fails by its own minimum alone, where that is not met either', () => {
    expect(read('query: { n: { page: number, minimum: 3 } }', `${loans}?n=0`)).toEqual([
      ['query.n.minimum', 3],
    ]);
  });

  it('that is no count is any text', () => {
    expect(read('query: { n: { page: cursor } }', `${loans}?n=-1`)).toEqual({ shelf: '5', n: '-1' });
  });
});

describe('a parameter that is a field of an item', () => {
  it('has the type of the field, and no more is asked of it than a key', () => {
    expect(read('path: { shelf: Book.shelf as book }', loans)).toEqual({ shelf: 5 });
    expect(read('path: { shelf: Book.shelf as book }', loans, { shelf: 'five' })).toEqual({ shelf: 'five' });
    expect(read('query: { b: Book.shelf as book, i: Book.isbn as other }', `${loans}?b=7&i=7`)).toEqual({
      shelf: '5',
      b: 7,
      i: '7',
    });
  });

  it('that refers has the type of the key that it refers by', () => {
    expect(read('query: { b: Loan.book as loan }', `${loans}?b=7`)).toEqual({ shelf: '5', b: 7 });
  });
});

describe('a query', () => {
  it('is read in vain where none is stated: nothing is made for it', () => {
    expect(read('path: {}', `${loans}?a=1`)).toEqual([['query.a.others', null]]);
    expect(read('path: {}', loans)).toEqual({ shelf: '5' });
  });
});
