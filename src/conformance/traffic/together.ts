import type { Recorded } from './har.ts';

type Group = readonly Recorded[];

function answeredMs({ sentMs, tookMs }: Recorded): number {
  return sentMs + tookMs;
}

/**
 * Exchanges in groups: those of one group were under way together, or one after another with no moment in between at
 * which nothing was under way.
 *
 * @param all in the order in which the requests were sent
 */
export function* groupsOf(all: Group): Iterable<Group> {
  let group: Recorded[] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const recorded of all) {
    if (group.length > 0 && recorded.sentMs >= endMs) {
      yield group;
      group = [];
    }
    group.push(recorded);
    endMs = Math.max(endMs, answeredMs(recorded));
  }
  if (group.length > 0) yield group;
}

/**
 * Every order of some requests, one after another.
 *
 * @param firstOf those that may be the first of some. Default: each
 */
export function ordersOf<T>(
  all: readonly T[],
  firstOf: (all: readonly T[]) => readonly T[] = (all) => all,
): readonly (readonly T[])[] {
  if (all.length <= 1) return [all];
  return firstOf(all).flatMap((first) =>
    ordersOf(
      all.filter((each) => each !== first),
      firstOf,
    ).map((rest) => [first, ...rest]),
  );
}

/** The requests that a service may have carried out first: no other one was answered before they were sent. */
export function firstOf(group: Group): Group {
  return group.filter(
    ({ sentMs }) => !group.some((other) => answeredMs(other) <= sentMs && other.sentMs < sentMs),
  );
}
