import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { add, divide, divideWhole, multiply, remainder } from '../../src/expression/arithmetic.ts';
import { fold } from '../../src/expression/fold.ts';
import {
  and,
  compare,
  field,
  literal,
  matchesCaseless,
  type Node,
  parameter,
  place,
  type Query,
  query,
  rowOf,
} from '../../src/expression/query.ts';
import { instant, span } from '../../src/expression/time.ts';
import { foldName, lowerName } from '../../src/service/store/postgres/functions.ts';
import { columnOf, isNullable, print } from '../../src/service/store/postgres/printing/sql.ts';
import { decodedText, encodedText, failureOf } from '../../src/service/store/postgres/values.ts';
import type { IndexField, Row } from '../../src/service/store/store.ts';
import { kinds, type Postgres, postgres } from './postgres.ts';
import { tables } from './stored.ts';

const found = await postgres();
const missing = typeof found === 'string' ? found : null;
const store = found as Postgres;
afterAll(async () => {
  if (missing === null) await store.close();
});

const note = rowOf(tables.Note);
const author = rowOf(tables.Author);

/** How PostgreSQL would go about a query: what each step is, and by what it finds. */
async function plan(asked: Query, parameters: readonly unknown[]): Promise<string> {
  const { sql, bound } = print(asked, kinds).ask(parameters);
  return (await store.run(`EXPLAIN ${sql}`, bound)).map(([line]) => line).join('\n');
}

describe.skipIf(missing !== null)(`a store in PostgreSQL${missing === null ? '' : ` (${missing})`}`, () => {
  describe('finds by an index, so that the cost does not grow with the rows', () => {
    const index = async (columns: readonly IndexField[], unique = false): Promise<void> => {
      const text = columns.map((one) => {
        const nulls = isNullable(tables.Note, one, kinds('Note')) ? ' NULLS FIRST' : '';
        return `${columnOf(tables.Note, one, kinds('Note'))}${nulls}`;
      });
      const all = [...text, ...(unique ? [] : ['place'])].join(', ');
      await store.run(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX tried ON "Note" (${all})`);
    };
    const fill = async (): Promise<void> => {
      await store.keep({ Author: [], Note: [] });
      await store.run(`INSERT INTO "Note" (key0, members) SELECT n, json_build_object(
        'title', 'T' || n, 'n', n, 'at', '2026-01-01T00:00:00Z', 'any', n, 'done', n % 2 = 0)::text
        FROM generate_series(1, 3000) AS n`);
      await store.run('ANALYZE "Note"');
    };
    afterEach(async () => {
      await store.run('DROP INDEX IF EXISTS tried');
    });

    const title = field(note, 'title', 'text');
    const n = field(note, 'n', 'number');
    it.each<[string, IndexField[], Node, unknown[]]>([
      ['a text', [{ path: ['title'] }], compare('==', title, parameter(0)), ['T7']],
      ['a number', [{ path: ['n'], type: 'number' }], compare('==', n, parameter(0)), [7]],
      ['numbers below', [{ path: ['n'], type: 'number' }], compare('<', n, literal(7)), []],
      [
        'a text without case',
        [{ path: ['title'], caseless: true }],
        matchesCaseless(title, parameter(0)),
        ['t7'],
      ],
      [
        'a time',
        [{ path: ['at'], time: true }],
        compare('<', field(note, 'at', 'time'), parameter(0, 'time')),
        ['2025-01-01T01:00:00+01:00'],
      ],
      [
        'any value',
        [{ path: ['any'], type: 'unknown' }],
        compare('==', field(note, 'any'), parameter(0)),
        [7],
      ],
      [
        'any value beyond another',
        [{ path: ['any'], type: 'unknown' }],
        compare('<', field(note, 'any'), parameter(0)),
        [7],
      ],
      ['what is not there', [{ path: ['title'] }], compare('==', title, parameter(0)), [null]],
      ['the key', [], compare('==', field(note, 'id', 'number'), parameter(0)), [7]],
      ['a place', [], compare('<', place(note), parameter(0, 'number')), [-5]],
    ])('%s', async (_, columns, where, parameters) => {
      await fill();
      if (columns.length > 0) await index(columns);
      const shown = await plan(query(note, { where }), parameters);
      expect(shown).toMatch(/Index (Scan|Cond)/);
      expect(shown).not.toContain('Seq Scan');
    });

    it('what is put in order by a field that may be missing, in both directions', async () => {
      await fill();
      await index([{ path: ['n'], type: 'number' }]);
      for (const descending of [false, true]) {
        const order = [n, place(note)].map((by) => ({ by, descending }));
        const shown = await plan(query(note, { order, limit: literal(10) }), []);
        expect(shown).toContain('Index Scan');
        expect(shown).not.toContain('Sort');
      }
    });

    it('for each row that asks for it', async () => {
      await fill();
      await index([{ path: ['author'] }]);
      const inner = {
        ...query(note),
        where: compare('matches', field(note, 'author', 'text'), field(author, 'id')),
      };
      const where: Node = { kind: 'query', query: { ...inner, gives: { kind: 'exists' } } };
      await store.run(`INSERT INTO "Author" (key0, members) VALUES ('a', '{}')`);
      expect(await plan(query(author, { where }), [])).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
    });
  });

  describe('keeps every text', () => {
    const texts = ['\0', '\u0001', '\u0001\0', '\u0002\u0003', 'a\0b', '\\u0000', '\\\0', '\\\\u0001', 'x'];
    it.each(texts)('%j', async (text) => {
      await store.keep({
        Author: [{ id: text, name: text, any: { [text]: [text] } }],
        Note: [],
      });
      const one = compare('==', field(author, 'id', 'text'), parameter(0));
      const [row] = (await store.answer(query(author, { where: one }), [text])) as Row[];
      expect(row?.key).toEqual([text]);
      expect(JSON.parse(row?.text ?? '')).toEqual({ name: text, any: { [text]: [text] } });
      const where = and(
        compare('==', field(author, 'name', 'text'), parameter(0)),
        compare('==', field(author, ['any', text]), parameter(1)),
      );
      for (const name of ['name', 'any'])
        expect(
          await store.answer(
            query(author, {
              where,
              gives: { kind: 'value', of: field(author, name, name === 'name' ? 'text' : 'unknown') },
            }),
            [text, [text]],
          ),
        ).toEqual(name === 'name' ? text : { [text]: [text] });
    });

    it('in their order, and as parts of one another', () => {
      const all = [
        '',
        '\0',
        '\0a',
        '\u0001',
        '\u0001\u0002',
        '\u0002',
        '\u0002\u0001',
        '\u0003',
        '\u0003\u0003',
        '\u0004',
        'a',
      ];
      for (const a of all)
        for (const b of all) {
          const [x, y] = [encodedText(a), encodedText(b)];
          expect([x < y, x.includes(y), x.endsWith(y), decodedText(x)]).toEqual([
            a < b,
            a.includes(b),
            a.endsWith(b),
            a,
          ]);
        }
    });
  });

  const one = async (call: string, value: unknown): Promise<unknown> =>
    (await store.run(`SELECT ${call}`, [value]))[0]?.[0];

  it('folds and lowers each character as expressions do', async () => {
    const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(
      (code) => code > 3 && (code < 0xd800 || code > 0xdfff),
    );
    const cased = codes
      .map((code) => String.fromCodePoint(code))
      .filter((one) => /[\p{CWCF}\p{CWL}\p{CWU}]/u.test(one));
    const text = cased.join(' ');
    expect(await one(`${foldName}($1::text)`, text)).toBe(fold(text));
    expect(await one(`${lowerName}($1)`, text)).toBe(text.toLowerCase());
  });

  it.each(['ΟΔΟΣ', 'ΟΔΟΣ ΣΑΣ', 'Σ', 'ΑΣ.', 'ΑΣ.Α', "ΑΣ'Σ", 'ʰΣ', 'Α\u0301Σ\u0301', 'İ', 'ẞΣ', 'ΣΣΣ'])(
    'lowers %j as expressions do',
    async (text) => {
      expect(await one(`${lowerName}($1)`, text)).toBe(text.toLowerCase());
    },
  );

  it.each([
    ...[
      '2026-01-01T00:00:00Z',
      '2026-01-01t00:00:00.120z',
      '2026-01-01T00:00:00.Z',
      '0000-01-01T00:00:00+01:00',
    ],
    ...[`2026-01-01T00:00:00.${'0'.repeat(9999)}1Z`, `2026-01-01T00:00:00.1${'0'.repeat(9999)}Z`],
    ...['9999-12-31T23:59:60Z', '2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z', '1900-02-29T12:00:00-23:59'],
    ...[
      '2000-02-29T12:00:00.5-00:01',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
    ],
    ...['2026-01-01T24:00:00Z', '2026-01-01T00:00:00+24:00', '1969-12-31T23:59:59.999999999Z', 'a', ''],
  ])('takes %j for the instant that expressions do', async (text) => {
    expect(await one('tacet_instant($1::text)', text)).toBe(instant(text));
  });

  it.each([
    ...[
      'PT1H',
      '-P1DT2H',
      'P1W2D',
      'PT0.5S',
      'PT0.1234567S',
      'P',
      'PT',
      'P1M',
      'P1Y',
      '1h30m',
      '-1.5h',
      `PT0${'0'.repeat(95)}1S`,
      `PT0${'0'.repeat(96)}1S`,
      '0',
      '-0',
    ],
    ...['1.0000001ms', '-999ns', '1us', '1µs', '1m1', '5', 'h', '', '1.h'],
  ])('takes %j for the length that expressions do', async (text) => {
    const found = await one('tacet_span($1::text)', text);
    expect(found === 0 ? 0 : found).toBe(span(text) === 0 ? 0 : span(text));
  });
});

it.skipIf(missing !== null)('numbers come to what expressions make of them, to the last bit', async () => {
  const numbers = [
    ...[
      0,
      1,
      -1,
      0.1,
      0.3,
      2.5,
      -7,
      3,
      1e-300,
      -1e-300,
      5e-324,
      1.5e-323,
      2 ** -537,
      2 ** -538,
      1e308,
      1.7e308,
    ],
    ...[2 ** 53, 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 60, 1e21, Number.MIN_VALUE * 3, 2.2250738585072014e-308],
  ];
  const run: Readonly<Record<string, (a: number, b: number) => unknown>> = {
    tacet_add: attempt(add),
    tacet_multiply: attempt(multiply),
    tacet_divide: attempt(divide),
    tacet_divide_whole: attempt(divideWhole),
    tacet_remainder: attempt(remainder),
  };
  const wrong: unknown[] = [];
  for (const [name, of] of Object.entries(run))
    for (const a of numbers)
      for (const b of numbers) {
        const found = await store
          .run(`SELECT ${name}($1, $2)`, [a, b])
          .then(([row]) => row?.[0])
          .catch((error: unknown) => (failureOf(error) ? 'none' : error));
        if ((found === 0 ? 0 : found) !== of(a, b)) wrong.push([name, a, b, found, of(a, b)]);
      }
  expect(wrong).toEqual([]);
});

function attempt(run: (a: unknown, b: unknown) => unknown): (a: number, b: number) => unknown {
  return (a, b) => {
    try {
      const found = run(a, b);
      return found === 0 ? 0 : found;
    } catch {
      return 'none';
    }
  };
}
