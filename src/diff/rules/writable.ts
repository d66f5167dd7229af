import type { Node } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** Who may write a field, and when (language §2, §E.8). */
export const writable: Rule = {
  name: 'writable',
  section: '2',
  at: ['resources/*/fields/*/writable'],
  judge: ({ path, before, after }, context) => {
    const [was, is] = [reach(before), reach(after)];
    if (is === widest || was === 0 || (was !== undefined && is !== undefined && is > was))
      return [harmless('clients may write the member now')];
    // Of two expressions, nobody knows which lets more through; nor of one and `once`.
    if (is === undefined && was !== widest) return [];
    return context.was.taken.has(path[1] as string)
      ? [breaking('clients that write the member are treated as others says')]
      : [harmless('no request brings it')];
  },
};

const widest = 3;

/** From never to always; undefined for an expression, and where nothing is stated. */
function reach(node: Node | undefined): number | undefined {
  const place = [false, 'once', 'same', true].indexOf(statedValue(node) as string | boolean);
  return place < 0 ? undefined : place;
}
