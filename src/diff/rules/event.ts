import { breaking, harmless, type Rule } from '../rule.ts';
import { come, gone } from '../value.ts';

/** What is told to others, and when (language §6). */
export const event: Rule = {
  name: 'event',
  section: '6',
  at: [
    'events/kinds/*',
    'events/kinds/*/by',
    'events/kinds/*/when',
    'events/kinds/*/body',
    'events/envelope',
    'events/source',
    'events/subject',
    'events/kinds/*/subject',
  ],
  judge: (difference) => {
    const { path, before, after } = difference;
    const key = path[1] === 'kinds' ? (path.length === 3 ? 'kind' : path.at(-1)) : 'envelope';
    if (key === 'kind' && before && after) return [];
    if (key === 'by') {
      const less = gone(difference);
      return [
        less.length > 0
          ? breaking(`${less.join(', ')} no longer emits it`)
          : harmless(`${come(difference).join(', ')} emits it too`),
      ];
    }
    if (key === 'when')
      return [
        after ? breaking('it may be left out where it was emitted') : harmless('it is emitted more often'),
      ];
    if (after === undefined) return [breaking('it is emitted no longer')];
    if (before === undefined) return [harmless('it is emitted now')];
    return [breaking('what is told has another form')];
  },
};
