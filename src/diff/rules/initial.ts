import { breaking, type Rule } from '../rule.ts';

/** The state in which an item begins (language §3.1). */
export const initial: Rule = {
  name: 'initial',
  section: '3.1',
  at: ['states/*/initial'],
  judge: () => [breaking('new items begin in another state')],
};
