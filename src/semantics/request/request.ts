import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { carryOut } from '../change/change.ts';
import type { Refusal } from '../change/refusal.ts';
import { NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { everyWay, Undetermined } from '../world/ways.ts';
import type { World } from '../world/world.ts';
import { answerOf } from './answer.ts';
import { bodyOf } from './body.ts';
import { boundItems, findSubject } from './find.ts';
import type { Prediction, Request } from './prediction.ts';
import { queryRefusals, withDefaults } from './query.ts';
import { refusedAs } from './refuse.ts';

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
  const { operation } = request;
  try {
    return judged(before, world, request);
  } catch (error) {
    // That the request is refused may be known, and how not.
    if (error instanceof Undetermined)
      return { ...undetermined(error.because), world: world.isRefused ? before : null };
    if (!(error instanceof NotComputable)) throw error;
    const refusal: Refusal = { condition: 'internal', subject: '', failures: [] };
    return refused(before, request, [refusal], new Moment(world, {}), operation.address);
  }
}

/** The stages in the order of the conditions (language §H.4). */
function judged(before: World, world: World, request: Request): Step {
  const { operation } = request;
  carriedOut(operation, world);
  const ambient = namesOf(request, world);
  const bound = boundItems(operation, request, world);
  const names = { ...ambient, ...bound.names };
  const moment = new Moment(world, names);
  const subject = bound.missing === null ? findSubject(operation, request, moment) : undefined;
  const missing = bound.missing ?? (subject === null ? (operation.subject?.name ?? '') : null);
  world.isRefused = missing !== null;
  const query = queryRefusals(request, world);
  const body = bodyOf(request, world);
  const refusals: Refusal[] = [
    ...(missing === null ? [] : [unknownItem(missing)]),
    ...query,
    ...body.refusals,
  ];
  if (refusals.length > 0) return refused(before, request, refusals, moment, operation.address);
  const withBody = { ...names, request: { ...(names['request'] as object), body: body.value ?? null } };
  const change = carryOut(operation, subject ?? null, request.query, withBody, world);
  if ('refusals' in change) return refused(before, request, change.refusals, moment, operation.address);
  const after = new Moment(world, { ...withBody, ...change.names }, change.makes);
  return { prediction: answerOf(operation, after, change.outcome), world };
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

/** What of an operation this does not carry out is unknown, never true. */
function carriedOut({ endpoint, does }: Operation, world: World): void {
  const points = [endpoint.also, endpoint.conditional, endpoint.idempotency];
  const written = points.filter(({ kind }) => kind === 'stated' || kind === 'any');
  if (does.kind === 'open') world.leave(new Unknown(new Set([does.address])));
  if (written.length > 0) world.leave(new Unknown(new Set(written.map(({ address }) => address))));
}

function namesOf({ operation, path, query, url }: Request, world: World): Record<string, Value> {
  return {
    actor: null,
    now: world.make('time', 'now'),
    request: { path, query: withDefaults(operation, query), headers: unknown([]), body: null },
    service: { url },
  };
}
