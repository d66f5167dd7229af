import { type Answer, unseen } from '../../semantics/judge/answer.ts';
import { judge } from '../../semantics/judge/judge.ts';
import type { Difference } from '../../semantics/judge/judgement.ts';
import { answerTo } from '../../semantics/judge/permitted.ts';
import { received } from '../../semantics/message/message.ts';
import type { Prediction } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { Collection, isList, isObject, seen, Unknown, type Value } from '../../semantics/value/value.ts';
import { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import { type GivenCredentials, operatorsOf } from '../access/given.ts';
import type { Exchange } from '../http.ts';
import { Unreached } from '../result.ts';
import { messageOf } from '../traffic/message.ts';
import { examplesOf, type Known } from './examples.ts';
import { requestOf } from './request.ts';
import { expectedValue, type Names, namesOf } from './values.ts';

/** An example whose answer no service may give that does what is stated. */
export interface Excluded {
  readonly operation: Operation;
  /** Where the answer of the example stands. */
  readonly at: Span;
  readonly differences: readonly Difference[];
}

/** The address of a service that is not there. */
const url = 'http://localhost';

/** What is known after an example: the service, and the answer; null: that is not known. */
type After = { readonly world: World; readonly exchange: Exchange } | null;

/**
 * The examples that the statements exclude (language §4.6). Before an example, the service has what the examples of its
 * `after` made, and others' items, of which nothing is known.
 */
export function* excludedExamples(specification: Specification): Iterable<Excluded> {
  const all = examplesOf(specification);
  const given = credentialsOf(all.values());
  for (const known of all.values()) {
    const world = new World(specification, { isShared: true });
    world.operators = operatorsOf(given);
    const before = afterEarlier(known, all, given, world, new Map());
    if (before === null) continue;
    const { at } = known.example.response;
    const steps = stepsOf(known, before.names, given, before.world);
    const shown = steps && differencesOf(steps, shownBy(known.example, before.names, specification));
    if (shown && shown.length > 0) yield { operation: known.operation, at, differences: shown };
  }
}

/** The credentials of the operator's that examples name. Each has a secret of its own. */
function credentialsOf(all: Iterable<Known>): GivenCredentials {
  const given: Record<string, Record<string, string>> = {};
  for (const { example } of all)
    for (const [scheme, said] of stated(example.by) ?? []) {
      const template = stated(said)?.template;
      if (template?.kind !== 'literal') continue;
      const name = String(template.value);
      given[scheme] = { ...given[scheme], [name]: `secret-of-${name}` };
    }
  return given;
}

/** The service after the examples that come before, each of which is carried out once; null: it is not known. */
function afterEarlier(
  { example }: Known,
  all: ReadonlyMap<string, Known>,
  given: GivenCredentials,
  begun: World,
  answers: Map<string, Exchange>,
): { readonly world: World; readonly names: Names } | null {
  let world = begun;
  const named: [string, Exchange][] = [];
  for (const [name, said] of stated(example.after) ?? []) {
    const earlier = stated(said)?.text ?? '';
    const known = all.get(earlier);
    if (known === undefined) return null;
    if (!answers.has(earlier)) {
      const before = afterEarlier(known, all, given, world, answers);
      const after = before && carriedOut(known, before.names, given, before.world);
      if (!after) return null;
      world = after.world;
      answers.set(earlier, after.exchange);
    }
    named.push([name, answers.get(earlier) as Exchange]);
  }
  return { world, names: namesOf(example, named) };
}

/** All that may come of the request of an example; null: it cannot be sent, or is not read. */
function stepsOf(
  { operation, example }: Known,
  names: Names,
  given: GivenCredentials,
  world: World,
): readonly Step[] | null {
  const { specification } = world;
  try {
    const request = requestOf({ specification, url, given }, operation, example, names);
    const found = received(messageOf(request, url), url, specification);
    return found instanceof Unknown || found.kind === 'refused' ? null : step(world, found.request);
  } catch (error) {
    if (error instanceof Unreached) return null;
    throw error;
  }
}

/** An example is carried out as its answer says, as far as it says. */
function carriedOut(known: Known, names: Names, given: GivenCredentials, before: World): After {
  const steps = stepsOf(known, names, given, before);
  const shown = shownBy(known.example, names, before.specification);
  const fitting = steps?.find((each) => differencesIn(each, shown).length === 0);
  const simulated = fitting && answerTo(fitting.prediction);
  // What an example reads of an answer is JSON.
  if (!steps || !simulated || simulated.body instanceof Uint8Array) return null;
  const content = overlaid(simulated.body, shown.body);
  const headers = { ...simulated.headers, ...shown.headers };
  const answer: Answer = { status: simulated.status, headers, body: content };
  const { world } = judge(steps, answer, true);
  const body = content === undefined ? '' : JSON.stringify(content);
  const response = { status: answer.status, headers: Object.entries(headers), body };
  const request = { method: known.operation.method, url, headers: [], body: null };
  return world && { world, exchange: { request, response, failure: null } };
}

/** What an example shows of its answer. What it leaves out is not there, and `(any)` is unseen. */
interface Shown {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

function shownBy({ response }: Example, names: Names, specification: Specification): Shown {
  const { status, headers, body } = stated(response) ?? {};
  const shownAs = ({ template }: PlacedTemplate): Json => expectedValue(template, names, specification);
  const fields = [...((headers && stated(headers)) ?? [])].flatMap(([name, said]): [string, string][] => {
    const template = stated(said);
    const value = template ? shownAs(template) : unseen;
    return value === unseen ? [] : [[name.toLowerCase(), String(value)]];
  });
  const content = body && stated(body);
  return {
    status: status && stated(status),
    headers: Object.fromEntries(fields),
    body: content && shownAs(content),
  };
}

/** How the answer differs from the nearest of all that may come; empty: one of them is as the example shows. */
function differencesOf(steps: readonly Step[], shown: Shown): readonly Difference[] {
  const all = steps.map((each) => differencesIn(each, shown)).toSorted((a, b) => a.length - b.length);
  return all[0] ?? [];
}

function differencesIn({ prediction, events, world }: Step, shown: Shown): readonly Difference[] {
  const narrowed = { prediction: narrowedTo(shown, prediction), events, world };
  const [first = 0] = prediction.status instanceof Unknown ? [] : prediction.status;
  const answer = { status: shown.status ?? first, headers: shown.headers, body: shown.body };
  return judge([narrowed], answer, true, false).differences;
}

/** A prediction of what an example shows. */
function narrowedTo({ headers, body }: Shown, prediction: Prediction): Prediction {
  const fields = Object.entries(prediction.headers).filter(([name]) => Object.hasOwn(headers, name));
  const isSilent = body === undefined || prediction.body === absent;
  return {
    ...prediction,
    headers: Object.fromEntries(fields),
    body: isSilent ? absent : narrowedValue(prediction.body as Value, body),
  };
}

/** A value without the members that an example leaves out. Lists of which not all elements are known are unknown. */
function narrowedValue(value: Value, shown: Json): Value {
  const found = seen(value);
  if (found instanceof Collection)
    return found.closed && found.ordered ? narrowedValue(found.items, shown) : new Unknown(new Set());
  if (isList(found))
    return Array.isArray(shown) && shown.length === found.length
      ? found.map((element, place) => narrowedValue(element, shown[place] as Json))
      : found;
  if (!isObject(found) || typeof shown !== 'object' || shown === null || Array.isArray(shown)) return found;
  const members = Object.entries(found).filter(([name]) => Object.hasOwn(shown, name));
  const json = shown as { readonly [name: string]: Json };
  return Object.fromEntries(
    members.map(([name, member]) => [name, narrowedValue(member, json[name] as Json)]),
  );
}

/** A value with what an example shows in the place of what was made up. */
function overlaid(simulated: Json | undefined, shown: Json | undefined): Json | undefined {
  if (shown === undefined || shown === unseen) return simulated;
  const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(simulated) && Array.isArray(shown) && simulated.length === shown.length)
    return simulated.map((element, place) => overlaid(element, shown[place]) as Json);
  if (!isMap(simulated) || !isMap(shown)) return shown;
  const members = Object.keys({ ...simulated, ...shown });
  return Object.fromEntries(members.map((name) => [name, overlaid(simulated[name], shown[name]) as Json]));
}
