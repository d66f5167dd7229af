import { stated } from '../../specification/reading/said.ts';
import { type Check, ifReached, type Scenario, type Statement, scenario, Unreached } from '../check.ts';
import { foreseeMove } from '../foresee/foresee.ts';
import { answerFound, closed, isRefusal } from '../guards.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { unchecked } from '../stated.ts';
import type { Move } from '../states/machines.ts';
import { type Done, operationFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { byAttempt, tolerance } from './attempts.ts';
import type { Emitting } from './courses.ts';
import { type Expected, expectedOf, isOf, namesOfEvent, type Telling } from './expected.ts';
import { keeperOf, type Webhook } from './hooks.ts';
import { moveOf } from './kinds.ts';
import type { Posted, Reply } from './receiver.ts';
import { comingOf, takingTime } from './scenarios.ts';
import { makerOf, startOf, tell } from './story.ts';
import { patiently } from './told.ts';
import { type Receiving, toldBy, type WebhookObserver } from './webhook.ts';

/** How an address of the tester's own answers an event, and what is then to be seen. */
interface Way {
  readonly label: string;
  readonly cites: Statement;
  readonly reply: (attempt: number) => Reply;
  /** How many attempts there are to be. */
  readonly attempts: number;
  /** Whether no more may come than these. */
  readonly isAll: boolean;
  /** How long after the attempt before each comes, in milliseconds; the first of them is that of the second. */
  readonly pausesMs: readonly number[];
  /** Whether it can be told that one comes too soon: how long an answer was waited for is known to whoever waited. */
  readonly isTimed: boolean;
  /** The transition that the item is to be taken through then. */
  readonly move?: Move;
}

interface Tried extends Done {
  readonly event: Expected;
  readonly receiving: Receiving;
  readonly came: readonly Posted[];
  /** The item that keeps the address, as it was when it was made, and as it is read at the end. */
  readonly keeper: Item | undefined;
  readonly back: Done | undefined;
}

/** Successes that few list, and that say no more than one that many do. */
const successes = [202, 201, 206, 299, 200, 204];

/**
 * What each stated answer to an event comes to (language §6.3): a stated `success` ends the attempts and another one does
 * not, each of `retries` is kept to, `timeout` is a failure, and after the last one `exhausted` is asked for. The first
 * scenario begins, and the others look, as late as they come.
 */
export function answering(
  telling: Telling,
  observer: WebhookObserver,
  delivery: Webhook,
  emitting: Emitting,
): { readonly first: readonly Scenario[]; readonly last: readonly Scenario[] } {
  const { trial } = telling;
  const { of } = trial;
  const { course, operation, wanted } = emitting;
  const { ways, unseen: missed } = waysOf(trial, delivery);
  const isShared = keeperOf(trial, delivery) === null;
  const why = 'the operator’s one address is everybody’s: what fails there would come again among all else';
  const passed = [
    ...missed.map(([at, reason]) => unchecked(of, at.address, reason)),
    ...(isShared ? ways.map(({ cites }) => unchecked(of, cites.address, why)) : []),
  ];
  if (isShared || ways.length === 0) return { first: [], last: passed };
  const begin = async () => {
    const start = await startOf(telling, course);
    const coming = { ...comingOf(emitting), as: await makerOf(trial, course, start) };
    const opened = new Map<Way, Receiving>();
    for (const way of ways) {
      const receiving = await ifReached(() =>
        observer.receive(coming, byAttempt(telling, delivery, way.reply)),
      );
      if (receiving) opened.set(way, receiving);
    }
    const done = await tell(telling, course, start);
    const event = done
      .flatMap((one) => expectedOf(telling, one))
      .findLast(({ name }) => name === wanted.name);
    if (event === undefined) throw new Unreached('it cannot be told what was changed');
    return { opened, event, done: done.at(-1) as Done, at: trial.now() };
  };
  let begun: ReturnType<typeof begin> | undefined;
  const first: Scenario = {
    run: async () => {
      begun ??= begin();
      await begun.catch(() => undefined);
      return [];
    },
    waitsMs: 0,
    ...takingTime(trial, course),
  };
  const last = ways.map((way) => {
    const observe = async (): Promise<Tried> => {
      begun ??= begin();
      const { opened, event, done, at } = await begun;
      const receiving = opened.get(way);
      if (receiving === undefined) throw new Unreached('no item could be made that keeps an address for it');
      const came = (): Posted[] =>
        receiving.inbox.posted.filter((one) => isOf(telling, event, toldBy(delivery, one)));
      const lastMs = (): number => came().at(-1)?.at ?? at;
      // Each is due so long after the one before came.
      for (let seen = -1; came().length < way.attempts && came().length > seen; ) {
        seen = came().length;
        const isMore = (): boolean => came().length > seen;
        const longestMs = lastMs() + (way.pausesMs[seen - 1] ?? 0) + trial.graceMs - trial.now();
        await patiently(trial, 'another attempt', isMore, receiving.more, Math.max(0, longestMs));
      }
      // Where another one may come that should not, its pause is waited for.
      const leftMs = sum(way.pausesMs.slice(Math.max(0, came().length - 1)));
      const overMs = lastMs() + leftMs + marginMs;
      if (way.isAll) await trial.wait(Math.max(0, overMs - trial.now()), 'another attempt');
      const [keeper] = receiving.keepers;
      const back = keeper && way.move ? await moved(trial, keeper, way.move) : undefined;
      const found = { event, receiving, came: came(), keeper, back };
      await receiving.close();
      return { ...(back ?? done), ...found };
    };
    const rests = [...restsOf(operation), observer.address];
    return {
      ...scenario(of, rests, observe, checksOf(telling, way, observer.name)),
      waitsMs: sum(way.pausesMs),
    };
  });
  return { first: [first], last: [...last, ...passed] };
}

/** How long is waited beyond what is stated, where nothing more may come, in milliseconds. */
const marginMs = 50;

function sum(all: readonly number[]): number {
  return all.reduce((a, b) => a + b, 0);
}

function waysOf(
  trial: Trial,
  { success, retries, timeout, exhausted }: Webhook,
): { readonly ways: readonly Way[]; readonly unseen: readonly (readonly [Statement, string])[] } {
  const { patienceMs, of } = trial;
  const ways: Way[] = [];
  const missed: [Statement, string][] = [];
  const good = stated(success);
  const taken = { status: good?.[0] ?? 204 };
  const failed = { status: good?.includes(500) ? 503 : 500 };
  const pauses = retries.kind === 'none' ? [] : stated(retries);
  const [pauseMs] = pauses ?? [];
  const late = (ms: number): string => `it shows after ${ms / 1000} s, which is not waited for`;
  const again = (label: string, cites: Statement, reply: Reply, waitMs: number): Way => ({
    label: `${label}, is posted again`,
    cites,
    reply: (attempt) => (attempt === 0 ? reply : taken),
    attempts: 2,
    isAll: false,
    pausesMs: [waitMs],
    isTimed: reply !== null,
  });
  if (good !== undefined && pauseMs !== undefined && pauseMs <= patienceMs) {
    for (const status of good)
      ways.push({
        label: `that was answered ${status}, which is stated to be a success, is not posted again`,
        cites: success,
        reply: () => ({ status }),
        attempts: 1,
        isAll: true,
        pausesMs: [pauseMs],
        isTimed: false,
      });
    const other = successes.find((one) => !good.includes(one));
    if (other !== undefined)
      ways.push(
        again(`that was answered ${other}, which is no stated success`, success, { status: other }, pauseMs),
      );
  } else if (good !== undefined)
    missed.push([success, pauseMs === undefined ? 'nothing is posted again' : late(pauseMs)]);
  const limitMs = stated(timeout);
  if (limitMs !== undefined && pauseMs !== undefined) {
    const wholeMs = limitMs + pauseMs;
    if (wholeMs <= patienceMs)
      ways.push(again(`that was not answered for ${limitMs / 1000} s`, timeout, null, wholeMs));
    else missed.push([timeout, late(wholeMs)]);
  }
  if (pauses === undefined) return { ways, unseen: missed };
  const shown = pauses.filter((_, index) => sum(pauses.slice(0, index + 1)) <= patienceMs);
  const isAll = shown.length === pauses.length;
  const move = isAll ? moveOf(of, stated(exhausted)?.text ?? '') : undefined;
  if (!isAll && stated(exhausted)) missed.push([exhausted, late(sum(pauses))]);
  if (move || shown.length > 1)
    ways.push({
      label: `that was never taken, is posted ${isAll ? '' : 'at least '}${shown.length + 1} times`,
      cites: retries,
      reply: () => failed,
      attempts: shown.length + 1,
      isAll,
      pausesMs: shown,
      isTimed: shown.length > 0,
      ...(move && { move }),
    });
  return { ways, unseen: missed };
}

function checksOf(telling: Telling, way: Way, name: string): Check<Tried>[] {
  const { trial } = telling;
  const { label, attempts, isAll, isTimed, pausesMs, move } = way;
  const { address, at } = way.cites;
  const about = `an event ${label} (${name})`;
  const counted: Check<Tried> = {
    name: 'event.attempts',
    says: about,
    cites: { address, at },
    guard: ({ event, receiving, came }) =>
      all(
        event.due,
        receiving.due(namesOfEvent(telling.events, event)),
        known(came.length > 0, 'no such event came'),
      ),
    claim: ({ came }) => ({
      truth: known(came.length === attempts || (!isAll && came.length > attempts)),
      expected: `${attempts} attempts${isAll ? '' : ' or more'}`,
      found: `${came.length}`,
    }),
  };
  const paced: Check<Tried> = {
    name: 'event.paced',
    says: `${about}, after ${pausesMs.map((one) => `${one / 1000} s`).join(', ')}, and no sooner`,
    cites: { address, at },
    guard: ({ came }) => known(came.length > 1, 'it was not posted again'),
    claim: ({ came }) => {
      const found = came.slice(1).map((one, index) => one.at - (came[index]?.at ?? 0));
      const isSoon = pausesMs.some((pause, index) => (found[index] ?? pause) < pause * tolerance);
      return {
        truth: known(!isSoon),
        expected: `pauses of ${pausesMs.map((one) => `${one / 1000} s`).join(', ')}`,
        found: found.map((one) => `${one / 1000} s`).join(', '),
      };
    },
  };
  return [counted, ...(isTimed ? [paced] : []), ...(move ? [exhaustedAs(trial, move, attempts, about)] : [])];
}

/** After the last attempt has failed the item that keeps the address is moved (language §6.3, `exhausted`). */
function exhaustedAs(trial: Trial, move: Move, attempts: number, about: string): Check<Tried> {
  const { field, resource } = move.of;
  return {
    name: 'event.exhausted',
    says: `${about}, and then ${resource.name}.${move.name} is asked for`,
    cites: { address: move.address, at: move.at },
    guard: ({ came, keeper, back }) => {
      if (keeper === undefined || back === undefined) return unseen(`nothing reads a ${resource.name}`);
      return all(
        known(came.length >= attempts, 'not all attempts were seen'),
        move.to === undefined ? unseen('where it leads is open') : yes,
        move.from?.includes(String(keeper.known.get(field)))
          ? yes
          : unseen('it may not lead out of its state'),
        closed(trial.of, move.address),
        foreseeMove(trial.of, move, keeper, namesOf(trial, keeper)).free,
      );
    },
    claim: ({ back }) => {
      if (back && move.to === null)
        return {
          truth: isRefusal(back.exchange, back.operation),
          expected: 'a refusal: it is gone',
          found: answerFound(back.exchange),
        };
      const found = back?.item?.known.get(field);
      return {
        truth: found === undefined ? unseen(`nothing shows ${field}`) : known(found === move.to),
        expected: `${field}: ${move.to}`,
        found: shownAs(found),
      };
    },
    exchange: ({ back, exchange }) => back?.exchange ?? exchange,
  };
}

function namesOf(trial: Trial, item: Item) {
  return new Map(namesFor(trial, { operation: null, request: null, item })).set('actor', null);
}

/** The item as it is read once it was moved, or once the tester's patience is over; undefined where nothing reads it. */
async function moved(trial: Trial, item: Item, { of: { field }, to }: Move): Promise<Done | undefined> {
  const reader = operationFor(trial.of, item.resource, 'read');
  if (reader === null) return undefined;
  const endMs = trial.now() + trial.graceMs;
  for (let pauseMs = marginMs; ; pauseMs *= 2) {
    const back = await perform(trial, reader, { item });
    const isGone = isRefusal(back.exchange, reader).value === true;
    const isMoved = to === null ? isGone : isGone || back.item?.known.get(field) === to;
    if (isMoved || trial.now() >= endMs) return back;
    await trial.wait(Math.min(pauseMs, Math.max(0, endMs - trial.now())), 'what follows the last attempt');
  }
}
