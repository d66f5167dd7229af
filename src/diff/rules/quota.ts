import { amountOf } from '../amount.ts';
import { breaking, harmless, type Rule } from '../rule.ts';

/** How much there may be of a resource (language §8.4). */
export const quota: Rule = {
  name: 'quota',
  section: '8.4',
  at: ['limits/quotas/*', 'limits/quotas/*/allow', 'limits/quotas/*/when'],
  judge: ({ path, before, after }) => {
    if (path.at(-1) === 'when' && !(before && after))
      return [after ? harmless('fewer items are counted') : breaking('all items are counted')];
    if (before === undefined) return [breaking('what is past it is refused')];
    if (after === undefined) return [harmless('what was past it is taken')];
    const [was, is] = [amountOf(before, path), amountOf(after, path)];
    if (was === undefined || is === undefined) return [];
    return [is < was ? breaking('less is allowed') : harmless('more is allowed')];
  },
};
