import { get } from '../../source/node.ts';
import { harmless, type Rule, stored } from '../rule.ts';
import { statedValue } from '../value.ts';

/** A resource, shape or view that comes or goes (language §2); what clients lose by it stands where it is used. */
export const resource: Rule = {
  name: 'resource',
  section: '2',
  at: ['resources/*'],
  judge: ({ before, after }) => {
    if (before && after) return [];
    if (after) return [harmless('one more name to use')];
    const kept = statedValue(get(before, 'identifier')) !== undefined;
    return kept
      ? [stored('items kept of it can no longer be reached')]
      : [harmless('whoever used it tells of it')];
  },
};
