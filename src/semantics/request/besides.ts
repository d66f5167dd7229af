import { stated } from '../../specification/reading/said.ts';
import type { Refusal } from '../change/refusal.ts';
import { unknown } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { act } from './act.ts';
import { preconditions } from './conditional.ts';
import type { Permission } from './permission.ts';
import type { Request } from './prediction.ts';
import { ifComputed, ownRefusals } from './refuse.ts';
import { hasKey } from './repeats.ts';

/**
 * The later conditions that hold for a request that is refused already: each of them may answer, if `errors.order` puts it
 * first, or is silent (language §H.4, rule 8; §F.1).
 */
export function refusalsBesides(
  request: Request,
  { stored, admits }: Pick<Permission, 'stored' | 'admits'>,
  before: World,
  moment: Moment,
): readonly Refusal[] {
  const { operation } = request;
  const { world } = moment;
  const verb = stated(operation.does)?.verb;
  if (verb === 'run' || hasKey(request)) world.leave(unknown([]));
  const held = preconditions(request, stored, moment);
  if (held.refusals.length > 0) return held.refusals;
  const own = ownRefusals(operation, moment);
  // There may be no credential that could be revoked. Revoking has no conditions of its own.
  if (verb === 'revoke') return own;
  const acted = ifComputed(() => act(request, { stored, admits }, before, moment));
  return acted && 'refusals' in acted ? [...acted.refusals, ...own] : own;
}
