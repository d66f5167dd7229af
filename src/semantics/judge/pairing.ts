/**
 * Which of the things that came each expected one is, so that as many as possible are found: those that must come first.
 *
 * @param isIt whether one may be the other
 */
export function paired<E, C>(
  expected: readonly E[],
  came: readonly C[],
  isIt: (expected: E, came: C) => boolean,
  isCertain: (expected: E) => boolean,
): Map<E, C> {
  const fitting = new Map(expected.map((each) => [each, came.filter((one) => isIt(each, one))]));
  const owners = new Map<C, E>();
  const search = (each: E, tried: Set<C>): boolean => {
    for (const one of fitting.get(each) ?? []) {
      if (tried.has(one)) continue;
      tried.add(one);
      const owner = owners.get(one);
      if (owner !== undefined && !search(owner, tried)) continue;
      owners.set(one, each);
      return true;
    }
    return false;
  };
  for (const each of [...expected.filter(isCertain), ...expected.filter((one) => !isCertain(one))])
    search(each, new Set());
  return new Map([...owners].map(([one, each]) => [each, one]));
}

/** More attempts than this are not made. */
const mostAttempts = 20_000;

/**
 * Whether the expected things may have come in their order, those of each lane one after the other. Null: it is not known.
 *
 * @param laneOf two of the same lane have an order
 * @param isBefore whether one that is expected before another one of its lane has to come first
 */
export function mayBeInOrder<E, C>(
  expected: readonly E[],
  came: readonly C[],
  isIt: (expected: E, came: C) => boolean,
  laneOf: (expected: E) => string,
  isBefore: (first: E, second: E) => boolean,
): boolean | null {
  const fitting = expected.map((each) => came.flatMap((one, place) => (isIt(each, one) ? [place] : [])));
  const taken = new Set<number>();
  const places: number[] = [];
  let attempts = 0;
  const search = (index: number): boolean => {
    if (index === expected.length) return true;
    const each = expected[index] as E;
    const after = expected
      .slice(0, index)
      .flatMap((first, at) =>
        laneOf(first) === laneOf(each) && isBefore(first, each) ? (places[at] ?? -1) : -1,
      )
      .reduce((latest, place) => Math.max(latest, place), -1);
    for (const place of fitting[index] ?? []) {
      if (place <= after || taken.has(place)) continue;
      attempts += 1;
      if (attempts > mostAttempts) return false;
      taken.add(place);
      places[index] = place;
      if (search(index + 1)) return true;
      taken.delete(place);
    }
    return false;
  };
  const isFound = search(0);
  return isFound || attempts <= mostAttempts ? isFound : null;
}
