import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** What becomes of members that nobody stated: to refuse them breaks who sends them (language §H.1). */
export const others: Rule = {
  name: 'others',
  section: 'H.1',
  at: [
    'resources/*/others',
    'resources/*/fields/**/others',
    'endpoints/*/request/others',
    'endpoints/*/request/others/*',
  ],
  judge: ({ before, after }) => {
    const [was, is] = [statedValue(before), statedValue(after)];
    if (is === 'refuse') return [breaking('members that were taken are refused now')];
    if (was === 'keep') return [breaking('members that were kept are kept no longer')];
    return was === 'refuse' ? [harmless('members that were refused are taken now')] : [];
  },
};
