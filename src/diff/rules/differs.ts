import { harmless, type Rule } from '../rule.ts';

/** What an older version says apart. What clients of that version are told is compared as a whole (language §9.3). */
export const differs: Rule = {
  name: 'differs',
  section: '9.3',
  at: ['versioning/versions/*/differs', 'versioning/versions/*/differs/**'],
  judge: ({ path }) => [
    harmless(`what clients of version ${path[2]} see is compared apart: what breaks them is listed`),
  ],
};
