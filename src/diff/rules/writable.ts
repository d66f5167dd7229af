import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** Who may write a field, and when (language §2, §E.8). */
export const writable: Rule = {
  name: 'writable',
  section: '2',
  at: ['resources/*/fields/*/writable'],
  judge: ({ path, before, after }, { was }) => {
    if (statedValue(after) === true || statedValue(before) === false)
      return [harmless('clients may write the member now')];
    return was.taken.has(path[1] as string)
      ? [breaking('clients that write the member are treated as others says')]
      : [harmless('no request brings it')];
  },
};
