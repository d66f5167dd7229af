import { statusAt } from '../../semantics/event/receivers.ts';
import { onceDue } from '../../semantics/request/due.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { keyOf, keysSent } from '../../semantics/request/repeats.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import { equal } from '../../semantics/value/compare.ts';
import {
  Bytes,
  type Item,
  isList,
  isObject,
  seen,
  Unknown,
  type Value,
} from '../../semantics/value/value.ts';
import type { Observer } from '../../semantics/world/observer.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { siblingsIn } from '../requests/literals.ts';
import { kindsOf } from './kinds.ts';
import { type Compared, comparedIn } from './turning.ts';
import type { Writers } from './writers.ts';

/** A request that may be sent next, with what comes of it and what it depends on. */
export class Candidate {
  readonly request: Request;
  readonly steps: readonly Step[];
  readonly #world: World;
  readonly #noted: Noted;
  #features: ReadonlySet<string> | undefined;
  #known: ReadonlyMap<PlacedTemplate, Comes> | undefined;

  constructor(request: Request, steps: readonly Step[], world: World, noted: Noted) {
    this.request = request;
    this.steps = steps;
    this.#world = world;
    this.#noted = noted;
  }

  get #others(): ReadonlyMap<PlacedTemplate, Comes> {
    this.#known ??= this.#noted.others();
    return this.#known;
  }

  /** The items that it reads, each as its resource and handle. */
  get reads(): ReadonlySet<string> {
    return new Set(this.#noted.reads.map(([item]) => itemKey(item)));
  }

  /** Whether all would come of it as well if another expression stood where this one replaces it; undefined: nobody knows. */
  isSameWith(other: PlacedTemplate): boolean | undefined {
    const comes = this.#others.get(other);
    return comes === undefined || comes === 'unknown' ? undefined : comes === 'same';
  }

  /** The expressions that come to something else, in place of those that are stated. */
  get unlike(): readonly PlacedTemplate[] {
    return [...this.#others].flatMap(([other, comes]) => (comes === 'otherwise' ? [other] : []));
  }

  /** What something decided that is no part of an expression, such as a quota: each decision once. */
  decided(by: object): readonly string[] {
    const own = this.#noted.decisions.filter((decision) => decision.by === by);
    return [...new Set(own.map(({ outcome }) => outcome))];
  }

  /** What was compared. */
  get compared(): readonly Compared[] {
    return comparedOf(this.#noted.decisions);
  }

  /** What the request depends on, and how, as short texts. Most candidates are never asked for them. */
  get features(): ReadonlySet<string> {
    this.#features ??= this.#depends();
    return this.#features;
  }

  #depends(): ReadonlySet<string> {
    const { request, steps } = this;
    const outcome = outcomeOf(steps);
    const features = new Set<string>();
    const add = (feature: string): void =>
      void features.add(`${request.operation.name} ${outcome} ${feature}`);
    add('');
    const decided = decisionFeatures(this.#noted.decisions, this.#world);
    decided.forEach(add);
    for (const use of this.#noted.uses()) features.add(`${request.operation.name} ${use}`);
    madeFeatures(request).forEach(add);
    if (isRepeated(request, this.#world)) add('the key of an earlier request');
    for (const other of this.unlike) features.add(unlikeIn(request.operation, other));
    refusalFeatures(steps).forEach(add);
    for (const kind of kindsSent(steps)) add(`sends ${kind}`);
    for (const status of statusesAnswered(steps)) features.add(`events are answered ${status}`);
    for (const kind of kindsOf(this.reads, this.#world)) {
      add(kind);
      // Whether it matters who asks may depend on the state that an item is in.
      for (const decision of decided) if (decision.includes(' of ')) add(`${kind} & ${decision}`);
    }
    return features;
  }
}

/** That another expression comes to something else in a request to an operation. */
export function unlikeIn({ name }: Operation, other: PlacedTemplate): string {
  return `${name} not as ${numberOf(other)}`;
}

/** The pairs of values that were compared, if a request could give either of them. */
export function comparedOf(decisions: readonly Decision[]): readonly Compared[] {
  return decisions
    .map(({ operands }) => (operands ? comparedIn(operands) : null))
    .filter((pair) => pair !== null);
}

/** A short text that is the same wherever the same is decided in the same way. */
export function nameOf({ by, outcome }: Pick<Decision, 'by' | 'outcome'>): string {
  return `${numberOf(by)} ${outcome}`;
}

type Read = readonly [item: Pick<Item, 'resource' | 'handle'>, name: string];

/** How something was decided while a request was carried out. */
export interface Decision {
  readonly by: object;
  readonly outcome: string;
  readonly operands: readonly [Value, Value] | undefined;
}

/** What was noted while a request was carried out. */
interface Noted {
  readonly reads: readonly Read[];
  readonly decisions: readonly Decision[];
  /** What is used of earlier requests. */
  readonly uses: () => ReadonlySet<string>;
  /** What would come of other expressions in place of those that are stated. */
  readonly others: () => ReadonlyMap<PlacedTemplate, Comes>;
}

/** Whether another expression comes to the same wherever it is evaluated, to something else at some place, or nobody can say. */
type Comes = 'same' | 'otherwise' | 'unknown';

/** Expressions that may stand in place of those that the document states. */
export type Replacements = ReadonlyMap<PlacedTemplate, readonly PlacedTemplate[]>;

/** What is known while a request is carried out. */
interface About {
  readonly writers: Writers;
  readonly replacements: Replacements;
  /** Whether an expression is not asked for in an operation any more. Default: each is */
  readonly isWorn?: (operation: Operation, other: PlacedTemplate) => boolean;
}

/** A request that may go in more ways than this tells too little to be sent. */
const mostWays = 12;

/**
 * Carries out a request in memory, and notes what its answer depends on: how each condition came out, how each part of an
 * expression did, which earlier request wrote what it reads, and how the request itself is made. Two requests with the same
 * features hardly tell two implementations apart.
 */
export function candidateOf(world: World, request: Request, received: Received, about: About): Candidate {
  const reads: Read[] = [];
  const decisions: Decision[] = [];
  // What is due has happened, whatever is asked.
  const begun = onceDue(world.at(received), request.url);
  const steps = carriedOut(begun, request, received, {
    reads: (item, name) => void reads.push([item, name]),
    decides: (by, outcome, operands) => void decisions.push({ by, outcome, operands }),
  });
  const uses = (): ReadonlySet<string> =>
    new Set(reads.flatMap(([item, name]) => about.writers.usesOf(item, name)));
  // Of most candidates nobody asks it, and it takes longer than all else.
  const others = (): ReadonlyMap<PlacedTemplate, Comes> => {
    const noted = new Others(about, request.operation);
    const nothing = (): void => undefined;
    carriedOut(begun, request, received, { reads: nothing, decides: nothing, evaluates: noted.note });
    return noted.found;
  };
  return new Candidate(request, steps, world, { reads, decisions, uses, others });
}

/** Carries a request out. The observer hears of that alone: the worlds that come of it have none that hears. */
function carriedOut(begun: World, request: Request, received: Received, observer: Observer): readonly Step[] {
  let isOver = false;
  const { evaluates } = observer;
  const heard: Observer = {
    reads: (item, name) => {
      if (!isOver) observer.reads(item, name);
    },
    decides: (by, outcome, operands) => {
      if (!isOver) observer.decides(by, outcome, operands);
    },
    ...(evaluates && {
      evaluates: (template, value, valueWith) => {
        if (!isOver) evaluates(template, value, valueWith);
      },
    }),
  };
  const steps = step(begun.observedBy(heard), request, received, mostWays);
  isOver = true;
  return steps;
}

/** Of so many evaluations of an expression in one request, it is asked what others would come to. */
const mostTimes = 6;

/** What would come of other expressions while a request is carried out. */
class Others {
  readonly found = new Map<PlacedTemplate, Comes>();
  readonly #about: About;
  readonly #operation: Operation;
  /** How often each expression of the document was evaluated. */
  readonly #times = new Map<PlacedTemplate, number>();

  constructor(about: About, operation: Operation) {
    this.#about = about;
    this.#operation = operation;
  }

  readonly note: NonNullable<Observer['evaluates']> = (template, value, valueWith) => {
    const times = (this.#times.get(template) ?? 0) + 1;
    this.#times.set(template, times);
    if (times > mostTimes + 1) return;
    const { replacements, isWorn } = this.#about;
    for (const other of replacements.get(template) ?? []) {
      const before = this.found.get(other);
      if (before === 'otherwise' || isWorn?.(this.#operation, other) === true) continue;
      const comes = times > mostTimes ? 'unknown' : comesTo(value, valueWith(other));
      if (before !== 'unknown' || comes === 'otherwise') this.found.set(other, comes);
    }
  };
}

function comesTo(value: Value, other: Value): Comes {
  const isSame = equal(value, other);
  if (typeof isSame !== 'boolean') return 'unknown';
  return isSame ? 'same' : 'otherwise';
}

/** How each thing was decided, and what was decided just before: that often decides the next. */
function decisionFeatures(decisions: readonly Decision[], { specification }: World): ReadonlySet<string> {
  const { texts } = siblingsIn(specification);
  const found = new Set<string>();
  let before = '';
  for (const { by, outcome, operands } of decisions) {
    const decision = nameOf({ by, outcome });
    found.add(decision);
    found.add(`${before} then ${decision}`);
    before = decision;
    const pair = operands && comparedIn(operands);
    // Of few texts that there are, each may be decided in its own way.
    if (pair?.some((value) => texts.has(String(value)))) found.add(`${decision} of ${pair.join()}`);
  }
  return found;
}

function itemKey({ resource, handle }: Pick<Item, 'resource' | 'handle'>): string {
  return `${resource} ${handle}`;
}

/** What comes of a request in short: the answer or the row, and the status. */
export function outcomeOf(steps: readonly Step[]): string {
  return [
    ...new Set(
      steps.map(
        ({ prediction: { status, by, code } }) => `${code ?? by} ${Array.isArray(status) ? status[0] : '?'}`,
      ),
    ),
  ].join(' or ');
}

/** The statuses with which the tester answers the events that it is sent, other than usual ones. */
function statusesAnswered(steps: readonly Step[]): readonly number[] {
  const events = steps.flatMap((each) => (each.events instanceof Unknown ? [] : each.events));
  const urls = events.flatMap(({ deliveries }) => deliveries.map(({ url }) => seen(url)));
  return urls.flatMap((url) => (typeof url === 'string' ? (statusAt(url) ?? []) : []));
}

/** The kinds of events that somebody is sent. */
export function kindsSent(steps: readonly Step[]): readonly string[] {
  const sent = steps.flatMap(({ events }) =>
    events instanceof Unknown ? [] : events.filter(({ deliveries }) => deliveries.length > 0),
  );
  return [...new Set(sent.map(({ kind }) => kind))];
}

function refusalFeatures(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ trace }) => {
    const refusals = trace.flatMap((stage) => stage.refusals);
    const names = refusals.map(({ condition, subject, code = '' }) => `${condition} ${subject} ${code}`);
    const pairs = names.flatMap((name, place) => names.slice(place + 1).map((other) => `${name} + ${other}`));
    return [...names, ...pairs];
  });
}

/** How a request is made: what it gives, and of what kind each value is. */
function madeFeatures(request: Request): readonly string[] {
  const { operation, path, query, headers, content, credentials, version } = request;
  const given = queryParameters(operation)
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(query, name));
  const pairs = given.flatMap((name, place) => given.slice(place + 1).map((other) => `${name} & ${other}`));
  const values = Object.entries({ ...path, ...query }).map(([name, value]) => `${name} is ${kindOf(value)}`);
  return [
    ...pairs,
    ...values,
    ...Object.keys(headers).map((name) => `header ${name}`),
    ...(content === undefined ? [] : contentFeatures(content, 'body', 0)),
    `credentials ${credentials.map(({ scheme }) => scheme).join(' & ')}`,
    ...(version === undefined ? [] : [`version ${version}`]),
  ];
}

/** Whether a request has the key for repeats of another one. */
function isRepeated(request: Request, world: World): boolean {
  const key = keyOf(request);
  return key !== undefined && keysSent(world).some((each) => equal(each, key) === true);
}

function contentFeatures(value: Value, at: string, depth: number): readonly string[] {
  const found = seen(value);
  if (isObject(found) && depth < 3)
    return [
      `${at} of ${Object.keys(found).length}`,
      ...Object.entries(found).flatMap(([name, member]) =>
        contentFeatures(member, `${at}.${name}`, depth + 1),
      ),
    ];
  return [`${at} is ${kindOf(found)}`];
}

/** A value in short: what kind it is, and how large about. */
function kindOf(value: Value): string {
  const found = seen(value);
  if (found === null) return 'null';
  if (typeof found === 'string') return `text ${Math.min(Math.ceil(Math.log2(found.length + 1)), 8)}`;
  if (typeof found === 'number') return `number ${Math.sign(found) * Math.min(Math.abs(found), 3)}`;
  if (found instanceof Bytes) return `bytes ${Math.ceil(Math.log2(found.content.byteLength + 1))}`;
  if (isList(found)) return `list of ${Math.min(found.length, 3)}`;
  return typeof found === 'boolean' ? String(found) : 'value';
}

const numbers = new WeakMap<object, number>();
let last = 0;

/** A number for an object, the same one whenever it is asked. */
function numberOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(object, last);
  return last;
}
