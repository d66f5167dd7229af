import { stated } from '../../specification/reading/said.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Refusal } from '../change/refusal.ts';
import { unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import { act } from './act.ts';
import { preconditions } from './conditional/conditional.ts';
import type { Permission } from './cors/permission.ts';
import { changesTheirs } from './others/answers.ts';
import type { Request } from './prediction.ts';
import { ifComputed, ownRefusals } from './refuse.ts';
import { repeatOf } from './repeats.ts';
import { conditionsFrom } from './rows.ts';

const later = conditionsFrom('key missing');
const ofChange = conditionsFrom('transition refused').filter((name): boolean => name !== 'expression');
const laterOfUnfit = later.filter((name) => !ofChange.includes(name));

/** The conditions that may answer in place of one that comes before the change. */
const besides: readonly ConditionName[] = ['invalid', ...later];

/**
 * The later conditions that may hold for a request that is refused already. Those of its change do not, if there is no item,
 * or if the body cannot be read or does not fit (language §H.4, rule 8).
 */
export function conditionsBesides(isUnfit: boolean): readonly ConditionName[] {
  return isUnfit ? laterOfUnfit : besides;
}

/** The conditions of the key and of preconditions, of a request that is refused already. */
export function earlyBesides(request: Request, stored: Stored | null, moment: Moment): readonly Refusal[] {
  const key = repeatOf(request, moment);
  if (key.kind === 'again') moment.world.leave(unknown([]));
  const failed = preconditions(request, stored, moment).refusals;
  return [...(key.kind === 'refused' ? [key.refusal] : []), ...failed];
}

/**
 * The later conditions that hold for a request that is refused already: each of them may answer, if `errors.order` puts it
 * first, or is silent (language §H.4, rule 8; §F.1).
 *
 * @param early those that come before the change
 * @param isUnfit whether there is no item, or the body cannot be read or does not fit
 * @returns without those of a change of somebody else's item, of which nothing is known
 */
export function refusalsBesides(
  request: Request,
  { stored, admits }: Pick<Permission, 'stored' | 'admits'>,
  early: readonly Refusal[],
  isUnfit: boolean,
  before: World,
  moment: Moment,
): readonly Refusal[] {
  const { operation } = request;
  const verb = stated(operation.does)?.verb;
  const own = ownRefusals(operation, moment);
  // There may be no credential that could be revoked. Revoking has no conditions of its own, and what is run answers for itself.
  if (verb === 'revoke' || verb === 'run' || (isUnfit && verb !== 'authenticate')) return [...early, ...own];
  if (changesTheirs(operation, stored)) return [...early, ...own];
  const acted = ifComputed(() => act(request, { stored, admits }, before, moment));
  return [...early, ...(acted && 'refusals' in acted ? acted.refusals : []), ...own];
}

/**
 * The body as later conditions read it. If it does not fit, it is what came: the language does not say whether its values
 * are converted (§2.2, `taken`).
 */
export function bodyRead(
  { operation: { subject } }: Request,
  fitting: Value | undefined,
  came: Value,
): Value {
  if (fitting !== undefined) return fitting;
  const isConverted = [...(subject?.fields.values() ?? [])].some(({ taken }) => stated(taken) !== undefined);
  return isConverted ? unknown([]) : came;
}
