import { holdsNames } from '../places.ts';
import { breaking, direction, harmless, type Judgement, type Rule, stored } from '../rule.ts';
import { come, gone } from '../value.ts';

/** Which members must be given: one more breaks who leaves it out, one less who relies on it (language §H.1). */
export const required: Rule = {
  name: 'required',
  section: 'H.1',
  at: ['resources/*/**/required', 'endpoints/*/request/body/**/required'],
  judge: (difference, context) => {
    const way = direction(difference.path, context);
    if (way === undefined || holdsNames(difference.path.slice(0, -1))) return [];
    const more = come(difference);
    const less = gone(difference);
    const found: Judgement[] = [];
    if (way.input && more.length > 0) found.push(breaking(`${more.join(', ')} must be given now`));
    if (way.output && less.length > 0) found.push(breaking(`${less.join(', ')} may be missing now`));
    if (way.kept && more.length > 0) found.push(stored(`kept items may lack ${more.join(', ')}`));
    return found.length > 0
      ? found
      : [harmless(`${[...more, ...less].join(', ')}: nobody who asked can fail`)];
  },
};
