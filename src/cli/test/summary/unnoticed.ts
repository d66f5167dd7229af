import { isNoDeviation, type Reason, reasonWords } from '../../../conformance/search/reasons/reasons.ts';
import type { Unnoticed } from '../../../conformance/stream.ts';
import { type Paint, visible } from '../../../source/diagnostic.ts';
import { count } from '../../command.ts';

/** How many statements are named for each reason. */
const most = 3;

/** The statements of which a deviation would not be noticed, by the reason: how many, and the first few. */
export function unnoticedText(unnoticed: readonly Unnoticed[], document: string, paint: Paint): string {
  const reasons = unnoticedByReason(unnoticed);
  if (reasons.length === 0) return '';
  const lines = reasons.map(([reason, addresses]) => {
    const rest = addresses.length - most;
    const named = [...addresses.slice(0, most).map(visible), ...(rest > 0 ? [`${rest} more`] : [])].join(
      ', ',
    );
    return `${String(addresses.length).padStart(5)}  ${reasonWords[reason]}: ${paint.dim(named)}\n`;
  });
  const all = paint.dim(`     tacet test ${visible(document)} --plan lists them all\n`);
  return `${paint.bold('a deviation from these statements would not be noticed')}\n${lines.join('')}${all}`;
}

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
