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
  query,
  rowOf,
} from '../../../src/expression/query.ts';
import { CannotWorkOut } from '../../../src/expression/values.ts';
import { matches } from '../../../src/expression/words.ts';
import { type Statement, statement } from '../../../src/service/store/rows.ts';
import type { Store, Table, Transaction } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { planOf, scansOf, statementsOf } from '../statements.ts';
import { absence, opened as openedPostgres, schema } from './postgres.ts';
import { done, opened } from './stores.ts';

const fields = [{ path: ['id'] }, { path: ['tags'], type: 'unknown' as const }, { path: ['title'] }];
const note = (...words: (typeof fields)[]): Table => ({
  name: 'Note',
  keyFields: ['id'],
  indexes: words.map((fields) => ({ fields, unique: false, words: true })),
});
const indexed = note(fields);
const row = rowOf(note());
const [id, title, tags] = [field(row, 'id', 'text'), field(row, 'title', 'text'), field(row, 'tags')];
const n = field(row, 'n', 'number');

const matching = call('matches', parameter(0, 'text'), title, tags, id);
const asked = (where: Node): Statement => statement(query(row, { where }));
const all = asked(matching);
const from = asked(and(compare('>=', n, parameter(1, 'number')), matching));
/** Null for the rows of which the quotient cannot be worked out. */
const divided = asked(
  and(matching, compare('>=', call('divide', parameter(1, 'number'), n), parameter(1, 'number'))),
);
const counted = statement(query(row, { where: matching, gives: { kind: 'count' } }));

interface Note {
  readonly id: string;
  readonly title?: unknown;
  readonly tags?: unknown;
  readonly n?: number;
}

const kept = (one: Note) => ({ key: [one.id], text: JSON.stringify({ ...one, id: undefined }) });

/** The keys of the notes that a statement finds; `none` where that cannot be worked out. */
async function found(store: Store, which: Statement, ...values: unknown[]): Promise<unknown> {
  try {
    return (await store.read((reads) => reads.rows(which, values))).map(({ key }) => key[0]);
  } catch (error) {
    if (error instanceof CannotWorkOut) return 'none';
    throw error;
  }
}

/** The same by the meaning alone. */
function meant(notes: readonly Note[], q: unknown): unknown {
  try {
    return notes
      .filter((one) => matches(q, one.title ?? null, one.tags ?? null, one.id))
      .map((one) => one.id);
  } catch (error) {
    if (error instanceof CannotWorkOut) return 'none';
    throw error;
  }
}

/** Where a store keeps what it keeps, for this test alone. */
interface Place {
  readonly open: (...tables: Table[]) => Promise<Store>;
  /** How many indexes of words there are. */
  readonly indexes: () => Promise<number>;
}

function inFile(): Promise<Place> {
  const data = dataFile();
  const indexes = async (): Promise<number> => {
    const connection = new Database(data, { readonly: true });
    const count = connection
      .prepare("SELECT count(*) FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE %'")
      .pluck()
      .get();
    connection.close();
    return count as number;
  };
  return Promise.resolve({ open: async (...tables) => opened(tables, data), indexes });
}

async function inSchema(): Promise<Place> {
  const { address, beside } = await schema();
  const indexes = async (): Promise<number> => {
    const { rows } = await beside.query(
      "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexname LIKE 'tacet words %'",
    );
    return Number(rows[0].count);
  };
  return { open: (...tables) => openedPostgres(address, tables), indexes };
}

const missing = await absence();
const places = [
  ['SQLite', inFile, 300] as const,
  ...(missing === null ? [['PostgreSQL', inSchema, 30] as const] : []),
];

/** Words that begin one another, in letters with and without case, marks, digits and what is none of these. */
const word = fc.constantFrom(
  ...['a', 'A', 'ab', 'Abc', 'É', 'e\u0301', 'éa', 'ß', 'ẞ', 'ΣΑ', 'σα', 'ς', 'İ', 'ı', 'ǅ', 'ﬅ', 'ﬆ'],
  ...[
    '1',
    '12',
    '٣',
    '²',
    '東',
    '東京',
    '𐐀b',
    '𐐨',
    '\u200d',
    'ª',
    '_',
    '·',
    "'",
    '"',
    '\\',
    '*',
    '\0',

    ':',
  ],
  ...['a'.repeat(100), 'a'.repeat(101), '𐐀'.repeat(60)],
);
const text = fc
  .oneof(
    { weight: 9, arbitrary: fc.tuple(fc.array(word, { maxLength: 4 }), fc.constantFrom('', ' ', '-')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((one) => [[one], ''] as const) },
  )
  .map(([words, by]) => words.join(by));
const texts = fc.oneof(
  { weight: 9, arbitrary: fc.option(fc.oneof(text, fc.array(fc.option(text), { maxLength: 3 }))) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(1, true, {}, [1], [['a']]) },
);
const written = fc.option(text);
const act = fc.record({
  verb: fc.constantFrom('keep', 'keep', 'keep', 'remove', 'undone'),
  id: fc.constantFrom('a', 'é', '12 x', '_'),
  title: written,
  tags: texts,
});

describe.each(places)('an index of words in %s', (_, place, runs) => {
  it('finds what `matches` holds of, whatever is done to the rows, and undone', async () => {
    const store = await (await place()).open(indexed);
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { maxLength: 8 }),
        fc.array(written, { minLength: 4 }),
        async (acts, qs) => {
          await done(store, (tx) => tx.removeEvery('Note'));
          const notes = new Map<string, Note>();
          for (const { verb, ...one } of acts) {
            const run = (tx: Transaction): void => {
              if (verb === 'remove') tx.remove('Note', [one.id]);
              else if (notes.has(one.id)) tx.update('Note', kept(one));
              else tx.insert('Note', kept(one));
              if (verb === 'undone') throw new Error('undone');
            };
            await done(store, run).catch(() => undefined);
            if (verb === 'remove') notes.delete(one.id);
            if (verb === 'keep') notes.set(one.id, one);
          }
          for (const q of [...qs, 'a', 'é 1', ' - ', null])
            expect([q, await found(store, all, q)]).toEqual([q, meant([...notes.values()], q)]);
        },
      ),
      { numRuns: runs, seed: 20_261_123 },
    );
  });

  it('finds a row whose words are too many for an index, and more words than are looked up', async () => {
    const store = await (await place()).open(indexed);
    const many = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ');
    await done(store, (tx) => tx.insert('Note', kept({ id: '1', title: many, tags: ['last'] })));
    await done(store, (tx) => tx.insert('Note', kept({ id: '2', title: 'w w1 w2 last' })));
    expect(await found(store, all, 'w59999 last')).toEqual(['1']);
    expect(await found(store, all, 'w2 last')).toEqual(['1', '2']);
    expect(await found(store, all, many.slice(0, 500))).toEqual(['1']);
  });

  it('leaves to others what they are: what stands before, and what may fail after', async () => {
    const store = await (await place()).open(indexed);
    for (const one of [
      { id: '1', title: 'ab', n: 1 },
      { id: '2', title: 'ab', n: 0 },
      { id: '3', title: 'c', n: 0 },
      { id: '4', tags: [1], n: -1 },
    ])
      await done(store, (tx) => tx.insert('Note', kept(one)));
    expect(await found(store, all, 'a')).toEqual('none');
    expect(await found(store, from, 'a', 0)).toEqual(['1', '2']);
    expect(await found(store, from, 'a', 1)).toEqual(['1']);
    await done(store, (tx) => tx.remove('Note', ['4']));
    expect(await store.read((reads) => reads.value(counted, ['a']))).toBe(2);
    expect(await found(store, divided, 'a', 1)).toEqual('none');
    await done(store, (tx) => tx.remove('Note', ['2']));
    // Nobody divides by the 0 of a row that lacks the word.
    expect(await found(store, divided, 'a', 1)).toEqual(['1']);
  });

  it('is made of the rows that are there where it is new, and goes where it is asked for no more', async () => {
    const { open, indexes } = await place();
    const first = await open(note());
    await done(first, (tx) => tx.insert('Note', kept({ id: '1', title: 'one', tags: ['two'] })));
    expect([await found(first, all, 'tw'), await indexes()]).toEqual([['1'], 0]);
    await first.close();
    const second = await open(indexed);
    expect([await found(second, all, 'tw'), await indexes()]).toEqual([['1'], 1]);
    await second.close();
    const third = await open(note(fields, fields.slice(1)));
    await done(third, (tx) => tx.update('Note', kept({ id: '1', title: 'one' })));
    expect([await found(third, all, 'tw'), await found(third, all, 'on'), await indexes()]).toEqual([
      [],
      ['1'],
      2,
    ]);
    await third.close();
    await (await open(note())).close();
    expect(await indexes()).toBe(0);
  });
});

describe('an index of words', () => {
  it('serves', async () => {
    const data = dataFile();
    const store = opened([indexed], data);
    const { reads } = await statementsOf(() => found(store, all, 'a'));
    expect(reads.flatMap((sql) => scansOf(planOf(data, sql)))).toEqual([]);
    expect(reads).toEqual([expect.stringContaining('place IN (SELECT rowid FROM "_note words ')]);
  });
});
