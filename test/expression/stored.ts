import Database from 'better-sqlite3';
import { type Scope, typeOf } from '../../src/expression/check.ts';
import type { Frame } from '../../src/expression/compile.ts';
import { compile } from '../../src/expression/compile.ts';
import type { Syntax } from '../../src/expression/expression.ts';
import type { Query, Table } from '../../src/expression/query.ts';
import type { Model, ModelField } from '../../src/expression/query-operand.ts';
import {
  any,
  bool,
  integer,
  list,
  number,
  object,
  type Type,
  textType,
  timestamp,
} from '../../src/expression/type.ts';
import { equal, type Item } from '../../src/expression/values.ts';
import { layOutElements } from '../../src/service/store/sqlite/elements.ts';
import { addFunctions } from '../../src/service/store/sqlite/functions.ts';
import { makeTable } from '../../src/service/store/sqlite/layout.ts';
import { tableOf } from '../../src/service/store/sqlite/open.ts';
import { statements } from '../../src/service/store/sqlite/statements.ts';
import type { MemberColumn, Table as StoredTable } from '../../src/service/store/table.ts';
import { parse, scope as plain } from './scope.ts';

/** Two resources whose items are kept in memory twice: as items for expressions, and as rows for SQLite. */

export type Members = Readonly<Record<string, unknown>>;

export interface Kept {
  readonly Author: readonly Members[];
  readonly Note: readonly Members[];
}

export type Resource = keyof Kept;

export const tables: Readonly<Record<Resource, Table>> = {
  Author: { name: 'Author', keyFields: ['id'], unique: ['name'] },
  Note: { name: 'Note', keyFields: ['id'] },
};

const author: Type = { kind: 'item', resource: 'Author' };

const types: Readonly<Record<Resource, Readonly<Record<string, Type>>>> = {
  Author: {
    id: textType,
    name: textType,
    rank: integer,
    any,
    born: timestamp,
    boss: author,
    louder: textType,
  },
  Note: {
    id: integer,
    title: textType,
    n: integer,
    x: number,
    done: bool,
    at: timestamp,
    tags: list(textType),
    lines: list(
      object(
        [
          ['sku', textType],
          ['n', integer],
          ['tags', list(textType)],
        ],
        true,
      ),
    ),
    any,
    place: object([['city', textType]]),
    author,
    editor: author,
    twice: any,
    chief: author,
  },
};

const derived: Readonly<Record<string, Syntax>> = Object.fromEntries(
  Object.entries({
    'Author.louder': 'lower(this.name) + "!"',
    'Note.twice': 'this.any + this.n',
    'Note.chief': 'this.author.boss',
  }).map(([name, text]) => [name, parse(text).syntax]),
);

/** `editor` refers by the name, which is unique. */
const refers: Readonly<Record<string, string>> = {
  'Author.boss': 'id',
  'Note.author': 'id',
  'Note.editor': 'name',
};

export const model: Model = {
  table: (name) => tables[name as Resource],
  field: (resource, name): ModelField | undefined => {
    const type = types[resource as Resource]?.[name];
    const by = refers[`${resource}.${name}`];
    return (
      type && {
        type,
        refers: by === undefined ? null : { resource: 'Author', by: [by] },
        derived: derived[`${resource}.${name}`] ?? null,
      }
    );
  },
};

export const scope: Scope = {
  ...plain,
  names: new Map<string, Type>([
    ['this', { kind: 'item', resource: 'Note' }],
    ['now', timestamp],
    ['actor', any],
    [
      'request',
      object([
        [
          'query',
          object([
            ['q', textType],
            ['n', integer],
            ['at', timestamp],
            ['any', any],
            ['tags', list(textType)],
            ['times', list(timestamp)],
            ['rows', list(object([['name', textType]], true))],
          ]),
        ],
      ]),
    ],
  ]),
  isResource: (name) => name in tables,
  membersOf: (name) => new Map(Object.entries(types[name as Resource])),
};

for (const [name, syntax] of Object.entries(derived)) {
  const resource = name.split('.')[0] as Resource;
  const names = new Map<string, Type>([['this', { kind: 'item', resource }]]);
  typeOf(syntax, { ...scope, names }, () => undefined);
}

/** An item of these members; a reference is looked for among what is kept. */
export function itemOf(kept: Kept, resource: Resource, members: Members): Item {
  const self: Item = {
    resource,
    by: 'id',
    key: members['id'],
    same: (other) => isSame(self, other),
    member: (name) => {
      const found = derived[`${resource}.${name}`];
      if (found) return run(found)({ names: { this: self }, makers });
      const value = members[name] ?? null;
      const by = refers[`${resource}.${name}`];
      return by === undefined || value === null ? value : reference(kept, by, value);
    },
    has: (name) => Object.hasOwn(members, name),
  };
  return self;
}

function reference(kept: Kept, by: string, key: unknown): Item {
  const found = kept.Author.find((one) => one[by] === key);
  const target = found && itemOf(kept, 'Author', found);
  const self: Item = {
    resource: 'Author',
    by,
    key,
    same: (other) => isSame(self, other),
    member: (name) => (name === by ? key : (target?.member(name) ?? null)),
    has: (name) => target?.has(name) ?? false,
  };
  return self;
}

function isSame(one: Item, other: Item): boolean {
  if (one.resource !== other.resource) return false;
  if (one.by === other.by) return equal(one.key, other.key);
  return other.member('id') !== null && equal(one.member('id'), other.member('id'));
}

const makers = { uuid: () => '', random: () => '' };
const compiled = new Map<Syntax, ReturnType<typeof run>>();

function run(syntax: Syntax): (frame: Frame) => unknown {
  const found = compiled.get(syntax) ?? compile({ text: '', syntax }, () => undefined);
  compiled.set(syntax, found);
  return found;
}

const searched: Readonly<Record<Resource, StoredTable>> = {
  Author: { ...tables.Author, columns: [{ path: ['rank'], type: 'number' }, ...columns('name', 'text')] },
  Note: {
    ...tables.Note,
    indexes: ['tags', 'any'].map((field) => ({ fields: [{ path: [field] }], unique: false, each: true })),
    columns: [
      ...columns('title', 'text'),
      ...columns('n', 'number'),
      ...columns('done', 'boolean'),
      ...columns('at', 'time'),
      ...columns('author', 'text'),
      { path: ['place', 'city'], type: 'text' },
    ],
  },
};

/** A member that is kept in a column of its own besides. */
function columns(name: string, type: MemberColumn['type']): MemberColumn[] {
  return [{ path: [name], type }];
}

/** A database of SQLite's with the same rows, for as long as it is used. */
export function database(kept: Kept): Database.Database {
  const connection = new Database(':memory:');
  addFunctions(connection);
  for (const table of Object.values(searched)) {
    const { name } = table;
    makeTable(connection, table);
    const insert = connection.prepare(`INSERT INTO "${tableOf(name)}" (key0, members) VALUES (?, ?)`);
    layOutElements(connection, table);
    for (const { id, ...others } of kept[name as Resource]) insert.run(id, JSON.stringify(others));
  }
  return connection;
}

/** What a query gives: its one value, or its rows as they were kept. */
export function answer(connection: Database.Database, query: Query, parameters: readonly unknown[]): unknown {
  const { rows, value } = statements(connection, Object.values(searched));
  if (query.gives !== 'rows') return value({ query }, parameters);
  return rows({ query }, parameters).map(({ key: [id], text }) => ({ id, ...(JSON.parse(text) as Members) }));
}
