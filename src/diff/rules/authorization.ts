import type { Node } from '../../source/node.ts';
import { operationsOf } from '../operations.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { gone, itemsOf } from '../value.ts';

/** Who may do what (language §5.5). */
export const authorization: Rule = {
  name: 'authorization',
  section: '5.5',
  at: ['authentication/authorization/*', 'authentication/otherwise'],
  judge: (difference, context) => {
    const { path, before, after } = difference;
    if (path.length === 3) {
      const name = path[2] as string;
      if (!operationsOf(context.before).has(name)) return [harmless('the operation is new')];
      if (!operationsOf(context.after).has(name)) return [harmless('the operation is there no longer')];
    }
    if (before === undefined)
      return [
        itemsOf(after).includes('anyone') ? harmless('anyone may') : breaking('not everybody may any more'),
      ];
    if (after === undefined) return [];
    const [was, is] = [rank(before), rank(after)];
    if (was !== undefined && is !== undefined && was !== is)
      return [is < was ? breaking('fewer may') : harmless('more may')];
    if (was !== undefined || is !== undefined) return widest(was, is);
    return before.kind === 'list' || after.kind === 'list' ? listed(gone(difference)) : [];
  },
};

/** From a rule that refuses everybody to anyone; undefined for a rule that depends on who asks. */
function rank(node: Node): number | undefined {
  const names = itemsOf(node);
  if (names.includes('anyone')) return 3;
  if (names.includes('known')) return 2;
  return names.every((one) => one === '${false}') ? 0 : undefined;
}

function widest(was: number | undefined, is: number | undefined) {
  return [was === 0 || (is ?? 0) >= 2 ? harmless('more may') : breaking('fewer may')];
}

function listed(less: readonly string[]) {
  return less.length > 0 ? [breaking(`these may no longer: ${less.join(', ')}`)] : [harmless('more may')];
}
