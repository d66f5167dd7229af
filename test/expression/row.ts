import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import type { Syntax } from '../../src/expression/expression.ts';
import type { Model } from '../../src/expression/query-operand.ts';
import { storableFaults } from '../../src/expression/storable.ts';
import type { Type } from '../../src/expression/type.ts';
import type { Item } from '../../src/expression/values.ts';
import { makers, outcome, outcomeLater, question } from './answers.ts';
import type { Postgres } from './postgres.ts';
import { parse, scope } from './scope.ts';
import { answer, database, type Members, tables } from './stored.ts';

/** An expression over one row of `Note`, whose fields are of these types. */
export interface RowCase {
  readonly text: string;
  readonly syntax: Syntax;
  readonly note: Members;
  readonly question: ReturnType<typeof question>;
}

const isSet = (name: string): boolean => name === 'Note';

/** What is wrong with it, or beyond a store, where it is no case. */
export function rowCase(text: string, types: ReadonlyMap<string, Type>, values: Members): RowCase | string {
  const { syntax } = parse(text);
  const names = new Map<string, Type>([['this', { kind: 'item', resource: 'Note' }]]);
  const told: string[] = [];
  const within = { ...scope, names, isResource: isSet, membersOf: () => types };
  typeOf(syntax, within, ({ message }) => told.push(message));
  const [fault] = [...told, ...storableFaults(syntax, ['this'], isSet).map(({ message }) => message)];
  if (fault !== undefined) return fault;
  const model: Model = {
    table: (name) => (isSet(name) ? tables.Note : undefined),
    field: (_, name) => {
      const type = types.get(name);
      return type && { type, refers: null, derived: null };
    },
  };
  return { text, syntax, note: { id: 1, ...values }, question: question(model, syntax) };
}

/** What comes of it by a closure. */
export function ranOver({ syntax, note }: RowCase): unknown {
  const item: Item = {
    resource: 'Note',
    by: 'id',
    key: 1,
    member: (name) => note[name] ?? null,
    has: (name) => Object.hasOwn(note, name),
  };
  const run = compile({ text: '', syntax }, () => undefined);
  return outcome(() => run({ names: { this: item, Note: [item] }, makers }));
}

export function askedInSqlite({ note, question }: RowCase): unknown {
  const connection = database({ Author: [], Note: [note] });
  try {
    return outcome(() => answer(connection, question.of(1), question.given({ names: {}, makers })));
  } finally {
    connection.close();
  }
}

export async function askedInPostgres({ note, question }: RowCase, store: Postgres): Promise<unknown> {
  await store.keep({ Author: [], Note: [note] });
  return await outcomeLater(
    async () => await store.answer(question.of(1), question.given({ names: {}, makers })),
  );
}
