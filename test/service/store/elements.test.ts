import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  and,
  call,
  compare,
  field,
  type Node,
  parameter,
  place,
  query,
  rowOf,
} from '../../../src/expression/query.ts';
import { type Statement, statement } from '../../../src/service/store/rows.ts';
import type { Store, Table, Transaction } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { planOf, scansOf, statementsOf } from '../statements.ts';
import { absence, opened as openedPostgres, schema } from './postgres.ts';
import { done, opened } from './stores.ts';

const note = (...lists: string[]): Table => ({
  name: 'Note',
  keyFields: ['id'],
  indexes: lists.map((name) => ({ fields: [{ path: [name] }], unique: false, each: true })),
});
/** The same, in whose indexes the notes stand in an order. */
const ordered: Table = {
  ...note(),
  indexes: [{ fields: [{ path: ['tags'] }, { path: ['n'], type: 'number' }], unique: false, each: true }],
};
const row = rowOf(note());
const tagged = (type: 'text' | 'number') =>
  statement(query(row, { where: call('among', parameter(0, type), field(row, 'tags')) }));
const byText = tagged('text');
const byNumber = tagged('number');

const having = call('among', parameter(0, 'text'), field(row, 'tags'));
const paged = (where: Node): Statement =>
  statement(
    query(row, {
      where,
      order: [
        { by: field(row, 'n', 'number'), descending: true },
        { by: place(row), descending: true },
      ],
      limit: parameter(1, 'number'),
      offset: parameter(2, 'number'),
    }),
  );
const page = paged(having);
/** Only what is below a number. */
const pageBelow = paged(and(having, compare('<', field(row, 'n', 'number'), parameter(3, 'number'))));

/** The keys of the notes that have it among their tags. */
const found = async (store: Store, tag: unknown): Promise<unknown[]> => {
  const asked = typeof tag === 'number' ? byNumber : byText;
  return (await store.read((reads) => reads.rows(asked, [tag]))).map(({ key }) => key[0]);
};

const made = (id: string, tags: unknown) => ({ key: [id], text: JSON.stringify({ tags }) });

/** Where a store keeps what it keeps, for this test alone. */
interface Place {
  readonly open: (...tables: Table[]) => Promise<Store>;
  /** How many elements are kept in the table that stands beside that of notes; null: there is none. */
  readonly kept: () => Promise<number | null>;
}

function inFile(): Promise<Place> {
  const data = dataFile();
  const kept = async (): Promise<number | null> => {
    const connection = new Database(data, { readonly: true });
    const [name] = connection
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '_note each %'")
      .pluck()
      .all();
    const count = name && connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get();
    connection.close();
    return (count ?? null) as number | null;
  };
  return Promise.resolve({ open: async (...tables) => opened(tables, data), kept });
}

async function inSchema(): Promise<Place> {
  const { address, beside } = await schema();
  const kept = async (): Promise<number | null> => {
    const { rows } = await beside.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'tacet each %'",
    );
    return rows[0]
      ? Number((await beside.query(`SELECT count(*) FROM "${rows[0].name}"`)).rows[0].count)
      : null;
  };
  return { open: (...tables) => openedPostgres(address, tables), kept };
}

const missing = await absence();
const places = [
  ['SQLite', inFile, 60] as const,
  ...(missing === null ? [['PostgreSQL', inSchema, 20] as const] : []),
];

describe.each(places)('an index of the elements of lists in %s', (_, place, runs) => {
  it('finds the rows with a text or number in a list, or a name in an object, and nothing else', async () => {
    const { open, kept } = await place();
    const store = await open(note('tags'));
    const long = 'é'.repeat(5000);
    const lists = [
      ['a', 'b'],
      ['b', 'b', 1],
      'a',
      { a: 'a' },
      null,
      [],
      ['A', true, null, ['a'], 1.0, -0],
      [long, '\0', long + 1],
    ];
    for (const [id, tags] of lists.entries())
      await done(store, (tx) => tx.insert('Note', made(`${id}`, tags)));
    expect(await found(store, 'a')).toEqual(['0', '3']);
    expect(await found(store, 'b')).toEqual(['0', '1']);
    expect(await found(store, 'c')).toEqual([]);
    expect(await found(store, 'true')).toEqual([]);
    expect(await found(store, 1)).toEqual(['1', '6']);
    expect(await found(store, '1')).toEqual([]);
    expect(await found(store, 0)).toEqual(['6']);
    for (const one of [long, '\0', long + 1]) expect(await found(store, one)).toEqual(['7']);
    expect(await found(store, long + 2)).toEqual([]);
    // Null is asked for in another way.
    expect(await found(store, null)).toEqual(['6']);
    expect(await kept()).toBe(11);
  });

  it('is as the rows are, whatever is done to them, and undone', async () => {
    const act = fc.record({
      verb: fc.constantFrom('insert', 'update', 'remove', 'removeEvery', 'undone'),
      id: fc.integer({ min: 0, max: 3 }).map(String),
      tags: fc.option(fc.array(fc.constantFrom('a', 'b', 1), { maxLength: 3 })),
    });
    const { open, kept } = await place();
    const store = await open(note('tags'));
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        await done(store, (tx) => tx.removeEvery('Note'));
        const rows = new Map<string, readonly unknown[]>();
        for (const { verb, id, tags } of acts) {
          const run = (tx: Transaction): void => {
            if (verb === 'removeEvery') tx.removeEvery('Note');
            else if (verb === 'remove') tx.remove('Note', [id]);
            else if (verb === 'update' || rows.has(id)) tx.update('Note', made(id, tags));
            else tx.insert('Note', made(id, tags));
            if (verb === 'undone') throw new Error('undone');
          };
          await done(store, run).catch(() => undefined);
          if (verb === 'removeEvery') rows.clear();
          if (verb === 'remove') rows.delete(id);
          if (verb === 'insert' || (verb === 'update' && rows.has(id))) rows.set(id, tags ?? []);
        }
        const having = (tag: unknown) => [...rows].filter(([, all]) => all.includes(tag)).map(([id]) => id);
        for (const tag of ['a', 'b', 1]) expect((await found(store, tag)).sort()).toEqual(having(tag).sort());
        const elements = [...rows.values()].reduce((sum, all) => sum + new Set(all).size, 0);
        expect(await kept()).toBe(elements);
      }),
      { numRuns: runs, seed: 20_261_141 },
    );
  });

  it('finds them in their order, whatever becomes of that, and from any of them on', async () => {
    const act = fc.record({
      id: fc.integer({ min: 0, max: 4 }).map(String),
      n: fc.option(fc.integer({ min: 0, max: 2 })),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
    });
    const { open, kept } = await place();
    const store = await open(ordered);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        await done(store, (tx) => tx.removeEvery('Note'));
        const rows = new Map<string, { readonly n: number | null; readonly tags: readonly string[] }>();
        for (const { id, n, tags } of acts) {
          const one = { key: [id], text: JSON.stringify({ n, tags }) };
          await done(store, (tx) => (rows.has(id) ? tx.update('Note', one) : tx.insert('Note', one)));
          rows.set(id, { n, tags });
        }
        const those = [...rows].filter(([, { tags }]) => tags.includes('a')).toReversed();
        those.sort(([, one], [, other]) => (other.n ?? -1) - (one.n ?? -1));
        const ids = those.map(([id]) => id);
        const found = async (asked: Statement, ...given: unknown[]) =>
          (await store.read((reads) => reads.rows(asked, ['a', ...given]))).map(({ key }) => key[0]);
        expect([await found(page, 9, 0), await found(page, 2, 1)]).toEqual([ids, ids.slice(1, 3)]);
        const below = those.filter(([, { n }]) => n !== null && n < 2).map(([id]) => id);
        expect(await found(pageBelow, 9, 0, 2)).toEqual(below);
        expect(await kept()).toBe([...rows.values()].reduce((sum, { tags }) => sum + new Set(tags).size, 0));
      }),
      { numRuns: runs, seed: 20_261_142 },
    );
  });

  it('is made of the rows that are there where it is new, and goes where it is asked for no more', async () => {
    const { open, kept } = await place();
    const first = await open(note());
    await done(first, (tx) => tx.insert('Note', made('1', ['a', 'b'])));
    expect(await found(first, 'a')).toEqual(['1']);
    await first.close();
    const second = await open(note('tags'));
    expect([await found(second, 'a'), await kept()]).toEqual([['1'], 2]);
    await done(second, (tx) => tx.insert('Note', made('2', ['a'])));
    await second.close();
    const third = await open(note('tags', 'others'));
    expect(await found(third, 'a')).toEqual(['1', '2']);
    await done(third, (tx) => tx.update('Note', { key: ['1'], text: '{"tags":["b"],"others":["c"]}' }));
    expect(await found(third, 'a')).toEqual(['2']);
    await third.close();
    await (await open(note())).close();
    expect(await kept()).toBeNull();
  });
});

describe('an index of the elements of lists', () => {
  it('serves', async () => {
    const data = dataFile();
    const store = opened([note('tags')], data);
    const { reads } = await statementsOf(() => found(store, 'a'));
    expect(reads.flatMap((sql) => scansOf(planOf(data, sql)))).toEqual([]);
    expect(reads).toEqual([expect.stringContaining('place IN (SELECT place FROM "_note each ')]);
  });

  it('tells a page, from any row on, without a scan or a sort, and a count without a row', async () => {
    const data = dataFile();
    const store = opened([ordered], data);
    const counted = statement({ ...byText.query, gives: { kind: 'count' } });
    const { reads } = await statementsOf(async () => [
      store.rows(page, ['a', 1, 0]),
      store.rows(pageBelow, ['a', 1, 0, 2]),
      store.value(counted, ['a']),
    ]);
    const steps = reads.flatMap((sql) => planOf(data, sql));
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE|SEARCH _note$/.test(step))).toEqual([]);
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH t0e .*value=\? AND o0<\?/));
    expect(reads[2]).toMatch(/^SELECT count\(\*\) FROM "_note each /);
  });
});
