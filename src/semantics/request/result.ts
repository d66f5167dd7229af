import type { Refusal } from '../change/refusal.ts';
import type { Emission } from '../event/event.ts';
import { type Unknown, unknown } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { Stage } from '../world/trace.ts';
import type { World } from '../world/world.ts';
import { conditionsBesides, refusalsBesides } from './besides.ts';
import type { Permission } from './cors/permission.ts';
import { changesTheirs, refusalOfOthers } from './others/answers.ts';
import { type Prediction, type Request, unsaid } from './prediction.ts';
import type { Counts } from './rates.ts';
import { refusedAs } from './refuse.ts';
import { mayPrecede } from './rows.ts';

/** What comes of a request. */
export interface Result {
  readonly prediction: Prediction;
  /** The events that it emits. */
  readonly events: Emission;
  /** The world after the request; the same, if the request is refused. Null: what the request changed is unknown. */
  readonly world: World | null;
  /** The world, if the request turns out to be refused. Default: `world` */
  readonly ifRefused?: World;
  /** Whether it is the answer to an earlier request with the same key. Default: false. */
  readonly isRepeat?: boolean;
  /** Which rates count it; left out: that is not known. */
  readonly counts?: Counts;
}

export function refused(
  before: World,
  { operation }: Request,
  refusals: readonly Refusal[],
  moment: Moment,
): Result {
  return { prediction: refusedAs(refusals, operation, moment, operation.address), events: [], world: before };
}

/** Refused for a reason that is apart from the order of conditions. */
export function refusedAt(
  stage: Stage,
  before: World,
  request: Request,
  reason: Refusal,
  moment: Moment,
): Result {
  moment.world.trace.push({ stage, refusals: [reason] });
  return refused(before, request, [reason], moment);
}

export function undetermined(because: Unknown): Result {
  return { prediction: unsaid(because, ''), events: because, world: null };
}

/** Refused by a condition, or by one that comes later and may answer first (language §H.4, rule 8). */
export function refusedBesides(
  before: World,
  request: Request,
  permitted: Pick<Permission, 'stored' | 'admits'>,
  found: readonly Refusal[],
  between: readonly Refusal[],
  isUnfit: boolean,
  moment: Moment,
): Result {
  const { world } = moment;
  // What the change of somebody else's item would tell may answer, too.
  const isOfOthers = !isUnfit && changesTheirs(request.operation, permitted.stored);
  if (isOfOthers && world.ways.choose(2) === 1) {
    const prediction = refusalOfOthers(request.operation, world.specification, world.mayAdd);
    return { prediction, events: [], world: before };
  }
  const all = refusalsBesides(request, permitted, between, isUnfit, before, moment);
  const isInvalid = ({ condition }: Refusal): boolean => condition === 'invalid';
  // Whether what does not fit of the change is listed beside what does not fit of the parameters, nobody states.
  const isApart = found.some(isInvalid) && all.some(isInvalid) && world.decide(unknown([]));
  const besides = isApart ? all.filter((each) => !isInvalid(each)) : all;
  const own = new Moment(before.fork(moment.world.ways), moment.names);
  return refused(before, request, [...found, ...besides], own);
}

/** Refused by the key or a precondition, though what only the change tells may answer first. */
export function refusedByItem(
  before: World,
  request: Request,
  permitted: Pick<Permission, 'stored' | 'admits'>,
  found: readonly Refusal[],
  moment: Moment,
): Result {
  moment.world.isRefused = true;
  if (!mayPrecede(conditionsBesides(false), found, request.operation, moment))
    return refused(before, request, found, moment);
  return refusedBesides(before, request, permitted, [], found, false, moment);
}
