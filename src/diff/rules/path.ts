import { breaking, harmless, type Rule } from '../rule.ts';
import { come, gone } from '../value.ts';

/** The further paths of an operation, how its paths are compared, and which requests mean it (language §4.1). */
export const path: Rule = {
  name: 'path',
  section: '4.1',
  at: ['endpoints/*/paths', 'endpoints/*/matching', 'endpoints/*/when'],
  judge: (difference) => {
    if (difference.path.at(-1) === 'when') return [breaking('a request may mean another operation')];
    const isPath = difference.path.at(-1) === 'paths';
    const less = gone(difference).filter((one) => one !== 'exact');
    const more = come(difference).filter((one) => one !== 'exact');
    if (less.length === 0)
      return more.length === 0 ? [] : [harmless(`more requests are answered: ${more.join(', ')}`)];
    return [
      breaking(
        isPath ? `${less.join(', ')} is answered no longer` : `paths match no longer: ${less.join(', ')}`,
      ),
    ];
  },
};
