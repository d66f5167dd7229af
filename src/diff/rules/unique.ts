import { breaking, harmless, type Rule, stored } from '../rule.ts';
import { statedValue } from '../value.ts';

/** What no two items have alike (language §2). */
export const unique: Rule = {
  name: 'unique',
  section: '2',
  at: ['resources/*/fields/*/unique', 'resources/*/unique'],
  judge: ({ before, after }) => {
    const value = statedValue(after);
    // Of the words, `true` asks least.
    const isLess = value === true && typeof statedValue(before) === 'string';
    if (value === undefined || value === false || isLess) return [harmless('a second is taken now')];
    return [
      breaking('a second with the same value is refused'),
      stored('kept items may have the same value'),
    ];
  },
};
