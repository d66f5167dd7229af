import { breaking, harmless, type Rule, stored } from '../rule.ts';
import { statedValue } from '../value.ts';

/** A key of another item, and what happens when that item goes (language §2). */
export const reference: Rule = {
  name: 'reference',
  section: '2',
  at: ['resources/*/fields/*/refers', 'resources/*/fields/*/ifDeleted'],
  judge: ({ path, after }) => {
    if (path.at(-1) === 'ifDeleted')
      return statedValue(after) === 'refuse'
        ? [breaking('deleting an item that is referred to is refused')]
        : [];
    if (after === undefined) return [harmless('any key is taken now')];
    return [breaking('a key that no item has is refused'), stored('kept keys may be those of no item')];
  },
};
