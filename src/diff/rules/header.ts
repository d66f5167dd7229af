import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** A header field that is sent (language §H.3, §E.15, §8). */
export const header: Rule = {
  name: 'header',
  section: 'H.3',
  at: [
    'endpoints/headers',
    'endpoints/headers/*',
    'endpoints/*/response/headers',
    'endpoints/*/response/headers/*',
    'endpoints/*/response/headers/*/required',
    'errors/payload/headers',
    'errors/payload/headers/*',
    'errors/payload/headers/*/required',
    'errors/codes/*/headers',
    'errors/codes/*/headers/*',
    'errors/codes/*/headers/*/required',
    'limits/rates/*/headers',
    'limits/rates/*/headers/*',
  ],
  judge: ({ path, before, after }) => {
    if (path.at(-1) === 'required' && path.at(-2) !== 'headers')
      return [
        statedValue(after) === true
          ? harmless('the field is always sent')
          : breaking('the field may be missing now'),
      ];
    if (before && after) return [];
    return [after ? harmless('the field is sent now') : breaking('the field is sent no longer')];
  },
};
