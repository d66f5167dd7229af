import { harmless, type Rule } from '../rule.ts';

/** Words for people: purpose, scope, and the messages of errors (language §1, §7). */
export const words: Rule = {
  name: 'words',
  section: '1',
  at: ['service/**', 'errors/codes/*/message', 'errors/messages/**'],
  judge: () => [harmless('people read something else')],
};
