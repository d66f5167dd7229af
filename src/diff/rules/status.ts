import { breaking, type Rule } from '../rule.ts';

/** The status of an answer (language §H.3) or of an error (language §7). */
export const status: Rule = {
  name: 'status',
  section: 'H.3',
  at: ['endpoints/*/response/status', 'errors/codes/*/status'],
  judge: ({ before, after }) =>
    before && after
      ? [breaking('clients see another status')]
      : before
        ? [breaking('the status is no longer stated')]
        : [],
};
