import type { Specification } from '../../specification/model/specification.ts';
import { isUnder } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Planned, type Result, unreached } from '../check.ts';

/**
 * The rows of part 7 of which no check was made: their conditions were never seen to hold, so they are not exercised
 * (language §F.2). Only at the end of a run is it known which these are.
 */
export function* uncaused(of: Specification, results: readonly Result[]): Iterable<Planned> {
  const codes = stated(stated(of.errors)?.codes) ?? [];
  for (const [code, said] of codes) {
    const row = stated(said);
    if (row === undefined || results.some(({ statement }) => isUnder(statement.address, said.address)))
      continue;
    const { address, at } = row.when;
    const check = {
      name: 'refused',
      says: `${code} answers its conditions`,
      cites: { address, at },
    } as const;
    const scenario = unreached(of, [check], 'no request was made for which it surely holds');
    yield { part: 'errors', scenario, once: true };
  }
}
