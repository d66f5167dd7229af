import type { Request } from '../../semantics/request/prediction.ts';
import { doubtful } from '../../semantics/request/rates.ts';
import { Range, unknown } from '../../semantics/value/value.ts';
import { clockOffMs } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { holds } from '../../specification/openness/holds.ts';
import { sometimesHeld } from '../../specification/openness/sometimes-held.ts';
import type { Exchange } from '../http.ts';
import type { Observing } from '../observe/observe.ts';
import { messageOf } from '../requests/message.ts';
import type { Chooser } from './chooser.ts';
import { type Answered, type Judged, judgedAnswer, type Sent, unjudged } from './judged-answer.ts';
import { OwnTexts } from './others.ts';
import { raced } from './race.ts';
import { answerTo, type Target } from './target.ts';

/** A request of a walk that events belong to. */
export interface Emitter {
  readonly operation: Operation;
  readonly exchange: Exchange;
}

/**
 * Sends requests that follow from one another, and judges each answer. It ends early where nobody knows any more what
 * the service holds: after an answer that no statement permits, or of which nothing is stated. What is answered 501, since a
 * point is open, changes nothing.
 *
 * @param begun what is known before the first request
 * @param length how many requests are sent at the most
 * @param events observes them; null: there are none that can be observed
 * @param own takes what answers show of items of ours
 */
export async function* walk(
  begun: World,
  chooser: Chooser,
  target: Target,
  length: number,
  events: Observing<Emitter> | null = null,
  own: OwnTexts = new OwnTexts(),
): AsyncGenerator<Judged> {
  let world = begun;
  let isLost = false;
  for (let count = 0; count < length && !isLost; ) {
    const waitMs = chooser.wait(world, target.patienceMs);
    if (waitMs > 0) await target.wait(waitMs);
    if (events) world = await events.begin(world);
    const beganMs = target.now();
    const soon = { at: new Range(beganMs, beganMs + soonMs), offMs: clockOffMs };
    const next = chooser.next(world, soon);
    if (next === null) return;
    const together = [next, ...(length - count > 1 ? (chooser.rivals?.(world, soon) ?? []) : [])];
    const all = await Promise.all(
      together.map((each) => sentTo(target, events ? events.addressed(each) : each)),
    );
    count += all.length;
    for (const { sent, ...judged } of judgedTogether(world, all, own)) {
      const { answer, request, exchange } = sent;
      const { settled, world: after } = judged;
      const emitter = { operation: request.operation, exchange };
      if (answer) own.note(request, answer);
      events?.note(request, settled?.events ?? unknown([]), answer?.status ?? null, emitter);
      yield judged;
      isLost = after === null;
      // Of requests sent together, each may have had no answer.
      if (after === null) continue;
      const isClear = settled !== null && settled.world !== null;
      chooser.note(answer?.status ?? 501, world, after, isClear, all.indexOf(sent));
      world = after;
    }
  }
}

async function sentTo(target: Target, request: Request): Promise<Sent> {
  const sentMs = target.now();
  const exchange = await target.send(messageOf(request, target.specification));
  const received = { at: new Range(sentMs, target.now() + 1), offMs: clockOffMs };
  return { request, exchange, received, answer: answerTo(exchange) };
}

/** Judges the answers of one request, or of several that were sent at once. */
function judgedTogether(
  world: World,
  all: readonly Sent[],
  own: OwnTexts,
): readonly (Judged & { readonly sent: Sent })[] {
  const [first] = all;
  if (first === undefined) return [];
  const answered = all.filter(
    (sent): sent is Answered =>
      sent.answer !== null && !(sent.answer.status === 501 && waits(sent.request.operation, world)),
  );
  if (answered.length === all.length && all.length > 1) return raced(world, answered, own);
  const [only] = answered;
  if (only && all.length === 1) return [{ ...judgedAnswer(world, only, own), sent: only }];
  // What waits for an open point changes nothing (language §F.5).
  const isUnchanged = all.length === 1 && first.answer !== null;
  const after = isUnchanged ? doubtful(world.at(first.received), first.request.operation) : null;
  return all.map((sent) => ({ ...unjudged(sent, after), sent }));
}

/** Within this time in milliseconds most answers come. */
const soonMs = 100;

/** Whether an operation may not be carried out while a point is open (language §F.5). */
function waits(operation: Operation, { specification }: World): boolean {
  return holds(specification, operation).length > 0 || sometimesHeld(operation, specification).length > 0;
}
