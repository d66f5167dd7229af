import { breaking, harmless, type Rule } from '../rule.ts';
import { gone, statedValue } from '../value.ts';

/** Which versions there are, and how a request names one (language §9). */
export const version: Rule = {
  name: 'version',
  section: '9',
  at: [
    'versioning/place',
    'versioning/place/*',
    'versioning/default',
    'versioning/versions/*',
    ...['alias', 'retired', 'deprecated', 'sunset', 'fields'].map((key) => `versioning/versions/*/${key}`),
  ],
  judge: (difference) => {
    const { path, before, after } = difference;
    const key = path[1] === 'versions' ? (path.length === 3 ? 'version' : path.at(-1)) : path[1];
    if (key === 'place') return [breaking('requests name their version elsewhere')];
    if (key === 'default') return [breaking('a request that names no version means another')];
    if (key === 'retired') {
      if (after === undefined) return [harmless('the version goes on')];
      // A day is written so that later ones are greater (language §H.5).
      const isLater = before !== undefined && String(statedValue(after)) > String(statedValue(before));
      return [
        isLater
          ? harmless('the version goes on for longer')
          : breaking('the version is refused from then on'),
      ];
    }
    if (key === 'alias')
      return [
        gone(difference).length > 0
          ? breaking(`no version any more: ${gone(difference).join(', ')}`)
          : harmless('one more name'),
      ];
    if (key !== 'version') return [harmless('clients are told something else about the version')];
    if (before && after) return [];
    return [after ? harmless('one more version') : breaking('the version is unknown now')];
  },
};
