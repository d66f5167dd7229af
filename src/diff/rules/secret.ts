import { type Rule, stored } from '../rule.ts';

/** Whether a value is kept in a form that does not give it back (language §2). */
export const secret: Rule = {
  name: 'secret',
  section: '2',
  at: ['resources/*/fields/*/secret'],
  judge: () => [stored('values kept so far are in the other form')],
};
