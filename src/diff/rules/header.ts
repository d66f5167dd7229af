import { breaking, harmless, type Rule } from '../rule.ts';

/** A header field that is sent (language §H.3, §E.15, §8). */
export const header: Rule = {
  name: 'header',
  section: 'H.3',
  at: [
    'endpoints/headers',
    'endpoints/headers/*',
    'endpoints/*/response/headers',
    'endpoints/*/response/headers/*',
    'errors/payload/headers/**',
    'errors/codes/*/headers',
    'errors/codes/*/headers/*',
    'limits/rates/*/headers',
    'limits/rates/*/headers/*',
  ],
  judge: ({ before, after }) => {
    if (before && after) return [];
    return [after ? harmless('the field is sent now') : breaking('the field is sent no longer')];
  },
};
