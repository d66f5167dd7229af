import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import { idleParameters } from '../../specification/openness/sometimes-held.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Emission } from '../event/event.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { fits } from '../shape/shape.ts';
import { isObject, seen, Unknown, unknown } from '../value/value.ts';
import type { Judged } from '../world/trace.ts';
import type { World } from '../world/world.ts';
import { type Prediction, type Request, refusalStatuses, unsaid } from './prediction.ts';
import type { Counts } from './rates.ts';
import { rowsListing, rowsWithoutReason } from './rows.ts';

/** What comes of a request that does what is stated, whatever else it does. */
export interface CarriedOut {
  readonly prediction: Prediction;
  readonly world: World;
}

/** What may come of a request. */
interface Step {
  readonly prediction: Prediction;
  readonly events: Emission;
  readonly trace: readonly Judged[];
  readonly world: World | null;
  readonly ifRefused?: World;
  readonly carriedOut?: CarriedOut;
  readonly counts?: Counts;
}

/**
 * What may come of a request where lists are not closed (language §D.2). For a reason that is not stated yet, it may be
 * refused: with any status, with that of a row whose reason is open, or as what does not fit, if its path may not, or if its
 * content names something that may not be there. What a success shows and changes besides is unknown.
 *
 * @param before the world before the request, which a refusal leaves as it is
 */
export function withSilence(
  steps: readonly Step[],
  before: World,
  operation: Operation,
  request: Pick<Request, 'path' | 'query' | 'content'>,
): readonly Step[] {
  const { specification } = before;
  // What a parameter does that is asked for, nobody can say (principles, "what a list's parameter does").
  const isAsking = askedParameters(operation, specification).some((name) =>
    Object.hasOwn(request.query, name),
  );
  if (!before.mayAdd && !isAsking) return steps;
  const isSurprising = isAsking || maySurprise(operation, specification);
  const hasFurther = mayHaveFields(operation, specification);
  const known = steps.map((step): Step => {
    if (step.world === before) return step;
    // A field that is not stated yet is one more member, and changes none of the others.
    if (!isSurprising) return hasFurther ? { ...step, events: unknown([]) } : step;
    const prediction = { ...step.prediction, headers: {}, body: unknown([]) };
    if (isReading(operation) || step.world === null) return { ...step, prediction, events: unknown([]) };
    const carriedOut = { prediction: step.prediction, world: step.world };
    return { ...step, prediction, events: unknown([]), world: null, carriedOut };
  });
  if (known.every(isFault)) return [...known, { ...undetermined, world: null }];
  const refusal = (status: readonly number[]): Step => ({
    prediction: { status, headers: {}, body: unknown([]), by: '' },
    events: [],
    trace: [],
    world: before,
  });
  if (isAsking || mayRefuse(operation, specification)) return [...known, refusal(refusalStatuses)];
  const rows = [
    ...rowsWithoutReason(operation, specification),
    ...(isMisspelled(request, operation, specification) ? misfitRows(operation, specification) : []),
    ...(mayNameNothing(request, operation) ? assumedMisfitRows(operation, specification) : []),
  ];
  const listed = new Set(rows.map(({ status }) => stated(status) ?? refusalStatuses));
  return [...known, ...[...listed].map(refusal)];
}

/** The parameters of a list of which it is open what they do. */
const askedParameters = once((operation: Operation, specification: Specification): readonly string[] => [
  ...idleParameters(specification, operation).keys(),
]);

/**
 * Whether a path has a key that no item may have. If it is assumed that the path has a key, nobody says what its parameter
 * looks like, so that such a key may be one of nothing that is there, or not fit.
 */
function isMisspelled(
  { path }: Pick<Request, 'path'>,
  { does, bindings, subject }: Operation,
  specification: Specification,
): boolean {
  if (does.kind !== 'stated' || !does.assumed) return false;
  return [...bindings].some(([name, binding]) => {
    if (binding.kind === 'text') return false;
    const of = binding.kind === 'subject' ? subject : specification.resourcesByName.get(binding.resource);
    const field = of?.fields.get(binding.field);
    const schema = field && schemaOf(field.shape);
    return schema !== undefined && fits(schema, path[name] ?? null, definitionsOf(specification)) !== true;
  });
}

/** Members that are called like keys: `customerId`, `customer_ids`. */
const keyLike = /(^|[a-z0-9]_)ids?$|[a-z0-9]I[dD]s?$/;

/**
 * Whether content names something by a key of which nobody says what it leads to. If there is no such thing, the request may be
 * refused as one that does not fit.
 */
function mayNameNothing({ content }: Pick<Request, 'content'>, { subject }: Operation): boolean {
  const body = seen(content ?? null);
  if (!isObject(body)) return false;
  const refers = (name: string): boolean => subject?.fields.get(name)?.refers.kind === 'stated';
  return Object.keys(body).some((name) => keyLike.test(name) && !refers(name));
}

/** The same rows, as far as it is assumed that they do. */
function assumedMisfitRows(operation: Operation, specification: Specification): readonly Row[] {
  return misfitRows(operation, specification).filter(({ when }) => when.kind === 'stated' && when.assumed);
}

/** The rows that refuse what does not fit. */
function misfitRows(operation: Operation, specification: Specification): readonly Row[] {
  return (['invalid', 'malformed'] as const).flatMap((condition) =>
    rowsListing(condition, operation, specification).map(({ row }) => row),
  );
}

const undetermined = { prediction: unsaid(unknown([]), ''), events: unknown([]), trace: [] };

/** What cannot be worked out is a fault of our service. Nobody else has to fail (language §H.3). */
function isFault({ prediction: { status } }: Step): boolean {
  return !(status instanceof Unknown) && status.every((each) => each >= 500);
}

type Part = 'authentication' | 'errors' | 'limits' | 'states' | 'versioning';

/** Whether a request may be refused for a reason that is not stated yet (language §D.2, §F.2). */
const mayRefuse = once((operation: Operation, specification: Specification): boolean => {
  const parts: Part[] = ['authentication', 'errors', 'limits', 'versioning'];
  const lists = [
    ...(stated(specification.errors) ? ['errors.codes'] : []),
    ...(stated(specification.limits) ? ['limits', ...limits.map((list) => `limits.${list}`)] : []),
  ];
  return (
    parts.some((part) => isSilent(specification, part)) ||
    lists.some((list) => !isClosed(specification, list)) ||
    openHolds(specification, operation).length > 0 ||
    maySurprise(operation, specification) ||
    (mayHaveFields(operation, specification) && !isReading(operation))
  );
});

const limits = ['rates', 'concurrency', 'sizes', 'times', 'quotas'];

/** Whether items that an operation is about may have fields that are not stated yet (language §D.2). */
function mayHaveFields({ subject }: Operation, specification: Specification): boolean {
  return subject !== null && !isClosed(specification, `${subject.address}.fields`);
}

/** Whether an operation may do more than is stated yet, or show it otherwise: a list is not closed (language §D.2). */
const maySurprise = once((operation: Operation, specification: Specification): boolean => {
  const { subject } = operation;
  const lists = [operation.address, ...(subject ? listsOf(subject) : [])];
  const isMoving = !isReading(operation) && isSilent(specification, 'states');
  return isMoving || lists.some((list) => !isClosed(specification, list));
});

function listsOf({ address, fields }: Resource): Address[] {
  return [address, ...[...fields.values()].map((field) => field.address)];
}

/** Whether an operation changes nothing, whatever comes of it. */
export function isReading({ does, endpoint }: Operation): boolean {
  const verb = stated(does)?.verb;
  const isRead = does.kind === 'none' || verb === 'read' || verb === 'list';
  return isRead && stated(endpoint.also) === undefined;
}

function isClosed({ completeness }: Specification, list: Address): boolean {
  return completeness.closed(list) !== undefined;
}

/** Whether a part states nothing, not even that nothing holds. */
function isSilent(specification: Specification, part: Part): boolean {
  const { kind } = specification[part];
  return kind === 'open' || (kind === 'stated' && !isClosed(specification, part));
}
