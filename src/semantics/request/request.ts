import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { spelledPath } from '../../specification/model/path-spelling.ts';
import { stated } from '../../specification/reading/said.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';
import { type Sender, senderOf } from '../access/sender.ts';
import { recalled } from '../change/forget.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import { areTimersSet } from '../change/timers.ts';
import { pageParameter } from '../list/asked.ts';
import { listRefusals } from '../list/page.ts';
import { absent } from '../value/evaluate.ts';
import { Item, NotComputable, seen, theirs, Unknown, unknown, type Value } from '../value/value.ts';
import { type MeantVersion, meantVersion, type WrongVersion } from '../version/meant.ts';
import { Moment } from '../world/moment.ts';
import type { Received } from '../world/received.ts';
import { secretsOf } from '../world/secrets.ts';
import type { Judged } from '../world/trace.ts';
import { Barred, everyWay, Undetermined } from '../world/ways.ts';
import type { World } from '../world/world.ts';
import { meant } from './alternative.ts';
import { begun } from './begin.ts';
import { bodyRead, conditionsBesides, earlyBesides } from './besides.ts';
import { beyond } from './beyond.ts';
import { carriedOut, perhapsRemembered } from './carry-out.ts';
import { unsupportedMedia } from './content/media.ts';
import { tooLargeBody } from './content/size.ts';
import { notAcceptable } from './content/unread.ts';
import { preflight } from './cors/cors.ts';
import { type Permission, permission, refusalsUnseen } from './cors/permission.ts';
import { afterTimers } from './due.ts';
import { withFields } from './fields.ts';
import { boundItems } from './find.ts';
import { forgotten, isRefusalPlain } from './forget.ts';
import { asItComes, bodyOf, isUnfitPatch, unreadable } from './given/body.ts';
import { boundFailures, withBound } from './given/bound.ts';
import { namesOf } from './given/names.ts';
import { promisedBy } from './given/promised.ts';
import { headerRefusals, pathRefusals, queryRefusals, tooLarge, withTaken } from './given/query.ts';
import { type Request, unsaid } from './prediction.ts';
import { counted, countsOf, countsPerhaps, doubtful, ratesExceeded, withRateFields } from './rates.ts';
import { hasKey, isRepeat, repeatOf } from './repeats.ts';
import { type Result, refused, refusedAt, refusedBesides, undetermined } from './result.ts';
import { type Routed, routedBy } from './route.ts';
import { conditionsFrom, isListed, mayPrecede } from './rows.ts';
import type { Ask } from './run.ts';
import { type CarriedOut, isReading, withSilence } from './silence.ts';
import { endingFields, retirement, statesErrorsApart } from './version.ts';
import { refusedWhatever } from './whatever.ts';

/** One thing that may come of a request. */
export interface Step extends Result {
  /** What was judged on the way, in its order. What comes after a refusal is not judged. */
  readonly trace: readonly Judged[];
  /**
   * The world if it is not known what came of the request: what it may have touched is unknown. Null: that may be anything.
   *
   * @param status of the answer
   * @param done the world if the answer says that the request was carried out; null: it does not
   */
  readonly forget?: (status: number, done: World | null) => World | null;
  /** What it did of what is stated, if it may have done more. */
  readonly carriedOut?: CarriedOut;
}

/** More ways than this are not gone: nothing is said. */
const mostWays = 64;

/**
 * What may come of a request, as the document says (language §4, §7): several things if it is a choice, or hangs on what is
 * not known. An implementation does one of them.
 *
 * @param received when the service receives the request. Default: as the one before it; of the first one, nothing is known
 * @param most if the request may go in more ways than this, nothing is said. Default: 64
 */
export function step(
  world: World,
  request: Request,
  received: Received = world.received,
  most = mostWays,
): readonly Step[] {
  const version = meantVersion(world.newest, request.version);
  const ready = begun(recalled(world.at(received)));
  if (ready instanceof Unknown) return [{ ...undetermined(ready), trace: [] }];
  const forget: Step['forget'] = (status, done) => forgotten(ready, request, status, done);
  if (version instanceof Unknown) return [{ ...undetermined(version), trace: [], forget }];
  if (typeof version === 'string') {
    // Whether a preflight request names a version, the language does not say.
    if (request.isPreflight === true)
      return [{ prediction: unsaid(unknown([]), ''), events: [], world: ready, trace: [] }];
    return withoutVersion(ready, request, version).map((each) => ({ ...each, trace: [] }));
  }
  const steps = afterTimers(ready, request.url, (start) => stepsFrom(start, request, version, most));
  const ending = endingFields(version, ready);
  return (steps ?? [{ ...undetermined(unknown([])), trace: [] }]).map((each) => ({
    ...each,
    forget,
    prediction: { ...each.prediction, headers: { ...ending, ...each.prediction.headers } },
  }));
}

/** What may come of a request that finds this world. */
function stepsFrom(start: World, request: Request, version: MeantVersion, most: number): readonly Step[] {
  const before = start.in(version.specification);
  if (request.isPreflight === true) {
    const prediction = preflight(request, before.specification);
    return [{ prediction, events: [], world: doubtful(start, request.operation), trace: [] }];
  }
  const steps = everyWay((ways) => {
    const own = before.fork(ways);
    return { ...answered(before, own, request, version), trace: own.trace };
  }, most);
  const unsure = [{ ...undetermined(unknown([])), trace: [] }];
  const operation = operationIn(before.specification, request) ?? request.operation;
  const perhaps = steps ? countsPerhaps(steps.map(({ counts }) => counts)) : undefined;
  const promised = promisedBy(operation, before.specification);
  return withSilence(steps ?? unsure, before, operation, request).map((each) => {
    const counts = each.counts ?? perhaps;
    const counting = (world: World): World =>
      (counts ? counted(world, counts) : doubtful(world, operation)).in(start.newest);
    const known = each.world && refersToTheirs(before, each.world) ? null : each.world;
    const after = known && counting(known);
    if (after && each.world !== before && !areTimersSet(start, after.received.at, timing(after, request)))
      return { ...undetermined(unknown([], true)), trace: each.trace };
    const { prediction } = each;
    return {
      ...each,
      world: after,
      ...(promised && {
        prediction: { ...prediction, promised: new Map([...(prediction.promised ?? []), ...promised]) },
      }),
      ...(each.ifRefused && { ifRefused: counting(each.ifRefused) }),
    };
  });
}

/** Whether something was written that refers to an item of others: what becomes of that one is not known, nor of this. */
function refersToTheirs(before: World, after: World): boolean {
  if (!after.isShared || after === before) return false;
  return [...after.specification.resourcesByName.keys()].some((name) => {
    const written = after.written(before, name);
    return after
      .all(name)
      .some(
        ({ handle, members }) =>
          written.includes(handle) &&
          [...members.values()].some((value) => value instanceof Item && value.handle === theirs),
      );
  });
}

function answered(before: World, world: World, request: Request, version: MeantVersion): Result {
  const found = inOneWay(before, world, request, version);
  const operation = operationIn(world.specification, request) ?? request.operation;
  const secrets = (): ReadonlySet<string> => secretsOf(world);
  const { prediction, isRepeat } = found;
  const { rates, names = {} } = world.counting ?? {};
  const counts = rates && countsOf(prediction, rates, operation, world, isRepeat);
  const rated = counts && withRateFields(prediction, counts, operation, new Moment(world, names));
  const meant = { ...request, operation };
  return {
    ...found,
    prediction: { ...withFields(rated ?? prediction, meant, world), secrets },
    ...(counts && { counts }),
  };
}

/** A request that means no version is refused before anything is judged of it but whether it can be read (language §H.4). */
function withoutVersion(before: World, request: Request, condition: WrongVersion): readonly Result[] {
  if (statesErrorsApart(before.specification))
    return [{ ...undetermined(unknown([])), events: [], world: before }];
  return refusedEveryWay(before, request, (moment) => [...unreadable(request, moment), refusal(condition)]);
}

/** What may come of a request while the first one with its key is under way (language §4.4, rule 18). */
export function whileBusy(before: World, request: Request): readonly Result[] {
  return refusedEveryWay(before, request, () => [refusal('key busy')]);
}

function refusedEveryWay(
  before: World,
  request: Request,
  refusals: (moment: Moment) => readonly Refusal[],
): readonly Result[] {
  const results = everyWay((ways) => {
    const moment = new Moment(before.fork(ways), {});
    try {
      return refused(before, request, refusals(moment), moment);
    } catch (error) {
      if (error instanceof Undetermined) return { ...undetermined(error.because), events: [], world: before };
      throw error;
    }
  }, mostWays);
  return results ?? [{ ...undetermined(unknown([])), events: [], world: before }];
}

function inOneWay(before: World, world: World, asked: Request, version: MeantVersion): Result {
  try {
    const operation = operationIn(world.specification, asked);
    if (operation === undefined) return unrouted(before, asked, new Moment(world, {}));
    if (asked.spelling !== undefined && !leadsTo(operation, asked, world.specification))
      return unrouted(before, asked, new Moment(world, {}));
    if (isElsewhere({ ...asked, operation }, world.specification)) return world.leave(unknown([]));
    return meantIn(before, world, { ...asked, operation, version: version.name }, version);
  } catch (error) {
    // That the request is refused, or changes nothing, may be known, and how it is answered not.
    if (error instanceof Undetermined) {
      const found = undetermined(error.because);
      return world.isRefused || isReading(asked.operation)
        ? { ...found, events: [], world: before }
        : { ...found, ...(isRefusalPlain(asked) && { ifRefused: before }) };
    }
    if (error instanceof Barred)
      return {
        prediction: { status: [400], headers: {}, body: absent, by: 'events.delivery' },
        events: [],
        world: before,
      };
    if (!(error instanceof NotComputable)) throw error;
    return refusedAt('fault', before, asked, refusal('internal'), new Moment(world, {}));
  }
}

/** The operation as the version of the request states it; undefined: the version has no such operation. */
function operationIn({ operations }: World['specification'], { operation }: Request): Operation | undefined {
  return operations.includes(operation)
    ? operation
    : operations.find(({ address }) => address === operation.address);
}

/** An older version may lack a path of the newest, or have another operation there. */
function unrouted(before: World, request: Request, moment: Moment): Result {
  const { kind } = routedAt(request, moment.world.specification);
  if (kind !== 'unknown path' && kind !== 'method not allowed') return moment.world.leave(unknown([]));
  return refusedAt('path', before, request, refusal(kind), moment);
}

/** What stands at the path of an operation with the values of a request. */
function routedAt({ operation, path, spelling }: Request, specification: World['specification']): Routed {
  const spelled = spelledPath(operation, spelling);
  if (spelled === undefined) return { kind: 'unknown path' };
  const texts = spelled.map((segment) => segmentText(segment, (name) => String(seen(path[name] ?? null))));
  const base = (stated(stated(specification.endpoints)?.base) ?? '').split('/').filter((text) => text !== '');
  return routedBy(specification, operation.method, [...base, ...texts]);
}

/** Whether the path with these values is that of another operation, which has text around a parameter there. */
function isElsewhere(request: Request, specification: World['specification']): boolean {
  if (!hasTextAround(specification)) return false;
  return !leadsTo(request.operation, request, specification);
}

/** Whether the path of a request leads to an operation. */
function leadsTo({ key }: Operation, request: Request, specification: World['specification']): boolean {
  const found = routedAt(request, specification);
  return found.kind === 'routes' && found.routes.some(({ operation }) => operation.key === key);
}

const hasTextAround = once(({ operations }: World['specification']): boolean =>
  operations.some(({ path }) => path.some((segment) => 'parameter' in segment && segment.around)),
);

function meantIn(before: World, world: World, request: Request, version: MeantVersion): Result {
  const now = world.now();
  const operation = meant(request, world, now);
  if (operation === null)
    return refusedAt('path', before, request, refusal('unknown path'), new Moment(world, {}));
  const read = asItComes(withType({ ...request, operation }, world), world.specification);
  return judged(before, world, read, retirement(version, world), now);
}

/**
 * Content of a type that is not stated, or of none, may be read all the same where a row that refuses it may not be stated
 * yet: the type of what names none is anybody's guess (RFC 9110 §8.3).
 */
function withType(request: Request, world: World): Request {
  const { 'content-type': type, ...headers } = request.headers;
  if (type === undefined || !world.mayAdd || unsupportedMedia(request).length === 0) return request;
  if (isListed('unsupported media', request.operation, world)) return request;
  const isClosed = world.specification.completeness.stated.closed('errors.codes') !== undefined;
  return !isClosed && world.decide(unknown([])) ? { ...request, headers } : request;
}

interface Arrived {
  readonly moment: Moment;
  readonly permitted: ReturnType<typeof permission>;
  /** Why it is refused so far. */
  readonly early: readonly Refusal[];
  /** Whether its body is looked at. */
  readonly isRead: boolean;
}

/**
 * The conditions in their order (language §H.4). One that comes later is judged only if its row may answer first.
 *
 * @param retired why the version of the request refuses it
 */
function judged(
  before: World,
  world: World,
  request: Request,
  retired: readonly Refusal[],
  now: Value,
): Result {
  const { operation } = request;
  const open = beyond(operation, world.specification);
  if (open !== null) return refusedWhatever(before, world, request, now) ?? world.leave(open);
  const { moment, permitted, early, isRead } = arrived(world, request, retired, now);
  // What cannot be read is found only with the body, though its condition comes first.
  if (early.length > 0 && !mayPrecede(conditionsFrom('malformed'), early, operation, moment))
    return refused(before, request, early, moment);
  const parameters = [
    ...pathRefusals(request, world),
    ...queryRefusals(request, world),
    ...headerRefusals(request, world),
  ];
  if (!isRead)
    return hasKey(request) && repeatOf(request, moment).kind !== 'new'
      ? world.leave(unknown([]))
      : refused(before, request, [...early, ...parameters], moment);
  const bound = boundFailures(request, world);
  const body = bodyOf(request, moment, permitted.stored);
  const ofBody = withBound(body.refusals, bound, request);
  if (parameters.length > 0 && isUnfitPatch(ofBody, request)) world.leave(unknown([]));
  const shapes = [...parameters, ...ofBody];
  const unfit = [...shapes, ...unlisted(request, permitted, shapes.length > 0, moment)];
  world.trace.push({ stage: 'content', refusals: unfit });
  const found = [...early, ...unfit];
  // Parameters that do not fit keep nothing of the change from being judged (language §H.4, rule 8).
  const isUnfit = permitted.isMissing || ofBody.length > 0;
  // A repeat is answered before the later steps judge what is stored (language §4.4, rule 17).
  if (permitted.isMissing && isRepeat(request, moment)) world.leave(unknown([]));
  const isLast = isReading(operation) && !mayRefuseLater(operation, world.specification);
  if (found.length > 0 && (isLast || !mayPrecede(conditionsBesides(isUnfit), found, operation, moment)))
    return refused(before, request, found, moment);
  world.isRefused = found.length > 0;
  const subject = permitted.stored && world.itemOf(permitted.stored);
  const came = moment.names['request'] as { readonly body: Value };
  const given = {
    ...came,
    body: unfit.length > 0 ? bodyRead(request, body.value, came.body) : (body.value ?? null),
  };
  const about = { ...moment.names, ...(subject && { this: subject }), request: given };
  const whole = new Moment(world, about);
  if (found.length === 0) return carriedOut(before, request, permitted, runOf(request), whole);
  const between = earlyBesides(request, permitted.stored, whole);
  const result = refusedBesides(before, request, permitted, found, between, isUnfit, whole);
  return perhapsRemembered(request, result, whole);
}

/** What is judged before the parameters and the body are: who asks, of which item, how often, and in which media type. */
function arrived(world: World, request: Request, retired: readonly Refusal[], now: Value): Arrived {
  const { operation } = request;
  const large = tooLargeBody(request, world);
  // Its type is not judged: a condition is judged only if none before it holds (language §H.4, rule 6).
  const unsupported = large.length > 0 ? [] : unsupportedMedia(request);
  const isRead = large.length + unsupported.length === 0;
  const ambient = namesOf(request, isRead, world, now);
  const sender = senderOf(operation, request.credentials, new Moment(world, ambient));
  const actor = actorOf(sender, world);
  const unseen = refusalsUnseen(operation, sender, new Moment(world, { ...ambient, actor }));
  world.isRefused = unseen !== null && unseen.length > 0;
  const items = boundItems(operation, request, world);
  const known = { ...ambient, actor, ...items.names };
  const names: Record<string, Value> = { ...known, request: withTaken(request, known, world) };
  const moment = new Moment(world, names);
  const permitted = permission(request, sender, unseen, items.missing, moment);
  const limited = [...large, ...tooLarge(request, world), ...ratesExceeded(operation, moment)];
  const unwanted = [...unsupported, ...notAcceptable(request, moment)];
  const early = [...retired, ...permitted.refusals, ...limited, ...unwanted];
  world.trace.push(
    { stage: 'sender and item', refusals: [...retired, ...permitted.refusals] },
    { stage: 'rates', refusals: limited },
    { stage: 'media', refusals: unwanted },
  );
  world.isRefused = early.length > 0;
  return { moment, permitted, early, isRead };
}

/** What is known once a request is answered. */
function timing(after: World, { url }: Request): Moment {
  return new Moment(after, { actor: null, service: { url } });
}

/** How a request sends another, in its own version (language §H.2, rule 17). */
function runOf({ version }: Request): Ask {
  return (world, inner) => {
    const before = doubtful(world, inner.operation);
    const meant = meantVersion(world.newest, version) as MeantVersion;
    return inOneWay(before, before.fork(world.ways), inner, meant);
  };
}

/**
 * What a request says of a list, once its parameters fit. Whether a wrong cursor is listed beside what does not fit, or
 * beside an item that is not there, nobody states.
 */
function unlisted(
  { operation, query }: Request,
  { admits, isMissing }: Permission,
  isUnfit: boolean,
  moment: Moment,
): readonly Refusal[] {
  if (!isUnfit && !isMissing) return listRefusals(operation, admits, moment);
  const { name = '' } = pageParameter(operation, 'cursor') ?? {};
  return Object.hasOwn(query, name) ? moment.world.leave(unknown([])) : [];
}

/** Whether a request that changes nothing may be refused by a precondition, by its key, or by a row of its own. */
const mayRefuseLater = once((operation: Operation, specification: World['specification']): boolean => {
  const { conditional, idempotency } = operation.endpoint;
  const rows = [...(stated(stated(specification.errors)?.codes)?.values() ?? [])].map(stated);
  const hasOwn = rows.some((row) => (stated(row?.when) ?? []).some(({ expression }) => expression));
  return hasOwn || [conditional, idempotency].some(({ kind }) => kind === 'stated');
});

/** While part 5 is open, nobody knows who asks. */
function actorOf({ actor }: Sender, { specification: { authentication } }: World): Value {
  return authentication.kind === 'open' ? new Unknown(new Set([authentication.address])) : actor;
}
