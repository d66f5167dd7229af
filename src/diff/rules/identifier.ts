import { find } from '../../specification/reading/address.ts';
import { breaking, type Rule, stored } from '../rule.ts';
import { itemsOf } from '../value.ts';

/** How one item is known, and what its key looks like (language §2). */
export const identifier: Rule = {
  name: 'identifier',
  section: '2',
  at: ['resources/*/identifier', 'resources/*/fields/*/set/create'],
  judge: ({ path }, context) => {
    const [, name, , field] = path;
    if (field === undefined)
      return [
        breaking('items are known by something else'),
        stored('items are kept under the old identifier'),
      ];
    const names = itemsOf(find(context.after, ['resources', name as string, 'identifier']));
    return names.includes(field) ? [stored('items kept so far have identifiers of the old form')] : [];
  },
};
