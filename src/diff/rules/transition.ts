import { get } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { come, gone, statedValue } from '../value.ts';

/** A move, from where and to where it goes, and whether it happens by itself (language §3.1). */
export const transition: Rule = {
  name: 'transition',
  section: '3.1',
  at: [
    'states/*/transitions/*',
    'states/*/transitions/*/from',
    'states/*/transitions/*/to',
    'states/*/transitions/*/after',
    'states/*/transitions/*/at',
  ],
  judge: (difference) => {
    const { path, before, after } = difference;
    const key = path.length === 4 ? null : path.at(-1);
    if (key === 'to') return [breaking('it leads to another state')];
    if (key === 'after' || key === 'at') return [breaking('items move by themselves at another time')];
    if (key === 'from') {
      const less = gone(difference);
      return less.length > 0
        ? [breaking(`it is refused from ${less.join(', ')}`)]
        : [harmless(`it is made from ${come(difference).join(', ')} too`)];
    }
    if (after === undefined) return [breaking('the move is made no longer')];
    const timed = ['after', 'at'].some((word) => statedValue(get(after, word)) !== undefined);
    return before ? [] : [timed ? breaking('items move by themselves now') : harmless('one more move')];
  },
};
