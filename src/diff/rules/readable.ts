import { breaking, direction, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** Who sees a field (language §2, §E.8). */
export const readable: Rule = {
  name: 'readable',
  section: '2',
  at: ['resources/*/fields/*/readable'],
  judge: ({ path, before, after }, context) => {
    if (statedValue(after) === true) return [harmless('everybody sees the member now')];
    if (statedValue(before) === false) return [harmless('some see the member now')];
    // Of two expressions, nobody knows which shows it to more.
    if (statedValue(before) !== true && statedValue(after) !== false) return [];
    const shown = context.was.shown.has(path[1] as string) || direction(path, context)?.output;
    return shown ? [breaking('not everybody sees the member any more')] : [harmless('no answer shows it')];
  },
};
