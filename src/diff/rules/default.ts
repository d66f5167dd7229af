import { breaking, harmless, type Rule } from '../rule.ts';

/** The value of what is not given (language §2, §E.17). */
export const defaultValue: Rule = {
  name: 'default',
  section: '2',
  at: ['resources/*/fields/*/default', 'resources/*/fields/*/default/**', 'endpoints/*/request/*/*/default'],
  judge: ({ before }) =>
    before
      ? [breaking('who leaves it out gets something else')]
      : [harmless('who leaves it out gets this now')],
};
