import { keyIndex, type Node } from '../../expression/query.ts';
import type { MemberColumn } from '../store/store.ts';
import type { Narrowed } from './indexes.ts';

/** The members that tables keep in columns of their own, by the table's name. */
export type Columns = ReadonlyMap<string, readonly MemberColumn[]>;

/** What the statements of lists read of rows: what these are narrowed and put in order by, and by what others are found. */
export function columnsOf(lists: readonly Narrowed[]): Columns {
  const found = new Map<string, Map<string, MemberColumn>>();
  const visit = (tree: unknown): void => {
    if (typeof tree !== 'object' || tree === null) return;
    if (isField(tree) && 'table' in tree.of && tree.type !== 'unknown') {
      const { of, path, type } = tree;
      const { name } = of.table;
      const own = found.get(name) ?? new Map<string, MemberColumn>();
      if (keyIndex(of, path) === -1) found.set(name, own.set(JSON.stringify([path, type]), { path, type }));
      return;
    }
    for (const inner of tree instanceof Map ? tree.values() : Object.values(tree)) visit(inner);
  };
  for (const { always, filters, order, sorts, besides } of lists)
    visit([always, filters, order, sorts, besides]);
  return new Map([...found].map(([name, own]) => [name, [...own.values()]]));
}

function isField(tree: object): tree is Node & { readonly kind: 'field' } {
  return 'kind' in tree && tree.kind === 'field';
}
