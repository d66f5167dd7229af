import { type ConditionName, conditionNames } from '../../specification/vocabulary/condition.ts';
import type { Judge } from '../judge/judge.ts';
import type { Request } from './request.ts';

/** What only the change tells (language §H.4, 9, 13 and 14). */
const toldByChange: readonly ConditionName[] = [
  'invalid',
  ...conditionNames.slice(conditionNames.indexOf('transition refused'), conditionNames.indexOf('expression')),
];

/** What stands against a change is found by carrying it out. */
export const changeJudges: readonly Judge<Request>[] = toldByChange.map((condition) => ({
  condition,
  code: null,
  kept: true,
  byChange: true,
  refuses: (request) => {
    const { within } = request;
    if (within === null || !isReady(request)) return [];
    const { isUnsought, missing } = within.found();
    if (isUnsought || missing.length > 0) return [];
    within.change();
    const { held, refusals } = within.doing.found;
    if (held.length > 0) return { held };
    return refusals.length === 0 ? refusals : refusals.filter((refusal) => refusal.condition === condition);
  },
}));

/** Of a body that does not fit, it is not said what its change would meet (language §H.4, rule 8). */
function isReady({ foreign, oversized, unreadable, body }: Request): boolean {
  if (foreign || oversized || unreadable.length > 0) return false;
  return body === null || (body.held === null && body.failures.length === 0);
}
