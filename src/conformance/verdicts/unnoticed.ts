import { count } from '../../source/count.ts';
import { isNoDeviation, type Reason, reasonWords } from '../search/reasons/reasons.ts';
import type { Unnoticed } from '../stream.ts';

/** How many statements there are of which some deviation would not be noticed. */
export function unnoticedCount(unnoticed: readonly Unnoticed[]): number {
  return new Set(counted(unnoticed).map(({ address }) => address)).size;
}

/** The same in half a sentence; empty where there are none, or where nobody worked it out. */
export function unnoticedWords(unnoticed: readonly Unnoticed[]): string {
  const statements = unnoticedCount(unnoticed);
  return statements === 0 ? '' : `; a deviation from ${count(statements, 'statement')} would not be noticed`;
}

/** The addresses of statements by the reason, each once. */
export function unnoticedByReason(
  unnoticed: readonly Unnoticed[],
): readonly (readonly [Reason, readonly string[]])[] {
  const groups = Map.groupBy(counted(unnoticed), ({ reason }) => reason);
  return (Object.keys(reasonWords) as Reason[]).flatMap((reason) => {
    const addresses = [...new Set(groups.get(reason)?.map(({ address }) => address))];
    return addresses.length === 0 ? [] : [[reason, addresses] as const];
  });
}

function counted(unnoticed: readonly Unnoticed[]): readonly Unnoticed[] {
  return unnoticed.filter(({ reason }) => !isNoDeviation(reason));
}
