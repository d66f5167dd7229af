import { breaking, harmless, type Rule } from '../rule.ts';
import { come } from '../value.ts';

/** The status of an answer (language §H.3) or of an error (language §7), or those that it may have. */
export const status: Rule = {
  name: 'status',
  section: 'H.3',
  at: ['endpoints/*/response/status', 'errors/codes/*/status'],
  judge: (difference) => {
    const { before, after } = difference;
    if (before === undefined) return [];
    if (after === undefined) return [breaking('the status is no longer stated')];
    return come(difference).length > 0
      ? [breaking('clients see another status')]
      : [harmless('fewer statuses are sent')];
  },
};
