import { breaking, harmless, type Rule } from '../rule.ts';

/** The condition of a move (language §3.1), and of a change of an item (language §2.1). */
export const guard: Rule = {
  name: 'guard',
  section: '3.1',
  at: ['states/*/transitions/*/when', 'resources/*/guards', 'resources/*/guards/*'],
  judge: ({ after }) =>
    after ? [breaking('it can be refused where it was carried out')] : [harmless('it is refused less often')],
};
