import { get } from '../../source/node.ts';
import { operationsOf } from '../operations.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** An endpoint that comes or goes; its address is its method and path (language §4.1). */
export const endpoint: Rule = {
  name: 'endpoint',
  section: '4.1',
  at: ['endpoints/*'],
  judge: ({ path, before, after }, context) => {
    if (!(path[1] as string).includes(' ') || (before && after)) return [];
    if (after) return [harmless('one more operation')];
    const operation = statedValue(get(before, 'operation'));
    const elsewhere =
      operation === undefined ? undefined : operationsOf(context.after).get(String(operation));
    return [
      breaking(
        elsewhere === undefined ? 'its requests are refused now' : `the operation is at ${elsewhere} now`,
      ),
    ];
  },
};
