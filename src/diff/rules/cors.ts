import { breaking, harmless, type Rule } from '../rule.ts';
import { come, gone, statedValue } from '../value.ts';

/** What pages of other origins may do (language §4.1; Fetch standard, CORS protocol). */
export const cors: Rule = {
  name: 'cors',
  section: '4.1',
  at: [
    'endpoints/*/cors',
    'endpoints/*/cors/origins',
    'endpoints/*/cors/methods',
    'endpoints/*/cors/headers',
    'endpoints/*/cors/exposes',
    'endpoints/*/cors/credentials',
    'endpoints/*/cors/maxAge',
  ],
  judge: (difference) => {
    const { path, after } = difference;
    const key = path.at(-1);
    if (key === 'maxAge') return [harmless('a preflight is remembered for another time')];
    if (key === 'credentials')
      return [
        statedValue(after) === true
          ? harmless('credentials may be sent')
          : breaking('credentials may be sent no longer'),
      ];
    const less = gone(difference);
    if (key === 'cors' || less.length === 0 || come(difference).includes('any'))
      return [
        after
          ? harmless('pages of other origins may do more')
          : breaking('pages of other origins may do nothing'),
      ];
    return [breaking(`pages of other origins may do less: ${less.join(', ')}`)];
  },
};
