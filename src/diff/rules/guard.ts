import { breaking, harmless, type Rule } from '../rule.ts';

/** The condition of a move (language §3.1). */
export const guard: Rule = {
  name: 'guard',
  section: '3.1',
  at: ['states/*/transitions/*/when'],
  judge: ({ after }) =>
    after ? [breaking('it can be refused where it was made')] : [harmless('it is refused less often')],
};
