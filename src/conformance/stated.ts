import { at, type Span } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Address, Part } from '../specification/reading/address.ts';
import { isUnder } from '../specification/reading/address.ts';
import { type Described, type Scenario, unreached } from './check.ts';

/** Every statement at or under an address, of which there is no check of its own: nobody could make one. */
export function unchecked(of: Specification, above: Address, why: string): Scenario {
  const statements = statementsUnder(of, above);
  return {
    run: () => Promise.resolve([]),
    unchecked: statements.map(({ address, at: span }) => ({ address, at: at(span), why })),
  };
}

function statementsUnder(of: Specification, above: Address): readonly { address: Address; at: Span }[] {
  return [...of.points.values()].filter(
    ({ address, state }) => state !== 'open' && isUnder(address, above) && !address.endsWith('.*'),
  );
}

/** Every statement at or under an address, each as a check that is not exercised: what is stated is never passed over. */
export function statedOnly(of: Specification, above: Address, reason: string): Scenario {
  const checks = statementsUnder(of, above).map(
    ({ address, at }): Described => ({
      name: 'stated',
      says: `${address} is kept to`,
      cites: { address, at },
    }),
  );
  return unreached(of, checks, reason);
}

/** The statements of a part that this version does not run; or that there is nothing, which no request can show. */
export function partStatedOnly(of: Specification, part: Part): Scenario[] {
  return [
    of[part].kind === 'none'
      ? unchecked(of, part, 'it is stated to be nothing, which no request can show')
      : statedOnly(of, part, 'stated, not run by this version'),
  ];
}
