import type { Answer } from '../../semantics/judge/answer.ts';
import { mayShowMore } from '../../semantics/judge/further.ts';
import { bindShown, judge, type Settled } from '../../semantics/judge/judge.ts';
import { answerTo } from '../../semantics/judge/permitted.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import type { Step } from '../../semantics/request/request.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { isList, isObject, seen, Unknown, type Value } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Deviation, Implementation } from '../deviations/deviation.ts';
import { kindsSent } from '../explore/candidate.ts';
import { isLooking } from '../explore/weights.ts';
import { arranged } from './arranged.ts';
import { mayDiffer } from './rows.ts';
import { areSame, differing } from './same.ts';
import { mayEmit } from './sent-events.ts';
import { type Asked, exactly } from './simulate.ts';

/** No answer fits both; or one does, and both hold the same after it, or not; or nobody can say. */
export type Comparison = 'told' | 'same' | 'infected' | 'open';

/** An implementation that deviates, as long as nothing told it from a right one. */
export class Suspect {
  readonly deviation: Deviation;
  /** How many requests read the statement, of each kind. */
  readonly #readsLike = new Map<string, number>();
  /** How many requests read the statement. */
  reads = 0;
  /** How many walks tell it. */
  told = 0;
  /** The operations whose answers tell it. */
  readonly toldBy = new Set<Operation>();
  /** How many requests were made for it. */
  aims = 0;
  /** Whether it held something else than a right one, at some time. */
  isInfected = false;
  /** Whether nobody can say what such an implementation does. */
  isOpen = false;
  /** Whether it may answer in several ways, of which only some are wrong. */
  isLoose = false;
  /** Whether its statement is about the order of lists. */
  readonly #isOfOrder: boolean;
  #implementation: Implementation | undefined;
  /** What it holds, if that is something else than what a right one holds. */
  #world: World | null = null;
  /** Whether nobody knows any more what it holds. */
  #isLost = false;
  /** What came of the last request. */
  #last: Pick<Asked, 'before' | 'request' | 'steps'> | undefined;

  constructor(deviation: Deviation) {
    this.deviation = deviation;
    this.#isOfOrder = /order|sort|page/i.test(`${deviation.said.address} ${deviation.says}`);
  }

  /** Whether its statement says something of time. */
  get isTimed(): boolean {
    const { text, start, end } = this.deviation.said.at;
    return /\bnow\b|\bPT?\d/.test(text.content.slice(start, end));
  }

  /** It holds what a right implementation holds. */
  begin(): void {
    this.#world = null;
    this.#isLost = false;
    this.#last = undefined;
  }

  /** Whether it may answer otherwise than a right one. */
  concerns(asked: Asked, read: ReadonlySet<unknown>): boolean {
    if (this.#isLost) return false;
    if (this.#world !== null) return true;
    const { operation, said, isUnread } = this.deviation;
    if (operation !== null && operation !== asked.request.operation.address) return false;
    return (isUnread === true || read.has(said)) && mayDiffer(this.deviation, asked);
  }

  /** How many requests of the same kind read the statement. */
  readsLike(asked: Asked): number {
    return this.#readsLike.get(kindOf(asked, this.deviation)) ?? 0;
  }

  /** What may come of it, beside what comes of a right one. Nothing is bound. */
  compare(asked: Asked): Comparison {
    const kind = kindOf(asked, this.deviation);
    this.#readsLike.set(kind, (this.#readsLike.get(kind) ?? 0) + 1);
    this.reads += 1;
    const { request, before, steps } = asked;
    const own = this.#answers(before, request);
    if (own.length === steps.length && own.every((each, place) => each === steps[place])) return 'same';
    if (own.some(({ prediction }) => prediction.status instanceof Unknown)) {
      this.isOpen ||= true;
      return 'open';
    }
    const fitting = own.filter((each) => mayAnswer(asked, each, this.#isOfOrder));
    if (fitting.length < own.length) {
      // Where it may choose, it deviates in what it does otherwise than a right one.
      if (fitting.every((each) => steps.some((right) => isAlike(each, right)))) return 'told';
      this.isLoose = true;
    }
    const [here, right] = [own.at(-1)?.world ?? null, steps.at(-1)?.world ?? null];
    return here !== null && right !== null && areSame(here, right) ? 'same' : 'infected';
  }

  #answers(before: World, request: Request): readonly Step[] {
    this.#implementation ??= this.deviation.implementation();
    if (this.#last?.request !== request || this.#last.before !== before) {
      const steps = this.#implementation(this.holdsAt(before), request);
      this.#last = { before, request, steps };
    }
    return this.#last.steps;
  }

  /** The same, if its clock shows what the tester's does. */
  #exactly(before: World, request: Request): readonly Step[] {
    return this.#implementation?.(exactly(this.holdsAt(before)), request) ?? [];
  }

  /** What it holds after it answered as a right one. */
  goOn({ request, before, answer }: Asked, right: World): void {
    const own = this.#answers(before, request);
    if (own.some(({ prediction }) => prediction.status instanceof Unknown)) {
      // Of what it does nobody knows anything, so that nothing that follows tells it.
      this.#isLost ||= !isLooking(request.operation);
      return;
    }
    const settle = (steps: readonly Step[]): Settled =>
      judge(
        steps.map((each) => withFieldsOf(answer, each)),
        answer,
      );
    const all = settle(own);
    // Where it may have done several things, it does the last of those that it does by the tester's clock, as a right one.
    const isClear = own.length === 1 || all.world !== null || all.differences.length > 0;
    const { differences, world } = isClear ? all : settle(this.#exactly(before, request).slice(-1));
    this.#isLost = world === null || differences.length > 0;
    if (world !== null) this.#holds(world, right);
  }

  /** What it holds after it answered otherwise than a right one. */
  goOnAsTold({ request, before, answer }: Asked, right: World): void {
    if (isLooking(request.operation)) return;
    const done = this.#answers(before, request).at(-1);
    this.#isLost = !done?.world;
    if (!done?.world) return;
    bindShown(done.prediction, answer);
    this.#holds(done.world, right);
  }

  #holds(world: World, right: World): void {
    this.#world = areSame(world, right) ? null : world;
    // What both make from now on is told apart.
    this.#world?.makeAfter(right);
    this.isInfected ||= this.#world !== null;
  }

  /** Whether it holds something else. */
  get isOther(): boolean {
    return this.#world !== null && !this.#isLost;
  }

  /** What it holds at the time of what a right one holds. */
  holdsAt(right: World): World {
    return this.#world?.at(right.received) ?? right;
  }

  /** The items that it holds otherwise than a right one, or that only one of the two holds. */
  others(right: World): readonly Stored[] {
    return this.#world === null ? [] : differing(right, this.#world);
  }
}

/** Without the fields that the answer lacks: nobody looks for those that are not stated. */
function withFieldsOf(answer: Answer, each: Step): Step {
  const { headers } = each.prediction;
  const seen = Object.entries(headers).filter(([name, value]) => value === null || name in answer.headers);
  return { ...each, prediction: { ...each.prediction, headers: Object.fromEntries(seen) } };
}

/**
 * Whether a right implementation may answer so and emit the same events, too.
 *
 * @param isOfOrder whether the deviation is about the order of a list: then it may be the right one by chance
 */
function mayAnswer(asked: Asked, { prediction, events }: Step, isOfOrder: boolean): boolean {
  const { steps, before, request } = asked;
  const answer = answerTo(prediction);
  if (answer === null) return true;
  const more = mayShowMore(before.specification, request.operation);
  const settled = judge(steps, answer, more, false);
  if (settled.differences.length > 0 || !mayEmit(settled.events, events, before)) return false;
  const inOrder = isOfOrder || prediction.body === absent ? null : arranged(prediction.body as Value);
  const other = inOrder === null ? null : answerTo({ ...prediction, body: inOrder });
  return other === null || judge(steps, other, more, false).differences.length === 0;
}

/** Whether two things that may come of a request look the same, and leave the same behind. */
function isAlike(one: Step, other: Step): boolean {
  const [mine, theirs] = [one, other].map(({ prediction }) => JSON.stringify(answerTo(prediction)));
  if (mine !== theirs) return false;
  return (
    one.world === other.world ||
    (one.world !== null && other.world !== null && areSame(one.world, other.world))
  );
}

/**
 * What a request has in common with others that hardly tell more: the operation, the answer, what refuses it, and of what kind
 * the values are that a deviation names.
 */
function kindOf(asked: Asked, { said, says }: Deviation): string {
  const { outcome, values } = outcomeOf(asked);
  const named = values.filter(([name]) => said.address.includes(name) || says.includes(name));
  return `${outcome} ${named.map(([, kind]) => kind).join()} ${decidedBy(said.address, asked).join()}`;
}

/** What decided that a statement is about: how much of a quota is left, or how many items a page skips and shows. */
function decidedBy(
  address: Address,
  { before: { specification }, request, decided }: Asked,
): readonly string[] {
  const [, name] = /^limits\.quotas\.(\w+)/.exec(address) ?? [];
  const quota = name && stated(stated(specification.limits)?.quotas)?.get(name);
  if (quota) return decided(stated(quota) ?? quota);
  const [, machine = '', move = ''] = /^states\["([^"]+)"\]\.transitions\.(\w+)/.exec(address) ?? [];
  const transition = stated(stated(specification.states)?.get(machine));
  const moved = transition && transitionsIn(transition).get(move);
  if (moved) return decided(moved);
  return /\.request\.query\b|^limits\.sizes\.page/.test(address) ? decided(request.operation) : [];
}

const outcomeOf = once(({ request, answer, steps }: Asked) => {
  const refusals = steps.flatMap(({ trace }) => trace.flatMap((stage) => stage.refusals));
  const refused = new Set(refusals.map(({ condition, subject }) => `${condition} ${subject}`));
  const values = Object.entries({ ...membersOf(request.content), ...request.query });
  return {
    outcome: [request.operation.address, answer.status, ...refused, ...kindsSent(steps)].join(),
    values: values.map(([name, value]) => [name, `${name} ${kindOfValue(value)}`] as const),
  };
});

function membersOf(content: Value | undefined): Readonly<Record<string, Value>> {
  const found = content === undefined ? null : seen(content);
  return isObject(found) ? found : {};
}

/** Numbers are told apart, and of texts and lists how long they are; of texts also what else is often changed in them. */
function kindOfValue(value: Value): string {
  const found = seen(value);
  if (typeof found === 'string')
    return `${found.length}${/^\s|\s$/.test(found) ? ' spaced' : ''}${/\p{Lu}/u.test(found) ? ' capital' : ''}`;
  if (isList(found)) return `list ${found.length}`;
  return typeof found === 'object' && found !== null ? 'object' : String(found);
}
