import { type Address, type Part, parts } from '../specification/reading/address.ts';
import { type Result, type Verdict, verdicts } from './result.ts';

/** How many checks ended so; those that rest on an assumption are counted apart, and fail nothing (language §A.6). */
export interface Count {
  readonly stated: number;
  readonly assumed: number;
}

export type Counts = { readonly [V in Verdict]: Count };

/**
 * What a report comes to: something violates; all is well; not all could be tested, or nothing was exercised, which proves
 * nothing.
 */
export type Outcome = 'violated' | 'in order' | 'cut short' | 'nothing exercised';

export function countsOf(results: readonly Result[]): Counts {
  const count = (verdict: Verdict): Count => {
    const found = results.filter((result) => result.verdict === verdict);
    const assumed = found.filter((result) => result.assumed).length;
    return { stated: found.length - assumed, assumed };
  };
  return Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Counts;
}

/** @param cutShort why not all was tested; null where it was */
export function outcomeOf({
  counts,
  cutShort,
}: {
  readonly counts: Counts;
  readonly cutShort: string | null;
}): Outcome {
  if (counts.violates.stated > 0) return 'violated';
  if (cutShort !== null) return 'cut short';
  const exercised = [counts.conforms, counts.violates].some(({ stated, assumed }) => stated + assumed > 0);
  return exercised ? 'in order' : 'nothing exercised';
}

/** The results by the part in which their statement stands, in the order of the parts; parts without any are left out. */
export function byPart(results: readonly Result[]): ReadonlyMap<Part, readonly Result[]> {
  return Map.groupBy(
    inOrderOfParts(results, ({ statement }) => statement.address),
    ({ statement }) => partOf(statement.address),
  );
}

/** What is about a statement each, in the order of the parts; what is of one part stays as it was. */
export function inOrderOfParts<T>(all: readonly T[], addressOf: (one: T) => Address): T[] {
  const ofParts = Map.groupBy(all, (one) => partOf(addressOf(one)));
  return parts.flatMap((part) => ofParts.get(part) ?? []);
}

function partOf(address: Address): Part {
  return /^[a-z]+/.exec(address)?.[0] as Part;
}

/** The open points for which checks were not judged, and how many each: the one that blocks most comes first. */
export function blocking(results: readonly Result[]): readonly (readonly [Address, number])[] {
  const counts = new Map<Address, number>();
  for (const { points = [] } of results)
    for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
