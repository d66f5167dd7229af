import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { carryOut } from '../change/change.ts';
import type { Refusal } from '../change/refusal.ts';
import { NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { answerOf } from './answer.ts';
import { bodyOf } from './body.ts';
import { boundItems, findSubject } from './find.ts';
import type { Prediction, Request } from './prediction.ts';
import { queryRefusals, withDefaults } from './query.ts';
import { refusedAs } from './refuse.ts';

export interface Step {
  readonly prediction: Prediction;
  /** The world after the request; the same, if the request is refused. Null: what the request changed is unknown. */
  readonly world: World | null;
}

/** What comes of a request, as the document says (language §4, §7). */
export function step(world: World, request: Request): Step {
  const { operation } = request;
  try {
    return judged(world, request);
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error;
    const refusal: Refusal = { condition: 'internal', subject: '', failures: [] };
    return refused(world, request, [refusal], new Moment(world, {}), operation.address);
  }
}

/** The stages in the order of the conditions (language §H.4). A stage that is not determined ends the prediction. */
function judged(before: World, request: Request): Step {
  const { operation } = request;
  const world = before.fork();
  const open = isCarriedOut(operation);
  if (open !== null) return undetermined(open);
  const ambient = namesOf(request, world);
  const bound = boundItems(operation, request, world);
  if (bound instanceof Unknown) return undetermined(bound);
  const names = { ...ambient, ...bound.names };
  const moment = new Moment(world, names);
  const subject = bound.missing === null ? findSubject(operation, request, moment) : undefined;
  if (subject instanceof Unknown) return undetermined(subject);
  const missing = bound.missing ?? (subject === null ? (operation.subject?.name ?? '') : null);
  const query = queryRefusals(request, world.specification);
  const body = bodyOf(request, world);
  if (body instanceof Unknown || query instanceof Unknown) {
    const because = unknown([body, query].filter((each) => each instanceof Unknown));
    // Which condition answers is unknown; that one refuses the request is not.
    return missing === null ? undetermined(because) : { ...undetermined(because), world: before };
  }
  const refusals: Refusal[] = [
    ...(missing === null ? [] : [unknownItem(missing)]),
    ...query,
    ...body.refusals,
  ];
  if (refusals.length > 0) return refused(before, request, refusals, moment, operation.address);
  const withBody = { ...names, request: { ...(names['request'] as object), body: body.value ?? null } };
  const change = carryOut(operation, subject ?? null, request.query, withBody, world);
  if (change instanceof Unknown) return undetermined(change);
  if ('refusals' in change) return refused(before, request, change.refusals, moment, operation.address);
  const after = new Moment(world, { ...withBody, ...change.names }, change.makes);
  const prediction = answerOf(operation, after, change.outcome);
  return { prediction, world: prediction.status instanceof Unknown ? null : world };
}

function refused(
  world: World,
  { operation }: Request,
  refusals: readonly Refusal[],
  moment: Moment,
  by: Address,
): Step {
  return { prediction: refusedAs(refusals, operation, moment, by), world };
}

function undetermined(because: Unknown): Step {
  return { prediction: { status: because, headers: {}, body: because, by: '' }, world: null };
}

function unknownItem(subject: string): Refusal {
  return { condition: 'unknown', subject, failures: [] };
}

/** What of an operation this does not carry out; null: nothing. What is not carried out is unknown, never true. */
function isCarriedOut({ endpoint, does }: Operation): Unknown | null {
  const points = [endpoint.also, endpoint.conditional, endpoint.idempotency];
  const written = points.filter(({ kind }) => kind === 'stated' || kind === 'any');
  if (does.kind === 'open') return new Unknown(new Set([does.address]));
  return written.length > 0 ? new Unknown(new Set(written.map(({ address }) => address))) : null;
}

function namesOf({ operation, path, query, url }: Request, world: World): Record<string, Value> {
  return {
    actor: null,
    now: world.make('time', 'now'),
    request: { path, query: withDefaults(operation, query), headers: unknown([]), body: null },
    service: { url },
  };
}
