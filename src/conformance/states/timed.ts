import { withArticle } from '../../specification/reading/article.ts';
import { type Check, type Scenario, scenario, Unreached, unreached } from '../check.ts';
import { differing, toldBy } from '../effects/sights.ts';
import { carryOut, wayInto } from '../foresee/course.ts';
import { foreseeMove } from '../foresee/foresee.ts';
import { isMade } from '../foresee/going.ts';
import { openWays } from '../foresee/open-ways.ts';
import { waitedMs } from '../foresee/tree.ts';
import { lookedAt, noteWanted, tooLongOn } from '../foresee/waited.ts';
import { answerFound, closed, isRefusal, succeeded } from '../guards.ts';
import { membersOf } from '../item.ts';
import { namesFor } from '../names.ts';
import { hole, type Item, type Partly } from '../partly.ts';
import { perform } from '../perform.ts';
import { type Done, operationFor, operationsFor, type Trial } from '../trial.ts';
import { fits, shownAs } from '../unify.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';
import { left } from './left.ts';
import type { Move } from './machines.ts';
import { sinceOf } from './since.ts';
import { comesAfterMs } from './timed-makers.ts';
import {
  afterMs,
  begunTogether,
  dueMs,
  isTimer,
  isWaitedFor,
  marginMs,
  movesByItself,
  tooLong,
} from './timers.ts';

/** What was seen of an item before and after a timer was due: by each operation that reads it. */
interface Awaited extends Done {
  /** It was looked at before the timer could be due. */
  readonly early: readonly Done[];
  /** How long before that it was asked to begin, in milliseconds; of the late ones likewise. */
  readonly earlyMs: number;
  readonly late: readonly Done[];
  readonly lateMs: number;
  readonly start: Item;
}

/** What was seen of an item whose timer runs. */
type Look = Pick<Awaited, 'early' | 'earlyMs'>;

/** Which share of the time passes before an item is looked at once more, ahead of when its timer is due. */
const nearly = 0.9;

/** A transition that happens by itself: not before it is due, and then for whoever looks (language §3.3). */
export function timed(trial: Trial, move: Move): Scenario[] {
  if (!isTimer(move)) return [];
  const { resource, field } = move.of;
  const said = move.transition.after.kind === 'open' ? move.transition.at : move.transition.after;
  const cites = { address: said.address, at: said.at };
  const due = afterMs(move);
  const says = `${withArticle(resource.name)} in ${(move.from ?? []).join(' or ')}`;
  const to = move.to;
  const state = resource.fields.get(field);
  const stateOf = (item: Item): Partly => item.known.get(field) ?? hole();
  const reads = operationFor(trial.of, resource, 'read');
  // That an item is gone is told by a refusal alone.
  const reader = reads ?? (to === null ? null : operationFor(trial.of, resource, 'list'));
  const wait = dueMs(move);
  /** Whether nothing else may have moved an item within so many milliseconds. */
  const isLeftAlone = (item: Item | null, withinMs: number, but?: Move): Truth => {
    const other = item && movesByItself(trial.of, resource, item, withinMs, but);
    return other ? unseen(`${other.name} may have moved it meanwhile`) : yes;
  };
  const early: Check<Awaited> = {
    name: 'timer.early',
    says: `${says} is not moved by ${move.name} before it is due`,
    cites,
    guard: ({ early: seen, start, earlyMs }) =>
      all(
        ...seen.map((one) => succeeded(one.exchange, one.operation)),
        known(earlyMs < (due ?? 0), 'it was due before it could be looked at'),
        isLeftAlone(start, earlyMs, move),
        toldBy(seen, state, stateOf(start)) ? yes : unseen(`nothing shows ${field}`),
      ),
    claim: ({ early: seen, start }) => toldBy(seen, state, stateOf(start)) ?? fits(stateOf(start), undefined),
    exchange: ({ early: seen, exchange }) => seen.at(-1)?.exchange ?? exchange,
  };
  const late: Check<Awaited> = {
    name: 'timer.late',
    says: `${says} is moved by ${move.name} once it is due`,
    cites,
    guard: ({ start, late: seen, lateMs }) => {
      const { free, after } = foreseeMove(trial.of, move, start, namesOf(trial, start));
      return all(
        to === null || toldBy(seen, state, to ?? hole()) ? yes : unseen(`nothing shows ${field}`),
        closed(trial.of, move.address),
        isLeftAlone(start, lateMs, move),
        isLeftAlone(after, lateMs - (due ?? 0)),
        free,
      );
    },
    claim: (seen) => {
      if (to === null)
        return {
          truth: isRefusal(seen.exchange, reader),
          expected: 'a refusal: it is gone',
          found: answerFound(seen.exchange),
        };
      const { after } = foreseeMove(trial.of, move, seen.start, namesOf(trial, seen.start));
      const [wrong] = seen.late.flatMap((one) =>
        after && membersOf(one.shown) ? differing(resource, after, one) : [],
      );
      if (wrong)
        return {
          truth: known(false),
          expected: `${wrong.name}: ${shownAs(wrong.expected)}`,
          found: `${wrong.name}: ${shownAs(wrong.found)}`,
        };
      return toldBy(seen.late, state, to ?? hole()) ?? fits(to ?? hole(), undefined);
    },
  };
  const checks = [early, late];
  if (wait === null)
    return [
      unreached(trial.of, checks, 'when it is due is not told without the clock of the implementation'),
    ];
  if (!isWaitedFor(trial, move)) return [unreached(trial.of, checks, tooLong(move))];
  if (reader === null || state === undefined) return [unreached(trial.of, checks, `nothing shows ${field}`)];
  const way = wayInto(trial, move);
  if (way === undefined)
    return [
      unreached(trial.of, checks, `no way was found to such a ${resource.name}`, openWays(trial, resource)),
    ];
  const long = tooLongOn(trial, way);
  if (long !== null) return [unreached(trial.of, checks, long)];
  const look = async (item: Item, asked: number): Promise<Look> => {
    const early = await readByAll(trial, item);
    return { early, earlyMs: trial.now() - asked };
  };
  const begin = async () => {
    const begunMs = trial.now();
    const item = await carryOut(trial, resource, way);
    const since = sinceOf(item)?.get(field);
    if (since === undefined && !isMade(way)) throw new Unreached('since when it is there is not known');
    const asked = since?.earliestMs ?? begunMs;
    return { asked, entered: since?.latestMs ?? trial.now(), item, seen: await look(item, asked) };
  };
  // Where time passes on the way, nothing that is begun with it would be looked at in time.
  const wayMs = waitedMs(trial, way) + comesAfterMs(trial, resource);
  const begun = wayMs > 0 ? begin : begunTogether(trial, begin);
  noteWanted(trial, resource, way);
  const observe = async (): Promise<Awaited> => {
    const { asked, entered, item, seen } = await begun();
    const soonMs = asked + (due ?? 0) * nearly - trial.now();
    if (soonMs > 0) await trial.wait(soonMs, `the timer of ${move.name}`);
    const again = soonMs > 0 ? await look(item, asked) : seen;
    const first = again.earlyMs < (due ?? 0) ? again : seen;
    await trial.wait(Math.max(0, entered + wait + marginMs - trial.now()), `the timer of ${move.name}`);
    const late = await readByAll(trial, item);
    return { ...(late[0] as Done), ...first, start: item, late, lateMs: trial.now() - asked };
  };
  return [
    { ...scenario(trial.of, [move.address], observe, checks), waitsMs: wait + wayMs },
    ...(reads ? left(trial, move, { waitMs: wait, reader: reads }) : []),
  ];
}

/** What each operation that reads an item answers; where there is none, the list. */
async function readByAll(trial: Trial, item: Item): Promise<readonly Done[]> {
  const seen: Done[] = [];
  for (const reader of operationsFor(trial.of, item.resource, 'read'))
    seen.push(await perform(trial, reader, { item }));
  return seen.length > 0 ? seen : [await lookedAt(trial, item)];
}

function namesOf(trial: Trial, item: Item) {
  return new Map(namesFor(trial, { operation: null, request: null, item })).set('actor', null);
}
