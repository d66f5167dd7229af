import { reasonWords } from '../../../conformance/search/reasons/reasons.ts';
import type { Unnoticed } from '../../../conformance/stream.ts';
import { unnoticedByReason } from '../../../conformance/verdicts/unnoticed.ts';
import { type Paint, visible } from '../../../source/diagnostic.ts';

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
