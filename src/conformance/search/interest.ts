import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import type { Deviation } from '../deviations/deviation.ts';
import type { Interest } from '../explore/explorer.ts';
import { operationsFor } from './aim.ts';

/** What each operation weighs, whatever is left of it. */
const least = 2;

/** How many of some deviations are about each operation. One that is about several counts for each in part. */
export function interestIn(deviations: Iterable<Deviation>, specification: Specification): Interest {
  const found = new Map<Address, number>();
  for (const deviation of deviations) {
    const operations = operationsFor(deviation, specification);
    for (const { address } of operations)
      found.set(address, (found.get(address) ?? 0) + 1 / operations.length);
  }
  return ({ address }) => least + (found.get(address) ?? 0);
}
