import type { Address, Part } from '../specification/address.ts';
import { isUnder } from '../specification/address.ts';
import type { Specification } from '../specification/specification.ts';
import { type Scenario, unreached } from './check.ts';

/** Every statement at or under an address, each as a check that is not exercised: what is stated is never passed over. */
export function statedOnly(of: Specification, above: Address, reason: string): Scenario {
  const points = [...of.points.values()].filter(
    ({ address, state }) => state !== 'open' && isUnder(address, above) && !address.endsWith('.*'),
  );
  const checks = points.map(({ address, at }) => ({
    name: 'stated',
    says: `${address} is kept to`,
    cites: { address, at },
  }));
  return unreached(of, checks, reason);
}

/** The statements of a part that this version does not run; or that there is nothing, which no request can show. */
export function partStatedOnly(of: Specification, part: Part): Scenario[] {
  const isNothing = of[part].kind === 'none';
  return [
    statedOnly(
      of,
      part,
      isNothing ? 'stated to be nothing, which no request can show' : 'stated, not run by this version',
    ),
  ];
}
