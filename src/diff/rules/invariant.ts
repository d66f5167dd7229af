import { breaking, harmless, type Rule, stored } from '../rule.ts';

/** What always holds, of an item or of a value (language §2). */
export const invariant: Rule = {
  name: 'invariant',
  section: '2',
  at: [
    'resources/*/invariants',
    'resources/*/invariants/*',
    'resources/*/fields/*/holds',
    'resources/*/fields/*/holds/*',
  ],
  judge: ({ after }) =>
    after
      ? [breaking('what breaks it is refused'), stored('kept items may break it')]
      : [harmless('what broke it is taken now')],
};
