import { breaking, type Rule } from '../rule.ts';

/** Which of several errors answers (language §7). */
export const errorOrder: Rule = {
  name: 'error-order',
  section: '7',
  at: ['errors/order'],
  judge: ({ before }) => [
    breaking(
      before
        ? 'a request that earns two can get the other one'
        : 'which of two errors answers is settled now',
    ),
  ],
};
