import { createHash } from 'node:crypto';
import type { Node } from '../../expression/query.ts';
import { type WordField, type WordSearch, wordSearchOf } from '../../expression/query-words.ts';
import type { Table } from './table.ts';

/**
 * An index of the words of rows, by which `matches` finds them (language §G.4). It holds the words of some fields of each
 * row, or `unindexed`. It is kept in the transaction that changes a row, whoever writes it.
 */
export interface Words {
  /** The table of the rows. */
  readonly of: string;
  readonly name: string;
  readonly fields: readonly WordField[];
}

/** To be raised where words are split otherwise, so that every index is made anew. */
const splitting = 1;

/**
 * Those of a table. What words are hangs on the version of Unicode, so that an index has another name for another.
 *
 * @param printed how what it holds is printed
 * @param nameOf what one is called, by what tells it from others
 */
export function wordsIn(
  { name, indexes = [] }: Table,
  printed: (fields: readonly WordField[]) => string,
  nameOf: (digest: string) => string,
): readonly Words[] {
  return indexes.flatMap(({ words, fields }) => {
    if (!words) return [];
    const all = fields.map(({ path, type = 'text' }) => ({ path, type }));
    const digest = createHash('sha256').update(
      [name, splitting, process.versions.unicode, printed(all)].join(' '),
    );
    return [{ of: name, name: nameOf(digest.digest('hex').slice(0, 16)), fields: all }];
  });
}

/** A condition that looks for words, and the index by which rows are found. */
interface Sought extends WordSearch {
  readonly by: Words;
}

/** Null where a condition is another, or there is no such index. */
export function soughtBy(all: readonly Words[], node: Node): Sought | null {
  const search = all.length > 0 ? wordSearchOf(node) : null;
  if (search === null) return null;
  const fields = JSON.stringify(search.fields);
  const by = all.find((one) => one.of === search.of.table.name && JSON.stringify(one.fields) === fields);
  return by ? { ...search, by } : null;
}
