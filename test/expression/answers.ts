import { expect } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile, type Frame } from '../../src/expression/compile.ts';
import type { Syntax } from '../../src/expression/expression.ts';
import { compare, field, literal, type Query, query, rowOf } from '../../src/expression/query.ts';
import type { Model } from '../../src/expression/query-operand.ts';
import { translator } from '../../src/expression/query-syntax.ts';
import { CannotWorkOut } from '../../src/expression/values.ts';
import { attempt } from '../../src/service/list/sets.ts';
import type { Postgres } from './postgres.ts';
import { parse } from './scope.ts';
import { answer, database, itemOf, type Kept, type Members, model, scope, tables } from './stored.ts';

/** What notes come to by an expression: worked out from items, and asked of each store. */

export const makers = { uuid: () => '', random: () => '' };
export const isResource = (name: string): boolean => name in tables;

/** What comes of something; `none`: it cannot be worked out. */
export function outcome(run: () => unknown): unknown {
  try {
    return unsigned(run()) ?? null;
  } catch (error) {
    if (error instanceof CannotWorkOut) return 'none';
    throw error;
  }
}

/** JSON has no -0. */
function unsigned(value: unknown): unknown {
  return value === 0 ? 0 : value;
}

export async function outcomeLater(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return unsigned(await run()) ?? null;
  } catch (error) {
    if (error instanceof CannotWorkOut) return 'none';
    throw error;
  }
}

/** The frame in which an expression about a note is worked out from items alone. */
export function frameOf(of: Kept, note: Members | null, more: Members): Frame {
  const { actor } = more as { readonly actor: unknown };
  const author = of.Author.find(({ id }) => id === (actor as Members | null)?.['id']);
  return {
    names: {
      ...more,
      this: note && itemOf(of, 'Note', note),
      actor: author ? itemOf(of, 'Author', author) : typeof actor === 'object' ? null : actor,
      Author: of.Author.map((one) => itemOf(of, 'Author', one)),
      Note: of.Note.map((one) => itemOf(of, 'Note', one)),
    },
    makers,
  };
}

export function typed(text: string): Syntax | null {
  const { syntax } = parse(text);
  const faults: string[] = [];
  typeOf(syntax, scope, ({ message }) => faults.push(message));
  return faults.length > 0 ? null : syntax;
}

/** What a store is asked of a note by its id, or of all for which it is true, and what is handed over with it. */
interface Question {
  readonly of: (id: unknown) => Query;
  readonly all: Query;
  readonly given: (frame: Frame) => unknown[];
}

export function question(of: Model, syntax: Syntax): Question {
  const { node, parameters } = translator(of, (one, mayFail) => {
    const step = compile({ text: '', syntax: one }, () => undefined);
    return mayFail ? attempt((frame) => step(frame)) : (frame: Frame) => step(frame);
  });
  const from = rowOf(tables.Note);
  const value = node(syntax, new Map([['this', { resource: 'Note', from }]]));
  return {
    of: (id) => {
      const where = compare('==', field(from, 'id', 'number'), literal(id as number));
      return query(from, { where, gives: { kind: 'value', of: value } });
    },
    all: query(from, { where: value }),
    given: (frame) => parameters.map((one) => one(frame, [])),
  };
}

function asked(syntax: Syntax, of: Kept, more: Members): { query: Query; given: () => unknown[] }[] {
  const { of: about, given } = question(model, syntax);
  const frame = frameOf(of, null, more);
  return of.Note.map((note) => ({ query: about(note['id']), given: () => given(frame) }));
}

/** As SQLite works it out. */
export function stored(syntax: Syntax, of: Kept, more: Members): unknown[] {
  const connection = database(of);
  try {
    return asked(syntax, of, more).map(({ query, given }) =>
      outcome(() => answer(connection, query, given())),
    );
  } finally {
    connection.close();
  }
}

/** The identifiers of the notes that are found by a condition, in the order in which they were made. */
export function foundBy(syntax: Syntax, of: Kept, more: Members): unknown {
  const connection = database(of);
  const { all, given } = question(model, syntax);
  try {
    return outcome(() => idsOf(answer(connection, all, given(frameOf(of, null, more)))));
  } finally {
    connection.close();
  }
}

/** As PostgreSQL finds them, which keeps the same rows. */
export async function foundIn(store: Postgres, syntax: Syntax, of: Kept, more: Members): Promise<unknown> {
  const { all, given } = question(model, syntax);
  return outcomeLater(async () => idsOf(await store.answer(all, given(frameOf(of, null, more)))));
}

/** Of rows, or of their members. */
function idsOf(rows: unknown): unknown {
  return (rows as readonly Members[]).map(({ id, key = [id] }) => (key as readonly unknown[])[0]);
}

/** As PostgreSQL works it out, which keeps the same rows. */
export async function storedIn(store: Postgres, syntax: Syntax, of: Kept, more: Members): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { query, given } of asked(syntax, of, more))
    found.push(await outcomeLater(async () => await store.answer(query, given())));
  return found;
}

/** The same, worked out from items. */
export function ran(syntax: Syntax, of: Kept, more: Members): unknown[] {
  const run = compile({ text: '', syntax }, () => undefined);
  return of.Note.map((note) => outcome(() => run(frameOf(of, note, more))));
}

/** What cannot be worked out beforehand may be told also where there is no row for which it is needed. */
export function expectAlike(found: unknown[], expected: unknown[], { Author }: Kept): void {
  const isEager = (one: unknown): boolean => one === 'none' && Author.length === 0;
  expect(found).toEqual(expected.map((one, index) => (isEager(found[index]) ? 'none' : one)));
}
