import type { Deviation } from '../../../src/conformance/deviations/deviation.ts';
import { nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';

/** The names of the deviations that a walk of so many requests in memory does not tell. */
export function untold(
  specification: Specification,
  deviations: readonly Deviation[],
  requests: number,
  seed = 1,
): readonly string[] {
  const suspects = deviations.map((deviation) => new Suspect(deviation));
  const { told } = walk(begunWorld(specification), suspects, seeded(seed), requests);
  return suspects.filter((suspect) => !told.has(suspect)).map(({ deviation }) => nameOf(deviation));
}
