import { breaking, harmless, type Rule } from '../rule.ts';
import { come, gone } from '../value.ts';

/** Which fields a view shows (language §2). */
export const view: Rule = {
  name: 'view',
  section: '2',
  at: ['resources/*/of', 'resources/*/shows', 'resources/*/omits'],
  judge: (difference, { was }) => {
    const key = difference.path.at(-1);
    if (!was.shown.has(difference.path[1] as string)) return [harmless('no answer shows it')];
    if (key === 'of') return [breaking('it shows another resource')];
    // One of the two keys for the other may come to the same; then nobody knows.
    if (difference.before === undefined || difference.after === undefined) return [];
    const less = key === 'shows' ? gone(difference) : come(difference);
    return less.length > 0
      ? [breaking(`${less.join(', ')} is shown no longer`)]
      : [harmless('more is shown')];
  },
};
