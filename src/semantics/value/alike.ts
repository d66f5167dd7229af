import {
  Collection,
  Item,
  isList,
  isObject,
  Made,
  Range,
  seen,
  Text,
  Unknown,
  type Value,
  type When,
} from './value.ts';

/** Which made values of one world stand for which of another. */
export class Pairs {
  readonly #pairs = new Map<Made, Made>();
  readonly #others = new Set<Made>();
  /** Values with a later place were made in one of the two worlds alone. */
  readonly #since: number;

  constructor(since: number) {
    this.#since = since;
  }

  /** Whether two values that were made in one of the two worlds alone may be the same one. */
  fit(one: Made, other: Made): boolean {
    const known = this.#pairs.get(one);
    if (known !== undefined) return known === other;
    const isNew = one.place > this.#since && other.place > this.#since;
    const isLike = one.form === other.form && one.series === other.series && one.bound === other.bound;
    if (!isNew || !isLike || this.#others.has(other) || !isSameTime(one.when, other.when)) return false;
    this.#pairs.set(one, other);
    this.#others.add(other);
    return true;
  }
}

function isSameTime(one: When | null, other: When | null): boolean {
  const isSame = (a: Range, b: Range): boolean => a.least === b.least && a.most === b.most;
  if (one === null || other === null) return one === other;
  return isSame(one.received, other.received) && isSame(one.taken, other.taken);
}

/**
 * Whether two values are the same in all that is known. Made values that were not seen are, if they were made alike.
 *
 * @param pairs of values that two worlds made apart from one another. Default: they are never the same
 */
export function areAlike(a: Value | undefined, b: Value | undefined, pairs?: Pairs): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const [one, other] = [seen(a), seen(b)];
  if (one === other) return true;
  if (one instanceof Made)
    return (
      other instanceof Made &&
      ((one.series === other.series && one.place === other.place) || pairs?.fit(one, other) === true)
    );
  if (one instanceof Text) return other instanceof Text && areAll(one.pieces, other.pieces, pairs);
  if (one instanceof Item)
    return other instanceof Item && one.handle === other.handle && areAlike(one.key, other.key, pairs);
  if (one instanceof Collection)
    return (
      other instanceof Collection && one.closed === other.closed && areAll(one.items, other.items, pairs)
    );
  if (one instanceof Range)
    return other instanceof Range && one.least === other.least && one.most === other.most;
  if (one instanceof Unknown) return other instanceof Unknown;
  if (isList(one)) return isList(other) && areAll(one, other, pairs);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => areAlike(one[name], other[name], pairs))
  );
}

function areAll(some: readonly Value[], others: readonly Value[], pairs: Pairs | undefined): boolean {
  return some.length === others.length && some.every((each, place) => areAlike(each, others[place], pairs));
}
