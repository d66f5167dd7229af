import { amountOf } from '../amount.ts';
import { breaking, harmless, type Rule } from '../rule.ts';

/** How long: of a window a longer one takes less, of a time-out and of a life a shorter one (language §4.4, §5.1, §8). */
export const time: Rule = {
  name: 'time',
  section: '8',
  at: [
    'limits/rates/*/every',
    'limits/times/request',
    'limits/times/operations/*',
    'endpoints/*/idempotency/life',
    'authentication/schemes/*/credentials/life',
  ],
  judge: ({ path, before, after }) => {
    const isWindow = path.at(-1) === 'every';
    if (isWindow && before === undefined) return [breaking('requests beyond it are refused')];
    if (isWindow && after === undefined) return [harmless('requests beyond it are taken')];
    // Without a time-out, or without a life, it does not end.
    if (before === undefined) return [breaking('it ends after this time')];
    if (after === undefined) return [harmless('it does not end')];
    const [was, is] = [amountOf(before, path), amountOf(after, path)];
    if (was === undefined || is === undefined) return [];
    if (isWindow)
      return [is > was ? breaking('fewer requests are taken') : harmless('more requests are taken')];
    return [is < was ? breaking('it ends sooner') : harmless('it ends later')];
  },
};
