import { get, type Node } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** An endpoint that comes or goes; its address is its method and path (language §4.1). */
export const endpoint: Rule = {
  name: 'endpoint',
  section: '4.1',
  at: ['endpoints/*'],
  judge: ({ path, before, after }, context) => {
    if ((path[1] as string).includes(' ') === false || (before && after)) return [];
    if (after) return [harmless('one more operation')];
    const elsewhere = endpointOf(context.after, statedValue(get(before, 'operation')));
    return [
      breaking(
        elsewhere === undefined ? 'its requests are refused now' : `the operation is at ${elsewhere} now`,
      ),
    ];
  },
};

function endpointOf(tree: Node, operation: unknown): string | undefined {
  const all = get(tree, 'endpoints');
  if (all?.kind !== 'map' || operation === undefined) return undefined;
  return [...all.entries].find(([, { value }]) => statedValue(get(value, 'operation')) === operation)?.[0];
}
