import { breaking, type Rule } from '../rule.ts';

/** What every path begins with (language §4.1). */
export const base: Rule = {
  name: 'base',
  section: '4.1',
  at: ['endpoints/base'],
  judge: () => [breaking('every path is another one')],
};
