import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  and,
  asked,
  call,
  compare,
  field,
  literal,
  matchesCaseless,
  type Node,
  or,
  orderable,
  parameter,
  place,
  type Query,
  query,
  rowOf,
} from '../../../src/expression/query.ts';
import { CannotWorkOut, type Item } from '../../../src/expression/values.ts';
import { addFunctions } from '../../../src/service/store/sqlite/functions.ts';
import { tableOf } from '../../../src/service/store/sqlite/open.ts';
import { columnOf, print } from '../../../src/service/store/sqlite/sql.ts';

const parcels = { name: 'Parcel', keyFields: ['id'] };
const scans = { name: 'Scan', keyFields: ['hub', 'number'] };

type Members = Readonly<Record<string, unknown>>;

/** A database with these rows, each its key and its other members. */
function kept(rows: Readonly<Record<string, readonly (readonly [readonly unknown[], Members])[]>>) {
  const connection = new Database(':memory:');
  addFunctions(connection);
  for (const { name, keyFields } of [parcels, scans]) {
    const keys = keyFields.map((_, index) => `key${index} ANY NOT NULL`).join(', ');
    connection.exec(
      `CREATE TABLE "${tableOf(name)}" (place INTEGER PRIMARY KEY, ${keys}, members TEXT NOT NULL) STRICT`,
    );
    const marks = keyFields.map(() => '?').join(', ');
    const insert = connection.prepare(`INSERT INTO "${tableOf(name)}" VALUES (NULL, ${marks}, ?)`);
    for (const [key, members] of rows[name] ?? []) insert.run(...key, JSON.stringify(members));
  }
  return {
    connection,
    index: (table: typeof parcels, column: Parameters<typeof columnOf>[1]) =>
      connection.exec(`CREATE INDEX found ON "${tableOf(table.name)}" (${columnOf(table, column)})`),
    plan: (asked: Query) =>
      (
        connection.prepare(`EXPLAIN QUERY PLAN ${print(asked).sql}`).all(
          ...print(asked)
            .bind([])
            .map(() => null),
        ) as { readonly detail: string }[]
      )
        .map(({ detail }) => detail)
        .join('; '),
    keys: (asked: Query, ...parameters: readonly unknown[]) =>
      (
        connection
          .prepare(print(asked).sql)
          .raw()
          .all(...print(asked).bind(parameters)) as unknown[][]
      ).map((columns) => columns.slice(1, -1).join('/')),
    value: (asked: Query, ...parameters: readonly unknown[]) => {
      const { sql, bind, value } = print(asked);
      return value(
        connection
          .prepare(sql)
          .pluck()
          .get(...bind(parameters)) ?? null,
      );
    },
  };
}

const three = {
  Parcel: [
    [['a'], { weight: 2, name: 'Ä', done: true, at: '2026-01-01T01:00:00+01:00', 'odd "name\'s\\': 1 }],
    [['b'], { weight: 10, name: 'ä', done: 1, at: '2026-01-01T00:30:00Z', note: null }],
    [['c'], { weight: 2, name: 'z', done: 'true', at: null, 'odd "name\'s\\': 2 }],
  ],
  Scan: [
    [['x', 1], { parcel: 'a' }],
    [['x', 2], { parcel: 'a' }],
    [['y', 1], { parcel: 'b' }],
  ],
} as const;

const row = rowOf(parcels);
const weight = field(row, 'weight', 'number');
const name = field(row, 'name', 'text');
const at = field(row, 'at', 'time');
const where = (of: Node): Query => query(row, { where: of });

describe('a query as one statement', () => {
  it('gives rows in the order in which they were made, unless another is asked for', () => {
    const { keys } = kept(three);
    expect(keys(query(row))).toEqual(['a', 'b', 'c']);
    expect(keys(query(rowOf(scans)))).toEqual(['x/1', 'x/2', 'y/1']);
    const order = [
      { by: weight, descending: true },
      { by: place(row), descending: true },
    ];
    expect(keys(query(row, { order }))).toEqual(['b', 'c', 'a']);
    expect(keys(query(row, { order: [{ by: at, descending: false }] }))).toEqual(['c', 'a', 'b']);
  });

  it('gives some of them, after others', () => {
    const { keys, value } = kept(three);
    const page = { limit: parameter(0), offset: parameter(1) };
    expect(keys(query(row, page), 2, 1)).toEqual(['b', 'c']);
    expect(keys(query(row, { offset: literal(2) }))).toEqual(['c']);
    expect(value(query(row, { ...page, gives: { kind: 'count' } }), 2, 2)).toBe(1);
    expect(value(query(row, { ...page, gives: { kind: 'exists' } }), 2, 3)).toBe(false);
  });

  it('goes on after a row, by ordinary comparisons', () => {
    const { keys } = kept(three);
    const after = or(
      compare('>', weight, parameter(0)),
      and(compare('==', weight, parameter(0)), compare('>', place(row), parameter(1))),
    );
    expect(keys(where(after), 2, 1)).toEqual(['b', 'c']);
  });

  it('finds by members of any name', () => {
    const { keys } = kept(three);
    expect(keys(where(compare('==', field(row, 'odd "name\'s\\'), parameter(0))), 2)).toEqual(['c']);
    expect(keys(where(compare('==', field(row, "'; DROP TABLE x; --"), parameter(0))), null)).toEqual([
      ...'abc',
    ]);
  });

  it('tells true from 1 and from "true"', () => {
    const { keys } = kept(three);
    const done = field(row, 'done');
    const found = [true, 1, 'true'].map((value) => keys(where(compare('==', done, parameter(0))), value));
    expect(found).toEqual([['a'], ['b'], ['c']]);
    expect(keys(where(done))).toEqual(['a']);
    expect(keys(where(field(row, 'done', 'boolean')))).toEqual(['a']);
  });

  it('matches nothing by null, and null by null only where that is asked', () => {
    const { keys } = kept(three);
    expect(keys(where(compare('==', field(row, 'note'), parameter(0))), null)).toEqual(['a', 'b', 'c']);
    expect(keys(where(compare('matches', field(row, 'note'), parameter(0))), null)).toEqual([]);
  });

  it('compares texts without case, and times as instants', () => {
    const { keys } = kept(three);
    expect(keys(where(matchesCaseless(name, parameter(0))), 'ä')).toEqual(['a', 'b']);
    expect(keys(where(compare('==', at, parameter(0))), '2026-01-01T00:00:00.000Z')).toEqual(['a']);
  });

  it('gives one value, in its kind', () => {
    const { value } = kept(three);
    const one = (of: Node) =>
      query(row, {
        where: compare('==', field(row, 'id', 'text'), literal('a')),
        gives: { kind: 'value', of },
      });
    expect(value(one(name))).toBe('Ä');
    expect(value(one(field(row, 'done')))).toBe(true);
    expect(value(one(compare('<', weight, literal(3))))).toBe(true);
    expect(value(one(call('list', weight, name)))).toEqual([2, 'Ä']);
    expect(value({ ...one(name), where: literal(false) })).toBe(null);
    expect(value(query(row, { gives: { kind: 'sum', of: weight } }))).toBe(14);
    expect(value(query(row, { gives: { kind: 'max', of: at } }))).toBe('2026-01-01T00:30:00Z');
    expect(value(query(row, { gives: { kind: 'min', of: field(row, 'none') } }))).toBe(null);
    expect(value(query(row, { gives: { kind: 'none' }, where: compare('>', weight, literal(10)) }))).toBe(
      true,
    );
  });

  it('sums what is read of an outer row once for each inner one', () => {
    const { value } = kept(three);
    const inner = asked(rowOf(scans), { kind: 'sum', of: weight }, null);
    expect(value(query(row, { gives: { kind: 'max', of: inner } }))).toBe(30);
  });

  it('throws what cannot be worked out, where a row needs it', () => {
    const { keys, value } = kept(three);
    const ratio = call('divide', literal(1), call('subtract', weight, literal(2)));
    expect(() => keys(where(compare('>', ratio, literal(0))))).toThrow(CannotWorkOut);
    expect(keys(where(and(compare('>', weight, literal(2)), compare('>', ratio, literal(0)))))).toEqual([
      'b',
    ]);
    const failed = parameter(0, 'number', { mayFail: true });
    const none = and(compare('<', weight, literal(0)), compare('<', failed, weight));
    expect(keys(where(none), new CannotWorkOut('no'))).toEqual([]);
    expect(() => keys(where(compare('<', failed, weight)), new CannotWorkOut('no'))).toThrow('no');
    expect(() => keys(where(compare('<', parameter(0), weight)), new CannotWorkOut('no'))).toThrow('no');
    const most = call('add', literal(Number.MAX_SAFE_INTEGER), weight);
    expect(() => value(query(row, { gives: { kind: 'max', of: most } }))).toThrow(CannotWorkOut);
  });

  it('takes an item for its key', () => {
    const { keys } = kept(three);
    const scan = rowOf(scans);
    const item = { resource: 'Parcel', by: 'id', key: 'b', member: () => 'b', has: () => true } as Item;
    const of = (resource: string) =>
      query(scan, {
        where: compare(
          '==',
          field(scan, 'parcel'),
          parameter(0, 'unknown', { item: { resource, field: 'id', itemOnly: false } }),
        ),
      });
    expect(keys(of('Parcel'), item)).toEqual(['y/1']);
    expect(keys(of('Parcel'), 'b')).toEqual(['y/1']);
    expect(keys(of('Other'), item)).toEqual([]);
  });
});

describe('an index serves a statement that searches by its column', () => {
  it.each<[string, Parameters<typeof columnOf>[1], Node]>([
    ['equality', { path: ['weight'] }, compare('==', weight, parameter(0))],
    ['no null', { path: ['name'] }, compare('matches', name, parameter(0))],
    ['an order between numbers', { path: ['weight'] }, compare('>=', weight, parameter(0, 'number'))],
    ['an order with what is not known', { path: ['weight'] }, compare('<', weight, parameter(0))],
    ['texts without case', { path: ['name'], caseless: true }, matchesCaseless(name, parameter(0))],
    ['times', { path: ['at'], time: true }, compare('<=', at, parameter(0))],
    [
      'what is of any kind',
      { path: ['any'], type: 'unknown' },
      compare('==', field(row, 'any'), parameter(0)),
    ],
    [
      'true and false',
      { path: ['done'], type: 'boolean' },
      compare('==', field(row, 'done', 'boolean'), parameter(0)),
    ],
    ['a member within', { path: ['a', 'b'] }, compare('==', field(row, ['a', 'b'], 'text'), parameter(0))],
    [
      'one condition of several',
      { path: ['weight'] },
      and(compare('!=', name, parameter(0)), compare('==', weight, parameter(1))),
    ],
    [
      'a condition beside one that may fail',
      { path: ['weight'] },
      and(compare('==', weight, parameter(0)), call('startsWith', name, parameter(1))),
    ],
    [
      'a condition whose parameter may fail',
      { path: ['weight'] },
      compare('==', weight, parameter(0, 'number', { mayFail: true })),
    ],
  ])('%s', (_, column, of) => {
    const { index, plan } = kept(three);
    const counted: Query = { ...where(of), gives: { kind: 'count' } };
    expect(plan(counted)).not.toContain('found');
    index(parcels, column);
    expect(plan(counted)).toMatch(/SEARCH t0 USING (COVERING )?INDEX found/);
  });

  it('what refers to each row', () => {
    const { index, plan, keys } = kept(three);
    const scan = rowOf(scans);
    const refers = compare('matches', field(scan, 'parcel', 'text'), field(row, 'id', 'text'));
    const count = compare('>', asked(scan, { kind: 'count' }, refers), literal(1));
    index(scans, { path: ['parcel'] });
    expect(plan(where(count))).toContain('SEARCH t1 USING COVERING INDEX found');
    expect(keys(where(count))).toEqual(['a']);
  });

  it('an order by it', () => {
    const { index, plan } = kept(three);
    index(parcels, { path: ['at'], time: true });
    const ordered = query(row, {
      order: [
        { by: orderable(at), descending: true },
        { by: place(row), descending: true },
      ],
    });
    expect(plan(ordered)).toBe('SCAN t0 USING INDEX found');
  });
});

describe('how many rows a statement gives', () => {
  it('is no bare parameter, of which SQLite would make its plan anew at every value', () => {
    const page = query(rowOf(parcels), { limit: parameter(0, 'number'), offset: parameter(1, 'number') });
    expect(print(page).sql).toMatch(/ LIMIT \?\d* \+ 0 OFFSET \?\d* \+ 0$/);
  });
});
