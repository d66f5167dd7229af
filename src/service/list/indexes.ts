import { type Besides, conjuncts, type Node, queriesIn, type Source } from '../../expression/query.ts';
import { elementOf, semijoinOf, turned } from '../../expression/query-semijoin.ts';
import { wordSearchOf } from '../../expression/query-words.ts';
import type { Index, IndexField } from '../store/store.ts';
import type { Key } from './keyset.ts';

/** The indexes by which a table is searched, by the table's name. */
export type Indexes = ReadonlyMap<string, readonly Index[]>;

/** How a list is narrowed and put in order, as far as indexes hang on it. */
export interface Narrowed {
  readonly row: Source;
  /** What holds of every item of it. */
  readonly always: readonly Node[];
  /** What holds of them where a client asks for it. */
  readonly filters: readonly Node[];
  readonly order: readonly Key[];
  /** By what a client may put it in order instead. */
  readonly sorts: readonly Node[];
  /** What is told with each row. Default: nothing. */
  readonly besides?: Besides;
}

/**
 * The indexes that serve a list: to what it is narrowed by equality comes what it is put in order by; so for each
 * filter, and for each field that a client may sort by. Other conditions are looked up by their own queries.
 */
export function indexesOf(list: Narrowed): Indexes {
  const { row, order, sorts } = list;
  const always = list.always.map((node) => turned(node, () => true));
  const filters = list.filters.map((node) => turned(node, () => true));
  const found = new Map<string, Index[]>();
  /** @param equal how many of the fields, from the first on, are known: in whatever order */
  const add = (source: Source, fields: readonly (IndexField | null)[], equal = 0): void => {
    if (!('table' in source)) return;
    const known = fields.filter((field) => field !== null).filter(isFirst);
    if (isOfKey(known, source.table.keyFields, equal)) return;
    const { name } = source.table;
    found.set(name, [...(found.get(name) ?? []), { fields: known, unique: false }]);
  };
  const addElements = (
    source: Source,
    all: readonly NarrowedBy[],
    further: readonly IndexField[] = [],
  ): void => {
    if (!('table' in source)) return;
    const { name } = source.table;
    for (const { field, by } of all)
      if (by === 'element')
        found.set(name, [
          ...(found.get(name) ?? []),
          { fields: [field, ...further], unique: false, each: true },
        ]);
  };
  const fixed = always.flatMap((node) => narrowed(node, row));
  const fixedBy = (kind: NarrowedBy['by']) => fixed.filter(({ by }) => by === kind).map(({ field }) => field);
  const [same, among, ranges] = [fixedBy('equality'), fixedBy('values'), fixedBy('range')];
  const ordered = uniform(order).map(({ by }) => fieldOf(by, row));
  add(row, [...same, ...upTo(ordered)], same.length);
  const known = upTo(ordered).filter((field) => field !== null);
  addElements(row, fixed, known);
  for (const values of among) add(row, [...same, values], same.length + 1);
  // Where there is an order, an index for it finds a page sooner than one that has to be put in order first.
  if (order.length === 0) for (const range of ranges) add(row, [...same, range]);
  for (const filter of filters) {
    addElements(row, narrowed(filter, row), known);
    for (const { field, by } of narrowed(filter, row)) {
      if (by === 'element') continue;
      const isKnown = by !== 'range';
      const next = by === 'equality' ? upTo(ordered) : [];
      add(row, [...same, field, ...next], same.length + (isKnown ? 1 : 0));
    }
  }
  for (const sort of sorts) add(row, [...same, ...upTo([fieldOf(sort, row)])], same.length);
  const addWords = (condition: Node): void => {
    for (const search of conjuncts(condition).map(wordSearchOf)) {
      if (search === null) continue;
      const { name } = search.of.table;
      found.set(name, [...(found.get(name) ?? []), { fields: search.fields, unique: false, words: true }]);
    }
  };
  for (const condition of [...always, ...filters]) addWords(condition);
  for (const query of [...always, ...filters, list.besides].flatMap(queriesIn))
    if (query.where) {
      addWords(query.where);
      // What is found before the rows at hand are, and then the value by which these are found.
      const first = semijoinOf(query)?.rest ?? [query.where];
      const own = [...first, query.where].flatMap((node) => narrowed(node, query.from));
      const known = own.filter(({ by }) => by === 'equality').map(({ field }) => field);
      add(query.from, known, known.length);
      addElements(query.from, own);
    }
  return new Map([...found].map(([name, indexes]) => [name, withoutPrefixes(indexes)]));
}

/** All indexes of several, each once. */
export function together(all: readonly Indexes[]): Indexes {
  const names = new Set(all.flatMap((one) => [...one.keys()]));
  return new Map(
    [...names].map((name) => [name, withoutPrefixes(all.flatMap((one) => one.get(name) ?? []))]),
  );
}

/** An index serves whatever a shorter one of the same beginning does. */
export function withoutPrefixes(indexes: readonly Index[]): readonly Index[] {
  // One of words serves its own fields alone.
  const all = indexes.map(({ fields, each, words }) =>
    words ? `words ${JSON.stringify(fields)}` : `${each ? 'each ' : ''}${fields.map(written).join()}`,
  );
  return indexes.filter((index, place) => {
    const own = all[place] as string;
    if (index.unique) return all.findIndex((other, at) => other === own && indexes[at]?.unique) === place;
    return !all.some((other, at) => (other === own ? at < place : other.startsWith(`${own},`)));
  });
}

/** Whether the index of the key serves: its first fields are those that are known, and then come the others. */
function isOfKey(fields: readonly IndexField[], keyFields: readonly string[], equal: number): boolean {
  const names = fields.map(({ path }) => (path.length === 1 ? path[0] : null));
  const known = keyFields.slice(0, equal);
  return (
    names.slice(0, equal).every((name) => known.includes(name as string)) &&
    names.slice(equal).every((name, index) => name === keyFields[equal + index])
  );
}

/** A field as an index has it. */
function written({ path, caseless, time, type = 'text' }: IndexField): string {
  return JSON.stringify([path, caseless === true, time ? 'time' : type]);
}

/** An index runs in one direction, forwards or backwards. */
function uniform(order: readonly Key[]): readonly Key[] {
  const end = order.findIndex(({ descending }) => descending !== order[0]?.descending);
  return end === -1 ? order : order.slice(0, end);
}

function upTo(fields: readonly (IndexField | null)[]): readonly (IndexField | null)[] {
  const end = fields.indexOf(null);
  return end === -1 ? fields : fields.slice(0, end);
}

function isFirst(field: IndexField, index: number, all: readonly IndexField[]): boolean {
  return all.findIndex((one) => JSON.stringify(one.path) === JSON.stringify(field.path)) === index;
}

interface NarrowedBy {
  readonly field: IndexField;
  /**
   * It has one value, one of several that are looked up first, or a value on one side of another; or it is a list that
   * has it among its elements.
   */
  readonly by: 'equality' | 'values' | 'range' | 'element';
}

const ranges: readonly string[] = ['<', '<=', '>', '>='];

/** The fields of a row that a condition compares with what does not hang on the row, where that has to hold. */
function narrowed(node: Node, row: Source): readonly NarrowedBy[] {
  if (node.kind === 'and') return [...narrowed(node.left, row), ...narrowed(node.right, row)];
  const element = elementOf(node);
  if (element) return element.of === row ? [{ field: { path: element.path }, by: 'element' }] : [];
  if (node.kind === 'query') {
    const field = fieldOf(semijoinOf(node.query)?.outer, row);
    return field ? [{ field, by: 'values' }] : [];
  }
  if (node.kind !== 'compare') return [];
  const by = node.op === '==' || node.op === 'matches' ? 'equality' : 'range';
  if (by === 'range' && !ranges.includes(node.op)) return [];
  const sides = [node.left, node.right].map((side) => fieldOf(side, row));
  const [left, right] = sides;
  if (left && !readsOf(node.right, row)) return [{ field: left, by }];
  if (right && !readsOf(node.left, row)) return [{ field: right, by }];
  return [];
}

/** The member of a row that a node is, in the form in which it is compared; null where it is something else. */
function fieldOf(node: Node | undefined, row: Source): IndexField | null {
  if (node?.kind === 'call') {
    const of = fieldOf(node.args[0] as Node, row);
    if (of === null || !['instant', 'span', 'fold'].includes(node.name)) return null;
    return node.name === 'fold' ? { ...of, caseless: true } : of;
  }
  if (node?.kind !== 'field' || node.of !== row) return null;
  const { path, type } = node;
  if (type === 'time') return { path, time: true };
  return type === 'text' ? { path } : { path, type };
}

function readsOf(tree: unknown, row: Source): boolean {
  if (tree === row) return true;
  return typeof tree === 'object' && tree !== null && Object.values(tree).some((one) => readsOf(one, row));
}
