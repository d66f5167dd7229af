import { bodiless } from '../../specification/vocabulary/answer.ts';
import { anyOf, type Emission, eitherOf, oneOf } from '../event/event.ts';
import { joinedTallies } from '../rate/tally.ts';
import type { Prediction } from '../request/prediction.ts';
import type { Step } from '../request/request.ts';
import { absent } from '../value/evaluate.ts';
import { type Made, Shaped, Unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';
import { type Answer, shownContent } from './answer.ts';
import type { Judgement } from './judgement.ts';
import { Judging } from './judging.ts';

/** One thing that may come of a request, held against the answer. */
interface Way extends Pick<Step, 'prediction' | 'world' | 'events' | 'carriedOut'> {
  readonly forget: Step['forget'] | undefined;
  readonly judging: Judging;
}

/** What an answer tells of what may come of a request. */
export interface Settled extends Judgement {
  /** The world after the request; null: it is not known any more. */
  readonly world: World | null;
  /** The world to go on with: if it is not known what came of the request, what it may have touched is unknown. */
  readonly next: World | null;
  /** What the answer shows of values that the service made. They are bound to it. */
  readonly bound: ReadonlyMap<Made, string | number>;
  /** The events that the request emits. */
  readonly events: Emission;
}

/**
 * Holds an answer against all that may come of a request: it has to be one of these. Values that the service made are bound
 * to what the answer shows. If the answer fits none, its differences from the nearest one are given.
 *
 * @param more whether the answer may show what is not listed: further members, and content. Default: false
 * @param binds whether values that the service made are bound. Default: true
 */
export function judge(
  steps: readonly Pick<Step, 'prediction' | 'events' | 'world' | 'ifRefused' | 'forget' | 'carriedOut'>[],
  answer: Answer,
  more = false,
  binds = true,
): Settled {
  const all = steps.map(({ prediction, world, events, ifRefused, forget, carriedOut }): Way => {
    // A refused request changes nothing, and emits nothing (language §7).
    const isRefused = world === null && ifRefused !== undefined && answer.status >= 400;
    return {
      prediction,
      judging: judged(prediction, answer, more),
      world: isRefused ? ifRefused : world,
      events: isRefused ? [] : events,
      forget,
      ...(carriedOut && { carriedOut }),
    };
  });
  const fitting = all.filter(({ judging }) => judging.differences.length === 0);
  const isUnfit = fitting.length === 0;
  const [first, ...others] = !isUnfit ? fitting : all.toSorted((a, b) => distance(a) - distance(b));
  if (first === undefined) throw new TypeError('nothing may come of the request');
  const { judging, world, forget } = first;
  const isOne = !isUnfit && (fitting.length === 1 || others.every((other) => areAlike(other.world, world)));
  const either = isOne || isUnfit || !binds ? null : eitherWay(fitting);
  const bound = boundBy(judging, isOne && binds ? [] : either && fitting.slice(1));
  const emissions = fitting.map(({ events }) => events);
  const mayBeDone = isUnfit || fitting.some(({ carriedOut }) => carriedOut !== undefined);
  const after = isOne ? joined(fitting.map((each) => each.world)) : null;
  return {
    ...judging.judgement(),
    world: after,
    next:
      after ??
      either?.world ??
      forget?.(answer.status, mayBeDone ? doneBy(all, answer, binds) : null) ??
      null,
    bound,
    events: isOne ? oneOf(emissions) : (either?.events ?? anyOf(emissions)),
  };
}

/**
 * The world after a request that was carried out, and answered with success, though not as it should be; null: it is not so.
 * Values that the service made are bound to what the answer shows.
 */
function doneBy(all: readonly Way[], answer: Answer, binds: boolean): World | null {
  if (answer.status >= 300) return null;
  const done = all
    .toSorted((a, b) => distance(a) - distance(b))
    .map(({ prediction, world, carriedOut }) => carriedOut ?? { prediction, world })
    .filter(
      ({ prediction: { status }, world }) =>
        world !== null && !(status instanceof Unknown) && status.every((each) => each < 300),
    );
  const [nearest] = done;
  if (nearest === undefined) return null;
  if (binds) bindShown({ ...nearest.prediction, status: [answer.status] }, answer);
  return nearest.world;
}

/** Binds what an answer shows of values that the service made, wherever it is as predicted. */
export function bindShown(prediction: Prediction, answer: Answer): void {
  judged(prediction, answer, true).bind();
}

/** The world after one of several things that make no difference, but for what rates counted. */
function joined([world, ...others]: readonly (World | null)[]): World | null {
  const tallies = others.flatMap((other) => (other ? [other.tallies] : []));
  return world?.tallying(joinedTallies([world.tallies, ...tallies])) ?? null;
}

/**
 * Binds what the answer shows of made values.
 *
 * @param others what else may have come of the request; null: nothing is bound
 */
function boundBy(judging: Judging, others: readonly Way[] | null): ReadonlyMap<Made, string | number> {
  if (others === null) return new Map();
  return others.length === 0 ? judging.bind() : judging.bindWith(others.map((other) => other.judging));
}

/** What is known, and what is emitted, whichever of several things happened; null: hardly anything is known. */
function eitherWay(ways: readonly Way[]): { readonly world: World; readonly events: Emission } | null {
  const [first, ...others] = ways;
  let world = first?.world ?? null;
  let events = first?.events ?? [];
  for (const other of others) {
    if (world === null || other.world === null) return null;
    events = eitherOf(events, other.events, world.pairsWith(other.world));
    world = world.either(other.world);
  }
  const counted = joined([world, ...others.map((other) => other.world)]);
  return counted && { world: counted, events };
}

/** Whether it makes no difference which of two things happened. */
function areAlike(one: World | null, other: World | null): boolean {
  return one === other || (one !== null && other !== null && one.isAlike(other));
}

/** How far an answer is from a prediction: another status is further than anything else. */
function distance({ judging: { differences } }: { readonly judging: Judging }): number {
  return differences.some(({ at }) => at === 'status') ? Number.MAX_SAFE_INTEGER : differences.length;
}

function judged(prediction: Prediction, answer: Answer, more: boolean): Judging {
  const { status, headers, names = {}, body, by, sharing, secrets, others, because } = prediction;
  const judging = new Judging(by, more, secrets, others);
  if (sharing) judging.sharing(sharing, answer.headers);
  const promised = prediction.promised?.get(answer.status);
  const isShaped = body instanceof Shaped && !(status instanceof Unknown) && status.includes(answer.status);
  if (promised?.content && !isShaped) judging.promised(promised.content, answer);
  for (const field of promised?.fields ?? []) judging.field(field, answer.headers[field.name]);
  if (status instanceof Unknown) {
    judging.value(status, undefined, 'status');
    return judging;
  }
  judging.status(status, answer.status, because);
  if (!status.includes(answer.status)) return judging;
  for (const [name, value] of Object.entries(headers))
    if (name !== 'content-type') judging.header(value, answer.headers[name], `headers.${name}`);
  for (const [name, listed] of Object.entries(names)) judging.names(listed, answer.headers[name], name);
  const media = headers['content-type'];
  const type = answer.headers['content-type'];
  if (media !== undefined && (type !== undefined || answer.body instanceof Uint8Array))
    judging.media(media, type);
  // One of several statuses may be one that has no content.
  if (bodiless.includes(answer.status)) return judging;
  if (body === absent && more) judging.further(answer.body, 'body');
  else if (body === absent)
    judging.place(answer.body === undefined, 'body', 'no content', shownContent(answer.body));
  else judging.content(body as Value, media, answer);
  return judging;
}
