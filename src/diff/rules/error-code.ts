import { get } from '../../source/node.ts';
import { breaking, harmless, type Judgement, type Rule } from '../rule.ts';
import { come, gone, itemsOf } from '../value.ts';

/** A row of errors: which reasons it is for, and by what name (language §7). */
export const errorCode: Rule = {
  name: 'error-code',
  section: '7',
  at: ['errors/codes/*', ...['when', 'operations', 'as', 'code'].map((key) => `errors/codes/*/${key}`)],
  judge: (difference) => {
    const { path, before, after } = difference;
    const key = path.length === 3 ? 'row' : path.at(-1);
    if (key === 'as' || key === 'code') return [breaking('it is answered as another error')];
    if (key === 'operations') return [breaking('it is answered by other operations')];
    if (key === 'row' && before && after) return [];
    if (key === 'row' && after === undefined)
      return itemsOf(get(before, 'when')).every((one) => one.startsWith('${'))
        ? [harmless('what was refused for it is not refused any more')]
        : [breaking('the error is answered no longer')];
    const more = key === 'row' ? itemsOf(get(after, 'when')) : come(difference);
    const own = more.filter((one) => one.startsWith('${'));
    const found: Judgement[] = [];
    if (own.length > 0) found.push(breaking(`refused where it was not: ${own.join(', ')}`));
    const left = itemsOf(after);
    const less = key === 'when' ? gone(difference) : [];
    const elsewhere = less.filter(
      (one) => !one.startsWith('${') && !left.some((wider) => isWithin(one, wider)),
    );
    if (elsewhere.length > 0) found.push(breaking(`answered as another error: ${elsewhere.join(', ')}`));
    if (found.length > 0) return found;
    return come(difference).length > 0
      ? [harmless('the answer to a refusal has a row of its own now')]
      : [harmless('what was refused for it is not refused any more')];
  },
};

/** Whether a condition is one of those that another means: `invalid Parcel.weight` of `invalid Parcel` (language §H.4). */
function isWithin(one: string, wider: string): boolean {
  return one.startsWith(`${wider} `) || one.startsWith(`${wider}.`);
}
