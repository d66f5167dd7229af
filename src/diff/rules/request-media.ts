import { breaking, harmless, type Rule } from '../rule.ts';
import { come, gone } from '../value.ts';

/** The media types of a body that are taken (language §4.2). */
export const requestMedia: Rule = {
  name: 'request-media',
  section: '4.2',
  at: ['endpoints/*/request/media'],
  judge: (difference) => {
    const less = gone(difference);
    return less.length > 0
      ? [breaking(`${less.join(', ')} is taken no longer`)]
      : [harmless(`${come(difference).join(', ')} is taken too`)];
  },
};
