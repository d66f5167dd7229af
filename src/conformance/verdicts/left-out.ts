import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { operationOf } from '../deviations/deviations.ts';
import { isAssumed, type Result, type Verdict } from '../result.ts';
import { isNoDeviation, type Reason, reasonWords } from '../search/reasons/reasons.ts';
import { statementNear } from './verdicts.ts';

/** A deviation that a run would not notice. */
export interface Missed {
  readonly deviation: Deviation;
  /** Undefined: nobody searched for requests that would show it. */
  readonly reason: Reason | undefined;
}

/**
 * What is known of statements, for each operation, that no answer named: requests were sent of which the answers would have
 * been others if the implementation deviated; or none was, though some answer could show it.
 *
 * @param told the deviations that would have been seen
 */
export function besides(
  specification: Specification,
  results: readonly Result[],
  missed: readonly Missed[],
  told: ReadonlySet<Deviation>,
): readonly Result[] {
  const keyFor = (address: string, operation: string | undefined): string => `${operation ?? ''} ${address}`;
  const seen = new Set(
    results.flatMap(({ statement, operation }) => [
      keyFor(statement.address, operation),
      keyFor(statement.address, undefined),
    ]),
  );
  const found: Result[] = [];
  const add = (deviation: Deviation, verdict: Verdict, reason?: string): void => {
    const operation = operationOf(deviation, specification);
    const { address, at: span } = statementNear(specification, deviation.said.address, deviation.said);
    const key = keyFor(address, operation);
    if (seen.has(key)) return;
    seen.add(key).add(keyFor(address, undefined));
    found.push({
      check: 'answer.permitted',
      says: `${operation === undefined ? '' : `${operation}: `}answers are as ${address} says`,
      statement: { address, at: at(span) },
      ...(operation !== undefined && { operation }),
      verdict,
      assumed: isAssumed(specification, address),
      ...(reason !== undefined && { reason }),
    });
  };
  for (const deviation of told) add(deviation, 'conforms');
  for (const { deviation, reason } of missed)
    if (reason === undefined) add(deviation, 'not exercised', unsearched);
    else if (reason !== 'invisible' && !isNoDeviation(reason))
      add(deviation, 'not exercised', reasonWords[reason]);
  return found;
}

const unsearched = 'nobody searched for a request that shows it (--search)';

/** What is not stated: the operations that wait for open points, and every other open point. */
export function notStated(specification: Specification): readonly Result[] {
  const held = specification.operations.flatMap((operation): Result[] => {
    const points = openHolds(specification, operation);
    if (points.length === 0) return [];
    const { address, at: span } = operation.does;
    const says = `${operation.key}: what it does is as stated`;
    return [{ ...unstated(address, at(span), says), operation: operation.key, points }];
  });
  const named = new Set(held.flatMap(({ points }) => points));
  const others = [...specification.points.values()].flatMap(({ address, at: span, state }): Result[] =>
    state === 'open' && !named.has(address)
      ? [{ ...unstated(address, at(span), `an answer is as ${address} says`), points: [address] }]
      : [],
  );
  return [...held, ...others];
}

function unstated(address: string, place: string, says: string): Omit<Result, 'points'> {
  const statement = { address, at: place };
  return { check: 'answer.permitted', says, statement, verdict: 'not stated', assumed: false };
}
