import { mayShowMore } from '../../semantics/judge/further.ts';
import { judge, type Settled } from '../../semantics/judge/judge.ts';
import type { Difference } from '../../semantics/judge/judgement.ts';
import { doubtful } from '../../semantics/request/rates.ts';
import { forgettingFields, keyOf } from '../../semantics/request/repeats.ts';
import { whileBusy } from '../../semantics/request/request.ts';
import { equal } from '../../semantics/value/compare.ts';
import { type Made, unknown } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { isAboutSame } from '../explore/rivals.ts';
import { ordersOf } from '../traffic/together.ts';
import { type Answered, type Judged, judgedAnswer, unjudged } from './judged-answer.ts';
import type { OwnTexts } from './others.ts';

/** An exchange of a race, judged. */
export interface Raced extends Judged {
  readonly sent: Answered;
}

/** One order of the requests. */
interface Course {
  readonly raced: readonly (Raced & { readonly settled: Settled })[];
  /** Null: nobody knows what the service holds after it. */
  readonly world: World | null;
  /** What the answers show of values that the service made. Nothing stays bound. */
  readonly bound: ReadonlyMap<Made, string | number>;
}

/**
 * Judges requests that were sent at once: some order of them, one after another, has to explain every answer (language §F.7).
 * If none does, the nearest one tells what is wrong.
 *
 * @param own what answers showed of items of ours
 * @returns the exchanges in that order. The world of the last one is what is known afterwards
 */
export function raced(world: World, sent: readonly Answered[], own: OwnTexts): readonly Raced[] {
  const busy = sent.filter((each) => isBusy(each, sent, world));
  const left = sent.filter((each) => !busy.includes(each));
  // What refuses all of them is no other one.
  if (left.length === 0) return judgedOrders(world, sent, own);
  const judged = judgedOrders(world, left, own);
  let last = judged.at(-1)?.world ?? null;
  const refused = busy.map((sent): Raced => {
    // Whether a rate counts it, nobody knows.
    last &&= doubtful(last.at(sent.received), sent.request.operation);
    return { ...unjudged(sent, last), sent, isTogether: true };
  });
  return [...judged, ...refused];
}

/** Whether a request may have been refused since the first with its key was under way (language §4.4, rule 18). */
function isBusy(one: Answered, sent: readonly Answered[], world: World): boolean {
  if (one.answer.status < 400) return false;
  const isShared = sent.some((other) => other !== one && haveOneKey(one, other));
  const { specification } = world;
  const more = mayShowMore(specification, one.request.operation);
  return isShared && judge(whileBusy(world, one.request), one.answer, more, false).differences.length === 0;
}

function judgedOrders(world: World, sent: readonly Answered[], own: OwnTexts): readonly Raced[] {
  const courses = ordersOf(sent).map((order) => courseOf(world, order, own));
  const fitting = courses.filter(({ raced }) =>
    raced.every(({ settled }) => settled.differences.length === 0),
  );
  const [first, ...others] = fitting;
  if (first === undefined) return nearestOf(courses);
  for (const { bound } of fitting) for (const [made, value] of bound) made.bound = value;
  return others.length === 0 ? first.raced : eitherOf(first, others);
}

/** Judges requests in an order, each in the world that the one before it left. */
function courseOf(world: World, order: readonly Answered[], own: OwnTexts): Course {
  const found: Course['raced'][number][] = [];
  const bound = new Map<Made, string | number>();
  // A service may count requests in another order than it carries them out.
  const unread = fieldsOfRates(world.newest);
  let latest: World | null = world;
  for (const sent of order) {
    if (latest === null) break;
    const judged = judgedAnswer(latest, sent, own, unread);
    for (const [made, value] of judged.settled.bound) bound.set(made, value);
    latest = judged.world && unread.size > 0 ? forgettingFields(judged.world, unread) : judged.world;
    found.push({ ...judged, world: latest, sent, isTogether: found.length > 0 });
  }
  for (const made of bound.keys()) made.bound = undefined;
  return { raced: found, world: latest, bound };
}

/** The header fields, in small letters, that tell what rates count. */
const fieldsOfRates = once(({ limits }: Specification): ReadonlySet<string> => {
  const rates = [...(stated(stated(limits)?.rates)?.values() ?? [])].map(stated);
  const names = rates.flatMap((rate) => {
    const headers = rate && stated(rate.headers);
    return headers?.kind === 'fields' ? [...headers.fields.keys()] : [];
  });
  return new Set(names.map((name) => name.toLowerCase()));
});

/** Several orders explain the answers: what differs between them is not known. */
function eitherOf({ raced, world }: Course, others: readonly Course[]): readonly Raced[] {
  const known = others.reduce<World | null>((all, other) => {
    if (all === null || other.world === null) return null;
    return all.isAlike(other.world) ? all : all.either(other.world);
  }, world);
  const found = raced.map((each) => ({
    ...each,
    settled: { ...each.settled, events: eventsOf(each.settled) },
  }));
  return found.map((each, place) => (place === found.length - 1 ? { ...each, world: known } : each));
}

/** Which request emitted what, and which event came first, nobody knows. */
function eventsOf({ events }: Settled): Settled['events'] {
  return Array.isArray(events) && events.length === 0 ? events : unknown([]);
}

/** The order with the fewest differences, if none explains all. */
function nearestOf(courses: readonly Course[]): readonly Raced[] {
  const whole = courses.filter(({ raced }) => raced.length === courses[0]?.raced.length);
  const [nearest] = whole.toSorted((one, other) => distanceOf(one) - distanceOf(other));
  if (nearest === undefined) return [];
  for (const [made, value] of nearest.bound) made.bound = value;
  const { length: count } = nearest.raced;
  return nearest.raced.map((each) => {
    const differences = each.settled.differences
      .filter((difference) => !mayBeOfAnotherTime(difference, each, nearest, whole))
      .map((difference) => (isOfOrder(difference, each, whole) ? inAnyOrder(difference, count) : difference));
    const by = differences.length === each.settled.differences.length ? each.settled.by : [];
    return { ...each, settled: { ...each.settled, differences, by } };
  });
}

/** Another status is further than anything else; of two orders, the one in which the first answers are right is nearer. */
function distanceOf({ raced }: Course): number {
  return raced.reduce((sum, { settled: { differences } }, place) => {
    const isOther = differences.some(({ at }) => at === 'status');
    return sum + differences.length + (isOther ? 1000 : 0) + (differences.length > 0 ? 0.1 / (place + 1) : 0);
  }, 0);
}

/**
 * Whether an answer shows what another item held at another time of the race: an answer to a request that changes something
 * may (language §F.7, rule 2).
 */
function mayBeOfAnotherTime(
  { at }: Difference,
  { sent }: Raced,
  { raced }: Course,
  courses: readonly Course[],
): boolean {
  const others = raced.filter((each) => each.sent !== sent);
  if (!at.startsWith('body') || others.some((each) => isAboutSame(each.sent.request, sent.request)))
    return false;
  return courses.some((course) => !isWrongAt(at, sent, course));
}

function isWrongAt(at: string, sent: Answered, { raced }: Course): boolean {
  const own = raced.find((each) => each.sent === sent);
  return own?.settled.differences.some((each) => each.at === at) ?? false;
}

/** Whether an answer would be right if its request had been the first, or is wrong beside another one with its key. */
function isOfOrder({ at }: Difference, { sent }: Raced, courses: readonly Course[]): boolean {
  const first = courses.find(({ raced: [one] }) => one?.sent === sent);
  if (first === undefined) return false;
  return (
    !isWrongAt(at, sent, first) ||
    first.raced.some((each) => each.sent !== sent && haveOneKey(each.sent, sent))
  );
}

function haveOneKey(one: Answered, other: Answered): boolean {
  const key = keyOf(one.request);
  return key !== undefined && equal(keyOf(other.request) ?? null, key) === true;
}

function inAnyOrder(difference: Difference, count: number): Difference {
  const { expected } = difference;
  return { ...difference, expected: `${expected}, whichever of ${count} requests sent at once is first` };
}
