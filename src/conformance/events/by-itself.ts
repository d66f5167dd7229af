import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Check, type Scenario, scenario, Unreached } from '../check.ts';
import { courseTo, wayInto } from '../foresee/course.ts';
import { foreseeMove } from '../foresee/foresee.ts';
import { type Way, waitedMs } from '../foresee/tree.ts';
import { lookedAt, noteWanted, tooLongOn } from '../foresee/waited.ts';
import { keyOf } from '../item.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import type { Move } from '../states/machines.ts';
import { movesOn, sinceOf } from '../states/since.ts';
import { afterMs, isTimer, movesByItself, tooLong } from '../states/timers.ts';
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
import { type Heard, hear, makerOf, match, meant, startOf, tell } from './story.ts';
import { type Observer, patiently } from './told.ts';

/** A kind that a timer emits and nobody asks for, and what leads to where the timer begins. */
export interface Ticking {
  readonly wanted: Wanted;
  readonly move: Move;
  readonly dueMs: number;
  readonly steps: Way;
}

/** The kind, where its timer is one that the tester waits for; else why it is not. */
export function ticking(trial: Trial, wanted: Wanted): Ticking | { readonly why: string } {
  const move = moveOf(trial.of, wanted.by);
  if (move === undefined || !isTimer(move)) return { why: 'no operation that can be exercised emits it' };
  const dueMs = afterMs(move);
  if (dueMs === null)
    return { why: 'when its timer is due is not told without the clock of the implementation' };
  if (dueMs > trial.patienceMs) return { why: tooLong(move) };
  const steps = wayInto(trial, move);
  if (steps === undefined) return { why: 'no way was found to where its timer begins' };
  const why = tooLongOn(trial, steps);
  return why === null ? { wanted, move, dueMs, steps } : { why };
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
    const start = await startOf(telling, { resource, steps });
    const as = await makerOf(trial, { resource, steps }, start);
    const foreseen = steps.at(-1)?.foreseen ?? foreseeMove(trial.of, move, start as Item, new Map());
    const observing = await observer.open({ kind: wanted.name, by: wanted.by, foreseen, as });
    try {
      const done = await tell(telling, { resource, steps }, start);
      const last = done.at(-1) ?? (start && (await lookedAt(trial, start)));
      if (!last?.item) throw new Unreached('it cannot be told which item is moved');
      const next = start && movesOn(trial.of, start);
      if (next && next.atMs <= trial.now())
        throw new Unreached(`${next.timer.name} may have moved it already`);
      const entered = (start && sinceOf(start)?.get(move.of.field)?.latestMs) ?? trial.now();
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
  noteWanted(trial, resource, steps);
  const says = (what: string): string =>
    `${wanted.name}, emitted by ${wanted.by} once it is due: ${what} (${observer.name})`;
  const rests = [move.address, events.envelope.address, observer.address];
  const checks = [...emitted(telling, wanted, says), ...more(wanted, says)];
  return { ...scenario(trial.of, rests, observe, checks), waitsMs: dueMs + waitedMs(trial, steps) };
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
  const isLeft = course
    ?.slice(0, -1)
    .some(({ foreseen }) => from?.includes(String(foreseen.after?.known.get(field))));
  if (course === undefined || reader === null || from?.includes(String(to)) !== false || !isLeft) return [];
  const waitMs = dueMs + (stated(transition.within)?.milliseconds ?? unaskedMs);
  const observe = async (): Promise<Heard> => {
    const besides = async (item: Item | null): Promise<Done> => {
      await trial.wait(waitMs, `the timer of ${move.name}`);
      return await perform(trial, reader, item ? { item } : {});
    };
    return await hear(telling, observer, {
      resource,
      steps: course,
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
