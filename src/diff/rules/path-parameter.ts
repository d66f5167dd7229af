import { breaking, type Rule } from '../rule.ts';

/** What a parameter of a path stands for (language §4.2). */
export const pathParameter: Rule = {
  name: 'path-parameter',
  section: '4.2',
  at: ['endpoints/*/request/path/*', 'endpoints/*/request/path/*/is'],
  judge: ({ before, after }) => (before && after ? [breaking('it stands for something else')] : []),
};
