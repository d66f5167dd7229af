import { describe, expect, it } from 'vitest';
import { type Pair, pairsOf, queryValues } from '../../src/semantics/request/given/parameters.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { Unknown } from '../../src/semantics/value/value.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

const specification = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, text: { type: string }, team: { type: [string, "null"], default: null, writable: false } }
endpoints:
  others: refuse
  POST /notes:
    operation: add
    does: { create: Note, with: ["\${request.body}", { team: "\${request.headers['X-Team']}" }] }
    request: { body: Note, headers: { X-Team: { type: string, taken: "\${trim(value)}" } } }
    response: { status: 201, body: "\${this.team}" }
  GET /notes:
    operation: list
    does: { list: Note, order: [id] }
    request: { query: { text: { type: string, filter: "\${lower(this.text).contains(request.query.text)}", taken: "\${lower(value)}", default: E } } }
    response: { status: 200, body: "\${page.items.map(n, n.id)}" }
errors: { codes: { unfit: { when: invalid, status: 422 } } }
`);

it('what a parameter is given is converted, and a default is not (language §4.2, `taken`)', () => {
  const ask = asking(specification);
  const headers = { 'x-team': ' red ' };
  expect(ask('add', { content: { id: 'a', text: 'TEA' }, headers }, { status: 201, body: 'red' })).toEqual(
    [],
  );
  expect(ask('add', { content: { id: 'b', text: 'E' }, headers }, { status: 201, body: ' red ' })).toEqual([
    'body',
  ]);
  expect(ask('list', { query: { text: 'Ea' } }, { status: 200, body: ['a'] })).toEqual([]);
  expect(ask('list', { query: { text: 'Ea' } }, { status: 200, body: [] })).toEqual(['body']);
  expect(ask('list', {}, { status: 200, body: [] })).toEqual([]);
});

describe('a parameter of a path that has a shape, and names an item (language §4.2, rule 5)', () => {
  const things = specificationOf(`
complete: true
resources: { Thing: { identifier: id, fields: { id: { type: integer } } } }
endpoints:
  others: refuse
  PUT /things/{id}:
    operation: put
    does: { create: Thing, present: replace }
    request: { path: { id: { minimum: 3, is: Thing.id } } }
    response: { status: 200, body: Thing }
  GET /things/{number}:
    operation: show
    does: read Thing
    request: { path: { number: { type: integer, maximum: 5, is: Thing.id } } }
    response: { status: 200, body: Thing }
  POST /things/{number}/copies:
    operation: copy
    does: { create: Thing, with: { id: "\${thing.id + 10}" } }
    request: { path: { number: { maximum: 5, is: Thing.id as thing } } }
    response: { status: 201, body: Thing }
errors: { codes: { unfit: { when: invalid, status: 422 }, none: { when: unknown Thing, status: 404 } } }
`);
  const unfit = { status: 422 };

  it('is refused if it does not fit, whether or not there is such an item', () => {
    const ask = asking(things);
    expect(ask('put', { path: { id: 2 } }, unfit)).toEqual([]);
    expect(ask('put', { path: { id: 2 } }, { status: 200, body: { id: 2 } })).not.toEqual([]);
    expect(ask('put', { path: { id: 6 } }, { status: 200, body: { id: 6 } })).toEqual([]);
    expect(ask('show', { path: { number: 6 } }, unfit)).toEqual([]);
    expect(ask('show', { path: { number: 6 } }, { status: 200, body: { id: 6 } })).not.toEqual([]);
    expect(ask('copy', { path: { number: 6 } }, unfit)).toEqual([]);
    expect(ask('copy', { path: { number: 6 } }, { status: 201, body: { id: 16 } })).not.toEqual([]);
  });

  it('may be refused for either reason if there is none, and finds the item if it fits', () => {
    const ask = asking(things);
    expect(ask('show', { path: { number: 7 } }, unfit)).toEqual([]);
    expect(ask('show', { path: { number: 7 } }, { status: 404 })).toEqual([]);
    expect(ask('show', { path: { number: 5 } }, unfit)).not.toEqual([]);
    expect(ask('put', { path: { id: 5 } }, { status: 200, body: { id: 5 } })).toEqual([]);
    expect(ask('show', { path: { number: 5 } }, { status: 200, body: { id: 5 } })).toEqual([]);
    expect(ask('copy', { path: { number: 5 } }, { status: 201, body: { id: 15 } })).toEqual([]);
  });
});

describe('the values of a query', () => {
  const listing = specificationOf(`
resources: { Note: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  GET /notes:
    operation: list
    does: { list: Note }
    request:
      query:
        apart:  { type: array, items: { type: string } }
        commas: { type: array, items: { type: integer }, explode: false }
        pipes:  { type: array, items: { type: string }, style: pipeDelimited, explode: false }
        whole:  { type: array, items: { type: string }, style: json }
    response: 200
`);
  const [operation] = listing.operations as [Request['operation']];
  const read = (text: string): unknown => queryValues(operation, pairsOf(text) as Pair[], listing);

  it('are lists, as the style says how they are coded (language §4.2, rule 1)', () => {
    expect(read('apart=a&apart=b,c')).toEqual({ apart: ['a', 'b,c'] });
    expect(read('commas=1,2')).toEqual({ commas: [1, 2] });
    expect(read('commas=1.5')).toEqual({ commas: ['1.5'] });
    expect(read('pipes=a%7Cb|c')).toEqual({ pipes: ['a', 'b', 'c'] });
  });

  it('are separated before they are decoded', () => {
    expect(read('commas=1%2C2')).toEqual({ commas: ['1,2'] });
  });

  it.each(['commas=1&commas=2', 'apart=', 'whole=%5B%5D'])(
    'are unknown if nobody states how to read them: %s',
    (text) => {
      expect(read(text)).toBeInstanceOf(Unknown);
    },
  );
});
