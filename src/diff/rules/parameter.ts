import { get } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { gone, statedValue } from '../value.ts';

/** A parameter, whether it must be given, and what it does (language §4.2). */
export const parameter: Rule = {
  name: 'parameter',
  section: '4.2',
  at: ['query', 'headers'].flatMap((place) =>
    ['', '/required', '/filter', '/page', '/sort', '/style', '/explode'].map(
      (key) => `endpoints/*/request/${place}/*${key}`,
    ),
  ),
  judge: (difference) => {
    const { path, before, after } = difference;
    const key = path.length === 5 ? null : path.at(-1);
    const must = key === 'required' ? statedValue(after) : statedValue(get(after, 'required'));
    if (key === 'required' || (key === null && before === undefined))
      return [must === true ? breaking('it must be given now') : harmless('it may be given, or left out')];
    if (key === null) return after ? [] : [breaking('it is looked at no longer')];
    if (before === undefined) return [harmless('it does this when given')];
    if (key === 'sort' && after && gone(difference).length === 0) return [harmless('more can be sorted by')];
    return [breaking('it does something else when given')];
  },
};
