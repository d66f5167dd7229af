import { type Rule, stored } from '../rule.ts';
import { statedValue } from '../value.ts';

/** Whether a value is kept or worked out (language §2). */
export const derived: Rule = {
  name: 'derived',
  section: '2',
  at: ['resources/*/fields/*/derived'],
  judge: ({ before, after }) => {
    if (statedValue(before) === undefined)
      return [stored('it is worked out now, and what is kept of it is not shown')];
    return statedValue(after) === undefined ? [stored('items made so far keep no value of it')] : [];
  },
};
