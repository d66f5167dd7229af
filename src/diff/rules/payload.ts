import type { Node } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';

/** A member of what is sent: of an answer, an error or an event (language §H.3, §6, §7). */
export const payload: Rule = {
  name: 'payload',
  section: 'H.3',
  at: [
    'endpoints/*/response/body/**/*',
    'errors/payload/body/**/*',
    'errors/codes/*/body/**/*',
    'errors/codes/*/extra/*',
    'events/kinds/*/body/**/*',
    'events/envelope/**/*',
  ],
  judge: ({ path, before, after }) => {
    if (['body', 'envelope'].includes(path.at(-1) as string)) return [];
    if (before === undefined) return [harmless('one more member')];
    if (after === undefined) return [breaking('the member is sent no longer')];
    return kind(before) === kind(after)
      ? []
      : [breaking(`the member is ${kind(after)}, and was ${kind(before)}`)];
  },
};

/** What a template comes to, as far as its form tells. */
function kind(node: Node): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'an object';
  if (typeof node.value === 'string') return /^\$\{.*\}$/s.test(node.value) ? 'worked out' : 'text';
  return node.value === null ? 'null' : typeof node.value === 'number' ? 'a number' : 'true or false';
}
