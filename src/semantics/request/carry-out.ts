import { stated } from '../../specification/reading/said.ts';
import { refusal } from '../change/refusal.ts';
import { emitted } from '../event/emit.ts';
import { NotComputable, Unknown, unknown } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { act } from './act.ts';
import { answerOf } from './answer.ts';
import { preconditions } from './conditional/conditional.ts';
import { inRange } from './conditional/ranges.ts';
import { notModified, validators } from './conditional/validators.ts';
import type { Permission } from './cors/permission.ts';
import { endedByHandler, mayChange } from './handled.ts';
import { answerOfOthers, changesTheirs } from './others/answers.ts';
import type { Request } from './prediction.ts';
import { ownRefusals } from './refuse.ts';
import { remember, remembersRefusals, repeatOf, unmarked } from './repeats.ts';
import { type Result, refused, refusedByItem } from './result.ts';
import { conditionsFrom } from './rows.ts';
import { type Ask, ran } from './run.ts';

/** The change, and what can be told of it alone (conditions 12 to 15). */
export function carriedOut(
  before: World,
  request: Request,
  { stored, admits }: Pick<Permission, 'stored' | 'admits'>,
  ask: Ask,
  moment: Moment,
): Result {
  const { world } = moment;
  const repeat = repeatOf(request, moment);
  if (repeat.kind === 'again')
    return { prediction: repeat.prediction, events: [], world: before, isRepeat: true };
  world.trace.push({ stage: 'repeats', refusals: repeat.kind === 'refused' ? [repeat.refusal] : [] });
  if (repeat.kind === 'refused') {
    const failed = preconditions(request, stored, moment).refusals;
    return refusedByItem(before, request, { stored, admits }, [repeat.refusal, ...failed], moment);
  }
  const step = remembering(request, moment, () =>
    judgedByItem(before, request, { stored, admits }, ask, moment),
  );
  return { ...step, prediction: unmarked(request, step.prediction) };
}

/** Remembers a refusal, if refusals are repeated, too. */
function remembering(request: Request, moment: Moment, carryOut: () => Result): Result {
  if (!remembersRefusals(request)) return carryOut();
  // What would be repeated is not known then.
  moment.world.isRefused = false;
  const result = carryOut();
  return isRefusedLate(result) ? remembered(request, result, moment) : result;
}

/**
 * What comes of a request that is refused by a condition before the key, or by one after it that `errors.order` puts first.
 * Whether the latter is remembered, nobody states.
 */
export function perhapsRemembered(request: Request, refused: Result, moment: Moment): Result {
  if (!remembersRefusals(request) || !isRefusedLate(refused)) return refused;
  return moment.world.decide(unknown([])) ? remembered(request, refused, moment) : refused;
}

/** Whether a request is refused by a condition that is judged after the key (language §H.4). */
function isRefusedLate({ prediction: { status, condition } }: Result): boolean {
  const isRefused = !(status instanceof Unknown) && status.every((each) => each >= 400 && each !== 501);
  return isRefused && (condition === undefined || conditionsFrom('key missing').includes(condition));
}

function remembered(request: Request, result: Result, moment: Moment): Result {
  if (result.world === null) return result;
  const world = result.world.fork(moment.world.ways);
  remember(request, result.prediction, new Moment(world, moment.names));
  return { ...result, world };
}

/** What is judged after the key, and the change. */
function judgedByItem(
  before: World,
  request: Request,
  { stored, admits }: Pick<Permission, 'stored' | 'admits'>,
  ask: Ask,
  moment: Moment,
): Result {
  const { operation } = request;
  const { world } = moment;
  const held = preconditions(request, stored, moment);
  world.trace.push({ stage: 'preconditions', refusals: held.refusals });
  if (held.refusals.length > 0)
    return refusedByItem(before, request, { stored, admits }, held.refusals, moment);
  const own = ownRefusals(operation, moment);
  // A precondition is ignored if the answer without it is no success (RFC 9110 §13.2.1).
  if (held.isUnmodified && own.length === 0)
    return { prediction: notModified(request, stored, moment), events: [], world };
  world.isRefused = own.length > 0;
  const verb = own.length === 0 ? stated(operation.does)?.verb : undefined;
  if (verb === 'run') return afterRun(request, ask, moment);
  if (verb === 'handled' && world.ways.choose(2) === 0)
    return { prediction: endedByHandler(operation), events: [], world: before };
  if (own.length === 0 && changesTheirs(operation, stored))
    return {
      prediction: answerOfOthers(operation, world.specification, world.mayAdd),
      events: unknown([]),
      world: null,
      ifRefused: before,
    };
  const acted = act(request, { stored, admits }, before, moment);
  const ofChange = 'refusals' in acted ? acted.refusals : [];
  world.trace.push({ stage: 'change', refusals: ofChange }, { stage: 'expressions', refusals: own });
  const refusals = [...ofChange, ...own];
  if ('refusals' in acted || own.length > 0)
    return refused(before, request, refusals, new Moment(before.fork(world.ways), moment.names));
  const answered = answerOf(operation, acted.moment, acted.outcome);
  if (mayChange(operation))
    return { prediction: { ...answered, headers: {}, body: unknown([]) }, events: [], world: null };
  const whole = {
    ...answered,
    headers: { ...validators(request, answered, acted.moment), ...answered.headers },
  };
  const prediction = stored ? inRange(request, whole, stored, acted.moment) : whole;
  remember(request, prediction, acted.moment);
  return { prediction, events: emitted(acted.done, before, acted.moment), world };
}

/** The answer to a request that sends others. What these did stays, whatever is answered (language §H.2, rule 17). */
function afterRun(request: Request, ask: Ask, moment: Moment): Result {
  const { results, events, world } = ran(request, ask, moment);
  const after = new Moment(world, { ...moment.names, results });
  try {
    const prediction = answerOf(request.operation, after, null);
    remember(request, prediction, after);
    return { prediction, events, world };
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error;
    return { ...refused(world, request, [refusal('internal')], after), events };
  }
}
