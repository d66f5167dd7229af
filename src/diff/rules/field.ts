import { breaking, direction, harmless, type Judgement, type Rule, stored } from '../rule.ts';

/** A member that comes or goes, of whatever has fields (language §2, §H.1). */
export const field: Rule = {
  name: 'field',
  section: '2',
  at: [
    'resources/*/fields/*',
    'resources/*/**/fields/*',
    'resources/*/**/properties/*',
    'endpoints/*/request/body/**/fields/*',
    'endpoints/*/request/body/**/properties/*',
  ],
  judge: ({ path, before, after }, context) => {
    const way = direction(path, context);
    if (way === undefined || (before && after)) return [];
    if (after) return [harmless('one more member; required tells whether it must be given')];
    const found: Judgement[] = [];
    if (way.output) found.push(breaking('the member is shown no longer'));
    if (way.input) found.push(breaking('the member is taken no longer'));
    if (way.kept) found.push(stored('what is kept of it has no place any more'));
    return found.length > 0 ? found : [harmless('no operation takes it or shows it')];
  },
};
