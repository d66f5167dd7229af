import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { makerOfNext } from '../access/newcomer.ts';
import type { Persona } from '../access/persona.ts';
import { Unreached } from '../check.ts';
import { carryOut } from '../foresee/course.ts';
import { isMade, refreshed, withNewKeys } from '../foresee/going.ts';
import { isWait, type Step, type Way } from '../foresee/tree.ts';
import { answerFound, closed, succeeded } from '../guards.ts';
import type { Item } from '../partly.ts';
import { create, perform } from '../perform.ts';
import { sinceOf } from '../states/since.ts';
import type { Done, Trial } from '../trial.ts';
import { placeOf } from '../world.ts';
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

/** What takes a new item along; what its last wait leads to is there before anything is told of it. */
export interface Course {
  readonly resource: Resource;
  readonly steps: Way;
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
  /** The item that it begins with, where it was taken already. */
  readonly start?: Item | null;
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
  const start = story.start ?? (await startOf(telling, story));
  const markerStart = await startOf(telling, story.marker);
  const as =
    story.steps.length > 0
      ? await makerOf(trial, story, start)
      : await makerOf(trial, story.marker, markerStart);
  const observing = await observer.open({ ...story.coming, as });
  const seen: Done[] = [];
  const witness = (done: Done): void => void seen.push(done);
  trial.witnesses.add(witness);
  try {
    const first = await tell(telling, story, start);
    const item = first.at(-1)?.item ?? start;
    const besides = (await story.besides?.(item)) ?? null;
    const further = story.after ? await tell(telling, { ...story, steps: story.after }, item) : [];
    const other = await makerOf(trial, story.marker, markerStart);
    if (other) await observing.widen?.(other);
    const second = await tell(telling, story.marker, markerStart);
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

/**
 * The item that the requests of a course begin with, where none of them makes it; of what timers did to it, nothing more
 * is to come.
 */
export async function startOf(telling: Telling, { resource, steps }: Course): Promise<Item | null> {
  const { trial } = telling;
  const waits = steps.findLastIndex(isWait) + 1;
  if (waits === 0 && (steps.length === 0 || isMade(steps))) return null;
  const item = await carryOut(trial, resource, steps.slice(0, waits));
  const movedMs = Math.max(...[...(sinceOf(item)?.values() ?? [])].map(({ latestMs }) => latestMs));
  const leftMs = movedMs + comesWithinMs(telling) - trial.now();
  if (leftMs > 0) await trial.wait(leftMs, 'what timers emit');
  return item;
}

/** Who is to make the item of a course, where it cannot be anybody; or who made the one that it begins with. */
export async function makerOf(
  trial: Trial,
  { steps: [first] }: Course,
  start: Item | null,
): Promise<Persona | undefined> {
  if (start) return trial.makers.get(placeOf(start));
  return first && !isWait(first) ? await makerOfNext(trial, first.operation) : undefined;
}

/** What was done besides, so that the items of a story could be made. */
function asideFrom(done: readonly Done[], seen: readonly Done[]): readonly Done[] {
  const exchanges = new Set(done.map(({ exchange }) => exchange));
  return seen.filter(({ exchange }) => !exchanges.has(exchange));
}

/** Takes the item that it begins with, or a new one, through the requests of a course. Throws `Unreached` where one of them is not carried out. */
export async function tell(telling: Telling, course: Course, from?: Item | null): Promise<readonly Done[]> {
  const { trial } = telling;
  const { steps, resource } = course;
  const told: Done[] = [];
  let item = from ?? (await startOf(telling, course));
  for (const { operation, body } of steps.slice(steps.findLastIndex(isWait) + 1) as readonly Step[]) {
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
