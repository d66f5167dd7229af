import { amountOf } from '../amount.ts';
import { breaking, harmless, type Rule } from '../rule.ts';

/** How large, and how many (language §8). */
export const size: Rule = {
  name: 'size',
  section: '8',
  at: ['limits/sizes/*', 'limits/sizes/operations/*'],
  judge: ({ path, before, after }) => {
    if (before === undefined) return [breaking('what is larger is refused')];
    if (after === undefined) return [harmless('what is larger is taken')];
    const [was, is] = [amountOf(before, path), amountOf(after, path)];
    if (was === undefined || is === undefined) return [];
    return [is < was ? breaking('less is taken') : harmless('more is taken')];
  },
};
