import { createHash } from 'node:crypto';
import type { Node, Path, Source, ValueKind } from '../../../../expression/query.ts';
import type { KeptText } from '../../rows.ts';
import { ownIndexes, searchedBy, type Table } from '../../table.ts';
import { keptOf } from './texts.ts';

/**
 * Columns in which a table keeps what its indexes are of: an index of plain columns tells by itself which rows a page
 * has, and nothing is worked out for a row that is passed over. So too what of rows is written as it is kept.
 */
export interface Stored {
  readonly name: string;
  /** How it is declared. */
  readonly type: string;
  /** What it is of the row. */
  readonly made: string;
}

/** The names of the columns of a table, by what they hold. */
export type StoredNames = ReadonlyMap<string, string>;

const types: Readonly<Partial<Record<ValueKind, string>>> = {
  text: 'text COLLATE "C"',
  time: 'text COLLATE "C"',
  number: 'double precision',
  boolean: 'boolean',
};

const functions = ['fold', 'instant'];

/** What tells a node that a column may hold from others: a member of a row, or what such a function makes of it. */
function nameOf(path: Path, type: ValueKind, by: string): string {
  return JSON.stringify([by, type, path]);
}

/** What tells what of a row is written as it is kept from all else that a column may hold. */
export function keptName({ shows, leaves }: KeptText): string {
  return JSON.stringify(['kept', shows, leaves]);
}

/** The column that holds what a node reads of a row; undefined where none does. */
export function storedAs(node: Node, of: (source: Source) => StoredNames): string | undefined {
  if (node.kind === 'field') return of(node.of).get(nameOf(node.path, node.type, ''));
  if (node.kind !== 'call' || !functions.includes(node.name)) return undefined;
  const [only, second] = node.args;
  if (only?.kind !== 'field' || second !== undefined) return undefined;
  return of(only.of).get(nameOf(only.path, only.type, node.name));
}

/** @param print prints what is read of a row of the table, whose columns have no name before them */
export function storedOf(
  table: Pick<Table, 'keyFields' | 'indexes' | 'texts'>,
  print: (of: Source, node: Node) => string,
): ReadonlyMap<string, Stored> {
  const found = new Map<string, Stored>();
  const of = { table: { name: '', keyFields: table.keyFields } };
  for (const { fields } of ownIndexes({ name: '', ...table }))
    for (const one of fields) {
      const node = searchedBy(of, one);
      const type = types[one.time ? 'time' : (one.type ?? 'text')];
      const [only] = node.kind === 'call' ? node.args : [node];
      const [name = '', inner] = one.path;
      const isKey = inner === undefined && table.keyFields.includes(String(name));
      if (type === undefined || only?.kind !== 'field' || isKey) continue;
      const made = print(of, node);
      const by = node.kind === 'call' ? node.name : '';
      found.set(nameOf(only.path, only.type, by), columnOf(type, made));
    }
  for (const kept of table.texts ?? [])
    if (kept.shows !== null || kept.leaves.length > 0)
      found.set(keptName(kept), columnOf('text', keptOf('members', kept)));
  return found;
}

/** A column is named by what it is made of, so that one that is made otherwise is another. */
function columnOf(type: string, made: string): Stored {
  const digest = createHash('sha256').update(`${type} ${made}`).digest('hex').slice(0, 12);
  return { name: `m_${digest}`, type, made };
}
