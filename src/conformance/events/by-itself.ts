import { withArticle } from '../../specification/article.ts';
import { stated } from '../../specification/said.ts';
import { type Check, type Scenario, scenario, Unreached } from '../check.ts';
import { courseTo } from '../foresee/course.ts';
import { foreseeMove } from '../foresee/foresee.ts';
import type { Step } from '../foresee/tree.ts';
import { keyOf } from '../item.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import type { Move } from '../states/machines.ts';
import { courseInto } from '../states/timed.ts';
import { afterMs, isTimer, movesByItself } from '../states/timers.ts';
import { type Done, operationFor, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { emits, emitted } from './checks.ts';
import type { Emitting } from './courses.ts';
import {
  comesWithinMs,
  deliverable,
  dueBy,
  type Expected,
  expectedOf,
  isFresh,
  isOf,
  namesOfEvent,
  type Telling,
} from './expected.ts';
import { moveOf, type Wanted } from './kinds.ts';
import { comingOf } from './scenarios.ts';
import { type Heard, hear, makerOf, match, meant, tell } from './story.ts';
import { type Observer, patiently } from './told.ts';

/** A kind that a timer emits and nobody asks for, and the requests that lead to where the timer begins. */
export interface Ticking {
  readonly wanted: Wanted;
  readonly move: Move;
  readonly dueMs: number;
  readonly steps: readonly Step[];
}

/** The kind, where its timer is one that the tester waits for; else why it is not. */
export function ticking(trial: Trial, wanted: Wanted): Ticking | { readonly why: string } {
  const move = moveOf(trial.of, wanted.by);
  if (move === undefined || !isTimer(move)) return { why: 'no operation that can be exercised emits it' };
  const dueMs = afterMs(move);
  if (dueMs === null)
    return { why: 'when its timer is due is not told without the clock of the implementation' };
  if (dueMs > trial.patienceMs)
    return { why: `its timer is due after ${dueMs / 1000} s, which is not waited for` };
  const course = courseInto(trial, move);
  return course
    ? { wanted, move, dueMs, steps: [...course.before, course.last] }
    : { why: 'no way was found to where its timer begins' };
}

/** One comes once a timer has moved an item, and tells what is stated (language §3.3, §6.1). */
export function toldByItself(
  telling: Telling,
  observer: Observer,
  { wanted, move, dueMs, steps }: Ticking,
  more: (wanted: Wanted, says: (what: string) => string) => readonly Check<Heard>[] = () => [],
): Scenario {
  const { trial, events } = telling;
  const { resource } = move.of;
  const observe = async (): Promise<Heard> => {
    if (trial.persona) await trial.renew(trial.persona);
    const as = await makerOf(trial, { resource, steps });
    const { foreseen } = steps.at(-1) as Step;
    const observing = await observer.open({ kind: wanted.name, by: wanted.by, foreseen, as });
    try {
      const done = await tell(telling, { resource, steps });
      const entered = trial.now();
      const last = done.at(-1);
      if (!last?.item) throw new Unreached('it cannot be told which item is moved');
      const own = [
        ...done.flatMap((one) => expectedOf(telling, one)),
        movedByItself(telling, wanted, move, { ...last, item: last.item }),
      ];
      const isWanted = (one: Expected): boolean =>
        one.due.value === true && observing.due(namesOfEvent(events, one)).value === true;
      const isAll = (): boolean => {
        const found = meant(telling, own, observing.told);
        return own.filter(isWanted).every((one) => found.has(one));
      };
      await trial.wait(Math.max(0, entered + dueMs - trial.now()), move.name);
      const longestMs = entered + dueMs + comesWithinMs(telling) - trial.now();
      await patiently(trial, 'events', isAll, observing.more, Math.max(0, longestMs));
      const told = [...observing.told];
      const heard = {
        telling,
        told,
        own,
        others: [],
        besides: null,
        done,
        observing,
        silence: observer.silence(),
      };
      return { ...last, ...heard, ...match(telling, own, told) };
    } finally {
      await observing.close();
    }
  };
  const says = (what: string): string =>
    `${wanted.name}, emitted by ${wanted.by} once it is due: ${what} (${observer.name})`;
  const rests = [move.address, events.envelope.address, observer.address];
  const checks = [...emitted(telling, wanted, says), ...more(wanted, says)];
  return { ...scenario(trial.of, rests, observe, checks), waitsMs: dueMs };
}

/** What the timer should emit of an item that is where it leads out of: by nobody (language §3.3). */
function movedByItself(
  { trial, events }: Telling,
  wanted: Wanted,
  move: Move,
  done: Heard['done'][number] & { readonly item: Item },
): Expected {
  const { item } = done;
  const names = new Map(namesFor(trial, { operation: null, request: null, item })).set('actor', null);
  const { after, free } = foreseeMove(trial.of, move, item, names);
  const about = new Map(names)
    .set('this', after ?? item)
    .set('old', item)
    .set('event', { by: wanted.by });
  const due = all(free, dueBy(trial, wanted, about), deliverable(events, wanted));
  return { ...wanted, names: about, done, due };
}

/** How long after it is due a timer may fire unasked where nothing says so, in milliseconds (language §3.3). */
const unaskedMs = 1000;

/**
 * A timer moves no item that left where it leads out of, although that may be where it leads to already: nothing shows
 * the move then but what it emits (language §3.3).
 *
 * @param marker what emits the kind as well: once that came, no more is to come of the timer
 */
export function toldOnceLeft(
  telling: Telling,
  observer: Observer,
  { wanted, move, dueMs }: Ticking,
  marker: Emitting,
): Scenario[] {
  const { trial } = telling;
  const { from, to, transition } = move;
  const { resource, field } = move.of;
  const reader = operationFor(trial.of, resource, 'read');
  const course = typeof to === 'string' ? courseTo(trial, resource, field, to) : undefined;
  const isLeft = course?.before.some(({ foreseen }) =>
    from?.includes(String(foreseen.after?.known.get(field))),
  );
  if (course === undefined || reader === null || from?.includes(String(to)) !== false || !isLeft) return [];
  const waitMs = dueMs + (stated(transition.within)?.milliseconds ?? unaskedMs);
  const observe = async (): Promise<Heard> => {
    const steps = [...course.before, course.last];
    const besides = async (item: Item | null): Promise<Done> => {
      await trial.wait(waitMs, `the timer of ${move.name}`);
      return await perform(trial, reader, item ? { item } : {});
    };
    return await hear(telling, observer, {
      resource,
      steps,
      besides,
      marker: marker.course,
      coming: comingOf(marker),
    });
  };
  /** What the timer would emit of the item, or of another. */
  const by = (heard: Heard, item: Item): Expected => movedByItself(telling, wanted, move, { ...heard, item });
  const check: Check<Heard> = {
    name: 'event.left',
    says: `${withArticle(resource.name)} that came from ${from.join(' or ')} to ${to} emits no ${wanted.name} by ${wanted.by} (${observer.name})`,
    cites: { address: transition.from.address, at: transition.from.at },
    guard: (heard) =>
      all(
        heard.item ? yes : unseen('it cannot be told which item it is'),
        emits(heard),
        isFresh(telling) ? yes : unseen('what comes may have been told of before'),
        known(
          movesByItself(trial.of, resource, heard.item) === null,
          'it may be moved by itself from there too',
        ),
      ),
    claim: (heard) => {
      const { item, extra } = heard;
      const came = item ? extra.filter((one) => isOf(telling, by(heard, item), one)) : [];
      const another = by(heard, keyOf(trial.fresh, resource));
      const own = came.find((one) => !isOf(telling, another, one));
      const none = came.length > 0 ? unseen('it cannot be told of which item an event is') : yes;
      return {
        truth: own ? known(false) : none,
        expected: 'no such event',
        found: own ? shownAs(own.content) : 'so',
      };
    },
  };
  const rests = [move.address, telling.events.envelope.address, observer.address];
  return [{ ...scenario(trial.of, rests, observe, [check]), waitsMs: waitMs }];
}
