import { afterAll, describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import type { Query } from '../../src/expression/query.ts';
import { compileSets } from '../../src/service/list/sets.ts';
import { parse } from '../expression/scope.ts';
import {
  answer,
  database,
  itemOf,
  type Kept,
  type Members,
  model,
  type Resource,
  scope,
} from '../expression/stored.ts';
import { bench } from './running.ts';

const kept: Kept = {
  Author: [
    { id: 'a1', name: 'Ada', rank: 3 },
    { id: 'a2', name: 'Bo', rank: 1, boss: 'a1' },
    { id: 'a3', name: 'Cy' },
  ],
  Note: [{ id: 1, title: 'x', author: 'a1' }],
};

/** What an expression about the first note comes to, and what the store was asked for it: rows, or one value. */
function asked(text: string): { result: unknown; gives: unknown[] } {
  const connection = database(kept);
  const gives: unknown[] = [];
  const prepare = (query: Query): Query => {
    gives.push(query.gives === 'rows' ? (query.where ? 'some' : 'all') : query.gives.kind);
    return query;
  };
  const { syntax } = parse(text);
  typeOf(syntax, scope, ({ message }) => expect.fail(message));
  const sets = compileSets(prepare, model, (resource, row: Members) =>
    itemOf(kept, resource as Resource, row),
  );
  const run = compile({ text, syntax }, { show: () => undefined, sets });
  const result = run({
    names: {
      this: itemOf(kept, 'Note', kept.Note[0] as Members),
      actor: null,
      request: { query: { tags: ['Bo'] } },
    },
    makers: { uuid: () => '', random: () => '' },
    reads: { value: answer.bind(null, connection), rows: answer.bind(null, connection) },
  });
  connection.close();
  return { result, gives };
}

describe('the items of a resource in an expression (language §G.4)', () => {
  it.each<[string, unknown, string[]]>([
    ['Author.exists(a, a == this.author)', true, ['exists']],
    ['Author.all(a, a.rank > 0)', false, ['none']],
    ['Author.size()', 3, ['count']],
    ['Author.filter(a, a.rank > 1).size()', 1, ['count']],
    ['Author.filter(a, a.boss != null).exists(a, a.rank == 1)', true, ['exists']],
    ['Author.map(a, a.rank).sum()', 4, ['sum']],
    ['Author.filter(a, a.boss == this.author).map(a, a.name).min()', 'Bo', ['min']],
    ['Author.filter(a, a.rank > 0).map(a, a.name).join()', 'AdaBo', ['some']],
    ['Author.map(a, a.name + "!").join()', 'Ada!Bo!Cy!', ['all']],
    ['Author.filter(a, a.name.contains("o") || a == this.author)[1].name', 'Bo', ['some']],
    ['request.query.tags.map(t, Author.filter(a, a.name == t).size())', [1], ['count']],
    ['Author.filter(a, Author.exists(b, b.boss == a)).size()', 1, ['count']],
  ])('%s asks the store for what it needs', (text, result, gives) => {
    expect(asked(text)).toEqual({ result, gives });
  });

  it.each<[string, unknown, string[]]>([
    ['Author.filter(a, slug(a.name) == "bo").size()', 1, ['all']],
    ['Author.exists(a, has(a.rank) && a.name.size() == 2)', true, ['all']],
    ['Author.filter(a, a.rank > 1).filter(a, trim(a.name) == "Ada").map(a, a.id)', ['a1'], ['some']],
  ])('%s is worked out of items where a store cannot tell', (text, result, gives) => {
    expect(asked(text)).toEqual({ result, gives });
  });

  it('a name that a macro binds is no set', () => {
    expect(asked('[1, 2].map(Author, Author)')).toEqual({ result: [1, 2], gives: [] });
  });
});

describe('the items of a resource that has no identifier', () => {
  const { serving, end } = bench();
  afterAll(end);

  it('are none, since none can be made', async () => {
    const document = {
      name: 'Things',
      tacet: 1,
      resources: { Thing: { fields: { of: { type: 'string' } } } },
      endpoints: {
        'GET /things': {
          does: '(none)',
          response: {
            status: 200,
            body: { some: "${Thing.exists(x, x.of == 'a')}", any: '${Thing.exists(x, true)}' },
          },
        },
      },
    };
    await serving(document, async ({ call }) => {
      const { status, body } = await call({ method: 'GET', target: '/things', fields: {}, body: null });
      expect({ status, body }).toEqual({ status: 200, body: '{"some":false,"any":false}' });
    });
  });
});
