import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { makerOfNext } from '../access/newcomer.ts';
import type { Persona } from '../access/persona.ts';
import { Unreached } from '../check.ts';
import { isMade, refreshed, withNewKeys } from '../foresee/course.ts';
import type { Step } from '../foresee/tree.ts';
import { answerFound, closed, succeeded } from '../guards.ts';
import type { Item } from '../partly.ts';
import { create, perform } from '../perform.ts';
import type { Done, Trial } from '../trial.ts';
import {
  comesWithinMs,
  type Expected,
  expectedOf,
  idIn,
  isFresh,
  isOf,
  kindsIn,
  namesOfEvent,
  type Telling,
} from './expected.ts';
import { type Coming, type Observer, type Observing, patiently, type Told } from './told.ts';

/** Requests that take a new item along. */
export interface Course {
  readonly resource: Resource;
  readonly steps: readonly Step[];
}

/**
 * What is done while a way is observed: a course; what else is asked of its item, or, where there is no step, of none;
 * and another course, of which events surely come, so that once they came no more is to come of the first.
 */
export interface Story extends Course {
  readonly besides?: (item: Item | null) => Promise<Done>;
  /** What its item is taken through after that. */
  readonly after?: readonly Step[];
  readonly marker: Course;
  readonly coming: Coming;
  /** Nothing is done in it of which it is to be seen that nothing is told. */
  readonly isToldOf?: true;
}

/** What was done, and what was told of it. */
export interface Heard extends Done {
  readonly telling: Telling;
  readonly told: readonly Told[];
  /** What should come, in order: of the first course and what is besides, and of the marker. */
  readonly own: readonly Expected[];
  readonly others: readonly Expected[];
  /** What came of it. */
  readonly matched: ReadonlyMap<Expected, Told>;
  /** What came that is none of this, in order. */
  readonly extra: readonly Told[];
  /** What was asked besides. */
  readonly besides: Done | null;
  readonly done: readonly Done[];
  readonly observing: Observing;
  /** Why it is not certain that what did not come was not sent; null where it is. */
  readonly silence: string | null;
}

/** Carries out a story, and listens until all came that should, or the tester's patience is over. */
export async function hear(telling: Telling, observer: Observer, story: Story): Promise<Heard> {
  const { trial } = telling;
  if (trial.persona) await trial.renew(trial.persona);
  const as = await makerOf(trial, story.steps.length > 0 ? story : story.marker);
  const observing = await observer.open({ ...story.coming, as });
  const seen: Done[] = [];
  const witness = (done: Done): void => void seen.push(done);
  trial.witnesses.add(witness);
  try {
    const first = await tell(telling, story);
    const item = first.at(-1)?.item ?? null;
    const besides = (await story.besides?.(item)) ?? null;
    const further = story.after ? await tell(telling, { ...story, steps: story.after }, item) : [];
    const other = await makerOf(trial, story.marker);
    if (other) await observing.widen?.(other);
    const second = await tell(telling, story.marker);
    const own = first.flatMap((done) => expectedOf(telling, done));
    const after = [...(besides ? [besides] : []), ...further].flatMap((done) => expectedOf(telling, done));
    const others = second.flatMap((done) => expectedOf(telling, done));
    const done = [...first, ...(besides ? [besides] : []), ...further, ...second];
    const aside = asideFrom(done, seen);
    const all = [...own, ...after, ...others, ...aside.flatMap((one) => expectedOf(telling, one))];
    const isWanted = (one: Expected): boolean =>
      one.due.value === true && observing.due(namesOfEvent(telling.events, one)).value === true;
    const wanted = all.filter(isWanted);
    const isPlain = story.isToldOf === true && isClear(telling, all);
    const isAll = (): boolean => {
      const { told } = observing;
      const isOnce = isPlain && told.every((one) => idIn(telling, one) !== null);
      const matched = isOnce ? match(telling, all, told).matched : meant(telling, all, told);
      return wanted.every((one) => matched.has(one));
    };
    await patiently(trial, 'events', isAll, observing.more, comesWithinMs(telling));
    const told = [...observing.told];
    const last = besides ?? first.at(-1) ?? second.at(-1);
    if (last === undefined) throw new Unreached('nothing was done');
    return {
      ...last,
      telling,
      told,
      own: [...own, ...after],
      others,
      besides,
      done: [...done, ...aside],
      observing,
      ...match(telling, all, told),
      silence: observer.silence(),
    };
  } finally {
    trial.witnesses.delete(witness);
    await observing.close();
  }
}

/** Whether nothing comes of a kind but what these changes should emit: then it is that, whatever it tells. */
function isClear(telling: Telling, all: readonly Expected[]): boolean {
  const isSure = ({ due, kind }: Expected): boolean =>
    due.value !== null && closed(telling.trial.of, kind.by.address).value === true;
  return isFresh(telling) && all.every(isSure);
}

/** Who is to make the item of a course, where it cannot be anybody. */
export async function makerOf(trial: Trial, { steps: [first] }: Course): Promise<Persona | undefined> {
  return first && (await makerOfNext(trial, first.operation));
}

/** What was done besides, so that the items of a story could be made. */
function asideFrom(done: readonly Done[], seen: readonly Done[]): readonly Done[] {
  const exchanges = new Set(done.map(({ exchange }) => exchange));
  return seen.filter(({ exchange }) => !exchanges.has(exchange));
}

/** Takes an item, or a new one, through the steps of a course. Throws `Unreached` where one of them is not carried out. */
export async function tell(
  { trial }: Telling,
  { steps, resource }: Course,
  from: Item | null = null,
): Promise<readonly Done[]> {
  const told: Done[] = [];
  let item = from ?? (steps.length === 0 || isMade(steps) ? null : await trial.come(resource));
  for (const { operation, body } of steps) {
    const done: Done = item
      ? await perform(trial, operation, { item, ...(body !== undefined && { body }) })
      : await create(trial, operation, withNewKeys(trial, operation, body));
    if (succeeded(done.exchange, operation).value === false)
      throw new Unreached(`no ${resource.name} could be brought there: ${gave(operation, done)}`);
    const isGone = done.names.get('outcome') === 'deleted';
    item = done.item && !isGone ? await refreshed(trial, done, done.item) : done.item;
    told.push({ ...done, item });
  }
  return told;
}

function gave(operation: Operation, { exchange }: Done): string {
  return `${operation.key} gave ${answerFound(exchange)}`;
}

/** Which event came of which change: of its kind, and telling nothing that is not so. */
export function meant(
  telling: Telling,
  expected: readonly Expected[],
  told: readonly Told[],
): Map<Expected, Told> {
  const isIt = (one: Expected, event: Told): boolean => one.due.value !== false && isOf(telling, one, event);
  return paired(expected, told, isIt, new Map());
}

/** The same, and then those of its kind that tell something else; and what came besides. */
export function match(
  telling: Telling,
  expected: readonly Expected[],
  told: readonly Told[],
): Pick<Heard, 'matched' | 'extra'> {
  const isAlike = (one: Expected, event: Told): boolean =>
    one.due.value === true && kindsIn(telling, event).includes(one.name);
  const matched = paired(expected, told, isAlike, meant(telling, expected, told));
  const taken = new Set(matched.values());
  return { matched, extra: told.filter((event) => !taken.has(event)) };
}

function paired(
  expected: readonly Expected[],
  told: readonly Told[],
  isIt: (one: Expected, event: Told) => boolean,
  matched: Map<Expected, Told>,
): Map<Expected, Told> {
  const left = new Set(told);
  for (const event of matched.values()) left.delete(event);
  for (const one of expected) {
    if (matched.has(one)) continue;
    const event = [...left].find((candidate) => isIt(one, candidate));
    if (event === undefined) continue;
    matched.set(one, event);
    left.delete(event);
  }
  return matched;
}
