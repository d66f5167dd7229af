import { breaking, type Judgement, type Rule, stored } from '../rule.ts';
import { come, gone } from '../value.ts';

/** The states of a machine (language §3.1). */
export const state: Rule = {
  name: 'state',
  section: '3.1',
  at: ['states/*/states'],
  judge: (difference) => {
    const found: Judgement[] = [];
    const [more, less] = [come(difference), gone(difference)];
    if (more.length > 0) found.push(breaking(`${more.join(', ')} can be seen, and could not before`));
    if (less.length > 0) found.push(stored(`kept items may be in ${less.join(', ')}`));
    return found;
  },
};
