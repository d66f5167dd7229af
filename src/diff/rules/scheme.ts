import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** A way in which a request says who asks (language §5.1). */
export const scheme: Rule = {
  name: 'scheme',
  section: '5.1',
  at: [
    'authentication/schemes/*',
    ...['type', 'name', 'in', 'scheme', 'prefix', 'credentials', 'credentials/*', 'wrong'].map(
      (key) => `authentication/schemes/*/${key}`,
    ),
    'authentication/schemes/*/credentials/claims/*',
    'authentication/several',
  ],
  judge: ({ path, before, after }) => {
    if (path.at(-1) === 'life') return [];
    if (path.at(-1) === 'rotate') return [harmless('the keys of tokens take turns otherwise')];
    if (path.at(-2) === 'claims')
      return [
        before === undefined
          ? harmless('tokens say more')
          : breaking(after === undefined ? 'tokens say less' : 'tokens say something else'),
      ];
    if (path.length === 3 && (before === undefined || after === undefined))
      return [
        after
          ? harmless('one more way to say who asks')
          : breaking('its credentials are good for nothing now'),
      ];
    if (path.at(-1) === 'wrong' || path.at(-1) === 'several')
      return [
        statedValue(after) === 'refuse'
          ? breaking('requests are refused that were not')
          : harmless('fewer requests are refused'),
      ];
    return path.length === 3 ? [] : [breaking('credentials are given, or judged, in another way')];
  },
};
