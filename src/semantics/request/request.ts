import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { type Sender, senderOf } from '../access/credential.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import type { Truth } from '../value/truth.ts';
import { NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { everyWay, Undetermined } from '../world/ways.ts';
import { itemOf, type Stored, type World } from '../world/world.ts';
import { act } from './act.ts';
import { meant } from './alternative.ts';
import { answerOf } from './answer.ts';
import { bodyOf } from './body.ts';
import { boundItems } from './find.ts';
import { permission } from './permission.ts';
import type { Prediction, Request } from './prediction.ts';
import { queryRefusals, withDefaults } from './query.ts';
import { mayPrecede, ownRefusals, refusedAs } from './refuse.ts';

/** One thing that may come of a request. */
export interface Step {
  readonly prediction: Prediction;
  /** The world after the request; the same, if the request is refused. Null: what the request changed is unknown. */
  readonly world: World | null;
}

/** More ways than this are not gone: nothing is said. */
const mostWays = 64;

/**
 * What may come of a request, as the document says (language §4, §7): several things if it is a choice, or hangs on what is
 * not known. An implementation does one of them.
 */
export function step(world: World, request: Request): readonly Step[] {
  const steps = everyWay((ways) => inOneWay(world, world.fork(ways), request), mostWays);
  return steps ?? [undetermined(unknown([]))];
}

function inOneWay(before: World, world: World, request: Request): Step {
  try {
    const operation = meant(request, namesOf(request, world), world);
    if (operation === null) return refused(before, request, [refusal('unknown path')], new Moment(world, {}));
    return judged(before, world, { ...request, operation });
  } catch (error) {
    // That the request is refused may be known, and how not.
    if (error instanceof Undetermined)
      return { ...undetermined(error.because), world: world.isRefused ? before : null };
    if (!(error instanceof NotComputable)) throw error;
    return refused(before, request, [refusal('internal')], new Moment(world, {}));
  }
}

/**
 * The conditions in their order (language §H.4). One that comes later is judged only if its row may answer first.
 */
function judged(before: World, world: World, request: Request): Step {
  const { operation } = request;
  const open = beyond(operation, world.specification);
  if (open !== null) world.leave(open);
  const ambient = namesOf(request, world);
  const sender = senderOf(request.credentials, new Moment(world, ambient));
  const bound = boundItems(operation, request, world);
  const names: Record<string, Value> = { ...ambient, actor: actorOf(sender, world), ...bound.names };
  const moment = new Moment(world, names);
  const permitted = permission(request, sender, bound.missing, moment);
  const early = permitted.refusals;
  world.isRefused = early.length > 0;
  if (early.length > 0 && !mayPrecede('invalid', early, operation, moment))
    return refused(before, request, early, moment);
  const query = queryRefusals(request, world);
  const body = bodyOf(request, moment);
  const found = [...early, ...query, ...body.refusals];
  const isUnfit = permitted.isMissing || query.length > 0 || body.refusals.length > 0;
  if (isUnfit || (found.length > 0 && !mayPrecede('wrong credentials', found, operation, moment)))
    return refused(before, request, found, moment);
  if (found.length > 0) world.leave(unknown([]));
  const subject = permitted.stored && operation.subject && itemOf(permitted.stored, operation.subject);
  const given = { ...(names['request'] as object), body: body.value ?? null };
  const about = { ...names, ...(subject && { this: subject }), request: given };
  return carriedOut(before, request, permitted, new Moment(world, about));
}

/** The change, and what can be told of it alone (conditions 12 to 15). */
function carriedOut(
  before: World,
  request: Request,
  { stored, admits }: { readonly stored: Stored | null; readonly admits: (item: Value) => Truth },
  moment: Moment,
): Step {
  const { operation } = request;
  const { world } = moment;
  const own = ownRefusals(operation, moment);
  world.isRefused = own.length > 0;
  const acted = act(request, { stored, admits }, before, moment);
  const refusals = [...('refusals' in acted ? acted.refusals : []), ...own];
  if ('refusals' in acted || own.length > 0)
    return refused(before, request, refusals, new Moment(before.fork(world.ways), moment.names));
  return { prediction: answerOf(operation, acted.moment, acted.outcome), world };
}

function refused(before: World, { operation }: Request, refusals: readonly Refusal[], moment: Moment): Step {
  return { prediction: refusedAs(refusals, operation, moment, operation.address), world: before };
}

function undetermined(because: Unknown): Step {
  return { prediction: { status: because, headers: {}, body: because, by: '' }, world: null };
}

/** What is stated and not carried out here; null: nothing. What is not carried out is unknown, never true. */
const beyond = once(({ endpoint, does, request }: Operation, of: Specification): Unknown | null => {
  if (does.kind === 'open') return new Unknown(new Set([does.address]));
  const limits = stated(of.limits);
  const counted = [limits?.rates, limits?.concurrency].filter((said) => (stated(said)?.size ?? 0) > 0);
  const points: readonly (Said<unknown> | undefined)[] = [
    endpoint.conditional,
    endpoint.idempotency,
    request?.headers,
    of.versioning,
    limits && stated(limits.sizes)?.page,
    ...counted,
  ];
  const written = points.filter((said) => said?.kind === 'stated' || said?.kind === 'any');
  return written.length > 0
    ? new Unknown(new Set(written.map((said) => (said as Said<unknown>).address)))
    : null;
});

function namesOf({ operation, path, query, headers, url }: Request, world: World): Record<string, Value> {
  return {
    actor: null,
    now: world.make('time', 'now'),
    request: { path, query: withDefaults(operation, query), headers, body: null },
    service: { url },
  };
}

/** While part 5 is open, nobody knows who asks. */
function actorOf({ actor }: Sender, { specification: { authentication } }: World): Value {
  return authentication.kind === 'open' ? new Unknown(new Set([authentication.address])) : actor;
}
