import { withArticle } from '../../specification/article.ts';
import { stated } from '../../specification/said.ts';
import { type Check, type Scenario, scenario, unreached } from '../check.ts';
import { differing } from '../effects/sights.ts';
import { type Course, carryOut, courses } from '../foresee/course.ts';
import { foreseeMove } from '../foresee/foresee.ts';
import { movers, type Step } from '../foresee/tree.ts';
import { answerFound, closed, isRefusal, succeeded } from '../guards.ts';
import { isReadable, membersOf } from '../item.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { readBack } from '../perform.ts';
import { type Done, operationFor, operationsFor, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known } from '../verdict.ts';
import type { Move } from './machines.ts';
import { afterMs, isTimer } from './timers.ts';

/** What was seen of an item before and after a timer was due. */
interface Awaited extends Done {
  /** It was looked at before the timer could be due. */
  readonly early: Done;
  readonly inTime: boolean;
  readonly start: Item;
}

/** How long a look takes at the most, beyond what is waited: clocks run, and answers travel. */
const marginMs = 30;

/** A transition that happens by itself: not before it is due, and then for whoever looks (language §3.3). */
export function timed(trial: Trial, move: Move): Scenario[] {
  if (!isTimer(move)) return [];
  const { resource, field } = move.of;
  const said = move.transition.after.kind === 'open' ? move.transition.at : move.transition.after;
  const cites = { address: said.address, at: said.at };
  const due = afterMs(move);
  const unseenMs = stated(move.transition.within)?.milliseconds ?? 0;
  const says = `${withArticle(resource.name)} in ${(move.from ?? []).join(' or ')}`;
  const to = move.to;
  const reader = operationFor(trial.of, resource, 'read');
  const wait = due === null ? null : due + unseenMs;
  const early: Check<Awaited> = {
    name: 'timer.early',
    says: `${says} is not moved by ${move.name} before it is due`,
    cites,
    guard: ({ early: seen, inTime }) =>
      all(succeeded(seen.exchange, seen.operation), known(inTime, 'it was due before it could be looked at')),
    claim: ({ early: seen, start }) => ({
      truth: known(membersOf(seen.shown)?.[field] === start.known.get(field)),
      expected: shownAs(start.known.get(field)),
      found: shownAs(membersOf(seen.shown)?.[field]),
    }),
    exchange: ({ early: seen }) => seen.exchange,
  };
  const late: Check<Awaited> = {
    name: 'timer.late',
    says: `${says} is moved by ${move.name} once it is due`,
    cites,
    guard: ({ start }) =>
      all(closed(trial.of, move.address), foreseeMove(trial.of, move, start, namesOf(trial, start)).free),
    claim: (seen) => {
      if (to === null)
        return {
          truth: isRefusal(seen.exchange, reader),
          expected: 'a refusal: it is gone',
          found: answerFound(seen.exchange),
        };
      const shown = membersOf(seen.shown);
      const { after } = foreseeMove(trial.of, move, seen.start, namesOf(trial, seen.start));
      const wrong = shown && after ? differing(resource, after, seen) : [];
      const state = shown?.[field];
      return {
        truth: all(known(state === to), known(wrong.length === 0)),
        expected: wrong[0] ? `${wrong[0].name}: ${shownAs(wrong[0].expected)}` : shownAs(to),
        found: wrong[0] ? `${wrong[0].name}: ${shownAs(wrong[0].found)}` : shownAs(state),
      };
    },
  };
  const checks = [early, late];
  const shown = resource.fields.get(field);
  if (wait === null)
    return [
      unreached(trial.of, checks, 'when it is due is not told without the clock of the implementation'),
    ];
  if (wait > trial.patienceMs)
    return [unreached(trial.of, checks, `it is due after ${wait / 1000} s, which is not waited for`)];
  if (reader === null || !shown || !isReadable(shown))
    return [unreached(trial.of, checks, `nothing shows ${field}`)];
  const course = courseInto(trial, move);
  if (course === undefined)
    return [unreached(trial.of, checks, `no way was found to such a ${resource.name}`)];
  const observe = async (): Promise<Awaited> => {
    const asked = trial.now();
    const start = await carryOut(trial, resource, [...course.before, course.last]);
    const entered = trial.now();
    const first = await readBack(trial, start);
    const inTime = trial.now() - asked < (due ?? 0);
    await trial.wait(Math.max(0, entered + wait + marginMs - trial.now()));
    return { ...(await readBack(trial, start)), early: first, inTime, start: first.item ?? start };
  };
  return [scenario(trial.of, [move.address], observe, checks)];
}

function namesOf({ of, url }: Trial, item: Item) {
  return new Map(namesFor(of, url, { operation: null, request: null, item })).set('actor', null);
}

/** The shortest course into a state out of which the timer leads. */
function courseInto(trial: Trial, { of: { resource, field }, from }: Move): Course | undefined {
  const isThere = ({ foreseen }: Step): boolean =>
    foreseen.free.value === true && from?.includes(String(foreseen.after?.known.get(field))) === true;
  for (const operation of [
    ...operationsFor(trial.of, resource, 'create').slice(0, 1),
    ...movers(trial, resource),
  ]) {
    const [course] = courses(trial, operation, isThere);
    if (course) return course;
  }
  return undefined;
}
