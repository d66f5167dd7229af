import { pathsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { fieldValues } from '../../specification/vocabulary/answer-field.ts';
import { type Condition, conditionNames, floorStatus } from '../../specification/vocabulary/condition.ts';
import { challengesOf } from '../access/accepted.ts';
import { referred } from '../change/item.ts';
import { type Refusal, refusal, unknownKeyword } from '../change/refusal.ts';
import { type Content, contentOf } from '../content/content.ts';
import { absent } from '../value/evaluate.ts';
import { attempt, type Truth, truthOf } from '../value/truth.ts';
import { isList, isObject, NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import { pathIn, schemaOfFields } from '../version/names.ts';
import { Moment } from '../world/moment.ts';
import { headersOf, listedNames, mediaField } from './answer.ts';
import { namesIn } from './given/body.ts';
import { promisedFields } from './given/promised.ts';
import { keywordOf } from './keyword.ts';
import { errorStatuses, isFloorStated, type Prediction, unsaid } from './prediction.ts';
import { type Failing, type Fitting, ownRows, rowsOf } from './rows.ts';

/**
 * The rows whose own expression is true (condition 15). An expression refuses nothing if it cannot be computed, or is about an
 * item that was not found (language §H.4, rule 7).
 */
export function ownRefusals(operation: Operation, moment: Moment): readonly Refusal[] {
  const { world, names } = moment;
  const items = [
    'this',
    ...[...operation.bindings.values()].map((each) => (each.kind === 'other' ? each.as : null)),
  ];
  const missing = items.filter((name) => name !== null && (names[name] ?? null) === null);
  const rows = ownRows(operation, world.specification);
  const about = rows.length > 0 ? withReferences(operation, moment) : {};
  return rows.flatMap(([code, row]) =>
    (stated(row.when) ?? []).flatMap(({ expression }) => {
      if (expression === null || pathsIn(expression.template).some(([root = '']) => missing.includes(root)))
        return [];
      const holds = computedTruth(() => moment.value(expression, about));
      return world.decide(holds) ? [{ ...refusal('expression'), code }] : [];
    }),
  );
}

/** The request, where a member of the body that is the key of an item leads to it. */
function withReferences({ subject }: Operation, { names, world }: Moment): Readonly<Record<string, Value>> {
  const request = names['request'] as { readonly body?: Value } | undefined;
  const body = request?.body;
  if (subject === null || request === undefined || body === undefined || !isObject(body)) return {};
  const led = Object.entries(body).map(([name, value]): [string, Value] => {
    const field = subject.fields.get(name);
    return [name, field && stated(field.refers) ? referred(field, value, world) : value];
  });
  return { request: { ...request, body: Object.fromEntries(led) } as unknown as Value };
}

/** False, if it cannot be computed. */
function computedTruth(work: () => Value): Truth {
  return truthOf(ifComputed(work) ?? false);
}

/** Undefined, if it cannot be computed. */
export function ifComputed<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotComputable) return undefined;
    throw error;
  }
}

/**
 * The answer to a refusal. Of several conditions that hold, `errors.order` chooses, else the service (language §F.1). Of a
 * code that it does not list, it says nothing.
 */
export function refusedAs(
  refusals: readonly Refusal[],
  operation: Operation,
  moment: Moment,
  by: Address,
): Prediction {
  const { specification } = moment.world;
  const found = rowsOf(refusals, operation, specification).toSorted(
    (a, b) => place(a.refusal) - place(b.refusal),
  );
  const least = Math.min(...found.map(({ rank }) => rank));
  const choices = found.filter(({ rank }) => rank === least || !Number.isFinite(rank));
  const chosen = choices[moment.world.ways.choose(choices.length)];
  if (chosen === undefined) throw new TypeError('nothing refuses');
  const prediction = chosen.fitting
    ? answered(chosen.fitting, operation, moment)
    : floor(chosen.refusal, operation, moment, by);
  const { condition, subject } = chosen.refusal;
  const because = keywordOf(chosen.refusal, operation, specification);
  return { ...prediction, condition, subject, rank: chosen.rank, ...(because !== null && { because }) };
}

function place({ condition }: Refusal): number {
  return conditionNames.indexOf(condition);
}

/**
 * Without a row: the status of the protocol floor, without content. It is stated only with `protocol` (language §4.1), and
 * if no row may be stated yet. Else it is some status of an error that no success has.
 */
function floor(
  { condition, headers = {} }: Refusal,
  operation: Operation,
  { world }: Moment,
  by: Address,
): Prediction {
  const isWhole = !world.mayAdd || world.specification.completeness.closed('errors.codes') !== undefined;
  if (!isFloorStated(world.specification) || !isWhole)
    return { status: unlikeSuccess(operation, errorStatuses(condition)), headers: {}, body: unknown([]), by };
  const challenged =
    floorStatus[condition] === 401 && challengesOf(operation, world.specification).length === 0;
  return { status: [challenged ? 400 : floorStatus[condition]], headers, body: absent, by };
}

/** The statuses that no success of an operation has. */
function unlikeSuccess({ response }: Operation, statuses: readonly number[]): readonly number[] {
  const successes = (stated(response) ?? []).flatMap(({ status }) => stated(status) ?? []);
  return statuses.filter((status) => !successes.includes(status));
}

function answered(fitting: Fitting, operation: Operation, moment: Moment): Prediction {
  const { code, row, refusal } = fitting;
  const failures = listed(fitting, moment);
  const other = stated(row.as);
  if (other) return answeredAs(other, refusal, operation, moment, row.as.address);
  const floored = isFloorStated(moment.world.specification) ? [floorStatus[refusal.condition]] : undefined;
  // Which one is the service's choice (language §F.1).
  const any =
    row.status.kind === 'any' ? unlikeSuccess(operation, errorStatuses(refusal.condition)) : undefined;
  const status = stated(row.status) ?? any ?? floored;
  const by = `errors.codes.${code}`;
  if (status === undefined) return unsaid(new Unknown(new Set([row.status.address])), by);
  const own = new Moment(moment.world, { ...moment.names, ...refusal.names });
  const error = errorOf({ ...fitting, failures }, status[0] as number, operation, own);
  // A body that cannot be computed is not sent, and the status stays (language §H.3).
  const content: Content = ifComputed(() => contentOf(row, status, own, { error })) ?? none;
  const fields = promisedFields(row.headers, moment.world.specification);
  const challenges = status.includes(401) ? challengesOf(operation, moment.world.specification) : [];
  return {
    status,
    headers: {
      ...refusal.headers,
      ...(challenges.length > 0 && { 'www-authenticate': challenges }),
      ...headersOf(fieldValues(row.headers), (template) => attempt(() => own.value(template, { error }))),
      ...mediaField(content),
    },
    names: listedNames(content),
    body: content.body,
    ...(fields.length > 0 && {
      promised: new Map(status.map((each) => [each, { content: null, fields }] as const)),
    }),
    by,
    code: stated(row.code) ?? code,
  };
}

/**
 * The failures that `error.failures` lists. The language leaves open which of the parameters and the body come first, and
 * whether a failure is listed by a row that covers it, if it has a more precise row (language §H.4, rule 5).
 */
function listed({ failures, covered }: Fitting, { world: { ways } }: Moment): readonly Failing[] {
  const found = covered.length > failures.length && ways.choose(2) === 1 ? covered : failures;
  const subjects = [...new Set(found.map(({ subject }) => subject))];
  const ordered: string[] = [];
  while (subjects.length > 0) ordered.push(...subjects.splice(ways.choose(subjects.length), 1));
  return ordered.flatMap((subject) => found.filter((failure) => failure.subject === subject));
}

/** Nothing is sent. */
const none: Content = { body: absent, media: undefined, isChosen: false };

/** Exactly as another condition would be answered (language §7.1, rule 16). */
function answeredAs(
  { names: [condition], subject }: Condition,
  concealed: Refusal,
  operation: Operation,
  moment: Moment,
  by: Address,
): Prediction {
  const about = subject || concealed.subject || (operation.subject?.name ?? '');
  return condition === undefined
    ? unsaid(unknown([]), by)
    : refusedAs([refusal(condition, about)], operation, moment, by);
}

/** What `error` offers to the payload (language §7.2). */
function errorOf(
  { code, row, failures }: Fitting,
  status: number,
  operation: Operation,
  moment: Moment,
): Value {
  const isKnown = failures.every(({ keyword }) => keyword !== unknownKeyword);
  const shown = isKnown ? failures.map((failure) => messageOf(failure, operation, moment)) : unknown([]);
  const partial: Record<string, Value> = {
    code: stated(row.code) ?? code,
    status,
    operation: operation.name,
    failures: shown,
    ...optional('field', stated(row.field)),
  };
  const extra = [...(stated(row.extra) ?? [])].flatMap(([name, said]): [string, Value][] => {
    const template = stated(said);
    return template ? [[name, attempt(() => moment.value(template, { error: partial }))]] : [];
  });
  if (row.extra.kind === 'stated') partial['extra'] = Object.fromEntries(extra);
  const message = stated(row.message);
  if (message) partial['message'] = moment.value(message, { error: partial });
  return { ...partial, fields: isList(shown) ? grouped(shown, partial) : shown };
}

function optional(name: string, value: Value | undefined): Record<string, Value> {
  return value === undefined ? {} : { [name]: value };
}

/** A failure as `error.failures` lists it, with the text of `messages` (language §7.1, rule 15). */
function messageOf(
  { subject, field: path, keyword, value, limit }: Failing,
  operation: Operation,
  moment: Moment,
): Value {
  const field = pathIn(path, namesOf(subject, operation, moment), moment.world.specification);
  const messages = stated(stated(moment.world.specification.errors)?.messages);
  const keys = [`${subject}.${path}.${keyword}`, `${subject}.${path}`, keyword];
  const said = keys.map((key) => stated(messages?.get(key))).find((text) => text !== undefined) as
    | PlacedTemplate
    | undefined;
  return { field, keyword, ...optional('message', said && moment.value(said, { value, error: { limit } })) };
}

/** The schema by which the members of what a condition is about have their names (language §7.2, rule 17). */
function namesOf(subject: string, operation: Operation, { world: { specification } }: Moment): Json {
  const resource = specification.resourcesByName.get(subject);
  return resource ? schemaOfFields(resource) : namesIn(operation);
}

/** The messages by field; if the row states a field and a message, these (language §7.2). */
function grouped(failures: readonly Value[], error: Readonly<Record<string, Value>>): Value {
  const { field, message } = error;
  if (typeof field === 'string' && message !== undefined) return { [field]: [message] };
  const found = new Map<string, Value[]>();
  for (const failure of failures as readonly Readonly<Record<string, Value>>[]) {
    const { field: at, message: text } = failure;
    if (text !== null && text !== undefined) found.set(String(at), [...(found.get(String(at)) ?? []), text]);
  }
  return Object.fromEntries(found);
}
