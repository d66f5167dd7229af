import {
  and,
  choice,
  compare,
  literal,
  type Node,
  or,
  orderable,
  parameter,
  place,
  type Source,
  typeOfNode,
} from '../../expression/query.ts';
import type { KeyValue, Mark } from './cursor.ts';

/** What a list is put in order by. */
export interface Key {
  readonly by: Node;
  readonly descending: boolean;
}

/**
 * A value as a list is put in order by it. Lists and objects have no order, and are held equal, and equal to true, so
 * that each value has its place (language §F.1).
 */
export function orderOf(by: Node): Node {
  if (typeOfNode(by) !== 'unknown') return by;
  return choice(or(...kinds.map((kind) => isOf(kind, by))), by, literal(true));
}

/** In the order in which a store puts them. */
const kinds = ['null', 'number', 'text', 'boolean'] as const;
type Kind = (typeof kinds)[number];

/** Of which kinds the values of a mark are: what the conditions for it hang on besides its values. */
export function kindsOf(mark: Mark): string {
  return mark.keys.map((value) => kindOf(value)).join();
}

/** Items that are equal in all else stand in the order in which they were made, or against it: as the last key runs, so that one index serves both. */
export function isPlaceDescending(keys: readonly Key[]): boolean {
  return keys.at(-1)?.descending ?? false;
}

/** A part of a list: those of its items that have the values of a mark in the first `tied` of its keys, and fit. */
export interface Stretch {
  readonly where: Node;
  readonly tied: number;
}

/**
 * What stands beyond a mark, as stretches of which each takes one stretch of an index: read one after another, they
 * are the list from the mark on. The values of the mark are the parameters from `first` on, its place the last.
 *
 * @param back against the order of the list: what stands before the mark, the nearest first
 */
export function beyond(
  row: Source,
  keys: readonly Key[],
  mark: Mark,
  first: number,
  back: boolean,
): readonly Stretch[] {
  const at = (index: number): Node => parameter(first + index, typeOfNode((keys[index] as Key).by));
  const tied = (count: number): readonly Node[] =>
    keys.slice(0, count).map(({ by }, index) => same(by, mark.keys[index] as KeyValue, at(index)));
  const op = isPlaceDescending(keys) === back ? '>' : '<';
  const last = compare(op, place(row), parameter(first + keys.length, 'number'));
  const stretches = [{ where: and(...tied(keys.length), last), tied: keys.length }];
  for (let index = keys.length - 1; index >= 0; index--) {
    const { by, descending } = keys[index] as Key;
    const further = beyondValue(by, mark.keys[index] as KeyValue, at(index), descending !== back);
    for (const node of further) stretches.push({ where: and(...tied(index), node), tied: index });
  }
  return stretches;
}

function same(by: Node, value: KeyValue, at: Node): Node {
  const kind = kindOf(value);
  return kind === 'null' ? isOf(kind, by) : compare('==', by, at);
}

/** Further values of the same kind, and then those of further kinds: an ordering between kinds is false (language §G.6). */
function beyondValue(by: Node, value: KeyValue, at: Node, descending: boolean): readonly Node[] {
  const kind = kindOf(value);
  const possible = possibleKinds(by);
  const others = possible.filter((one) =>
    descending ? kinds.indexOf(one) < kinds.indexOf(kind) : kinds.indexOf(one) > kinds.indexOf(kind),
  );
  if (descending) others.reverse();
  return [
    ...(kind !== 'null' ? [compare(descending ? '<' : '>', by, at)] : []),
    ...others.map((one) => isOf(one, by)),
  ];
}

function kindOf(value: KeyValue): Kind {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean');
}

function possibleKinds(by: Node): readonly Kind[] {
  switch (typeOfNode(by)) {
    case 'text':
    case 'time':
    case 'duration':
      return ['null', 'text'];
    case 'number':
      return ['null', 'number'];
    case 'boolean':
      return ['null', 'boolean'];
    case 'unknown':
      return kinds;
  }
}

/** Whether a value is of a kind. */
function isOf(kind: Kind, by: Node): Node {
  const isNull: Node = { kind: 'compare', op: '==', left: orderable(by), right: literal(null) };
  if (kind === 'null') return isNull;
  if (typeOfNode(by) !== 'unknown') return { ...isNull, op: '!=' };
  switch (kind) {
    case 'number':
      return compare('>=', by, literal(-Number.MAX_VALUE));
    case 'text':
      return compare('>=', by, literal(''));
    case 'boolean':
      return or(compare('==', by, literal(false)), compare('==', by, literal(true)));
  }
}
