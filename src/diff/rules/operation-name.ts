import { harmless, type Rule } from '../rule.ts';

/** The name of an operation, which only other parts use (language §4.1). */
export const operationName: Rule = {
  name: 'operation-name',
  section: '4.1',
  at: ['endpoints/*/operation'],
  judge: () => [harmless('no request carries the name')],
};
