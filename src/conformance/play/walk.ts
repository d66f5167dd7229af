import { mayShowMore } from '../../semantics/judge/further.ts';
import { judge, type Settled } from '../../semantics/judge/judge.ts';
import type { Prediction } from '../../semantics/request/prediction.ts';
import { doubtful } from '../../semantics/request/rates.ts';
import { step } from '../../semantics/request/request.ts';
import { Range, unknown } from '../../semantics/value/value.ts';
import type { Observer } from '../../semantics/world/observer.ts';
import { clockOffMs } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { holds } from '../../specification/openness/holds.ts';
import { sometimesHeld } from '../../specification/openness/sometimes-held.ts';
import { writtenBetween } from '../explore/writers.ts';
import type { Exchange } from '../http.ts';
import type { Observing } from '../observe/observe.ts';
import { messageOf } from '../requests/message.ts';
import { accepted } from './accepted.ts';
import type { Chooser } from './chooser.ts';
import { mayBeLimited } from './limited.ts';
import { type Others, OwnTexts, othersIn } from './others.ts';
import { answerTo, type Target } from './target.ts';
import { weighed } from './weighed.ts';

/** An exchange of a walk, judged by all that came before it. */
export interface Judged {
  readonly operation: Operation;
  readonly exchange: Exchange;
  /** What was predicted of the answer: one of these. None: it was not judged. */
  readonly predictions: readonly Prediction[];
  /** Null: nothing is stated of the answer. */
  readonly settled: Settled | null;
  /** What is known after it; null: nobody knows what the service holds. */
  readonly world: World | null;
  readonly others: Others;
  /**
   * The items that the request reads, and those that it writes, each as its resource and handle; of what is about a rate, and
   * of what it counts, its name.
   */
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

/** A request of a walk that events belong to. */
export interface Emitter {
  readonly operation: Operation;
  readonly exchange: Exchange;
}

const none: ReadonlySet<string> = new Set();

/** Of an answer that is not judged. */
const unjudged = { predictions: [], settled: null, others: 'none', reads: none, writes: none } as const;

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
  const { specification } = begun;
  let world = begun;
  for (let count = 0; count < length; count++) {
    const waitMs = chooser.wait(world, target.patienceMs);
    if (waitMs > 0) await target.wait(waitMs);
    if (events) world = await events.begin(world);
    const beganMs = target.now();
    const soon = { at: new Range(beganMs, beganMs + soonMs), offMs: clockOffMs };
    const next = chooser.next(world, soon);
    if (next === null) return;
    const request = events ? events.addressed(next) : next;
    const sentMs = target.now();
    const exchange = await target.send(messageOf(request, specification));
    const received = { at: new Range(sentMs, target.now() + 1), offMs: clockOffMs };
    const { operation } = request;
    const answer = answerTo(exchange);
    const emitter = { operation, exchange };

    if (answer === null || (answer.status === 501 && waits(operation, world))) {
      events?.note(request, unknown([]), answer?.status ?? null, emitter);
      // What waits for an open point changes nothing (language §F.5).
      const unchanged = answer && doubtful(world.at(received), operation);
      yield { ...unjudged, operation, exchange, world: unchanged };
      if (unchanged === null) return;
      chooser.note(501, world, unchanged, false);
      world = unchanged;
      continue;
    }
    const reads = new Set<string>();
    const expected = step(world.observedBy(noting(reads)), request, received);
    const steps = accepted(expected, answer, world, request, received);
    const settled = weighed(judge(steps, answer, mayShowMore(specification, operation)), answer, {
      ...{ world, request, received },
    });
    own.note(request, answer);
    events?.note(request, settled.events, answer.status, emitter);
    const { next: after, differences } = settled;
    const others = differences.length > 0 ? othersIn(answer, world, request, received, own) : 'none';
    const writes = after ? new Set([...writtenBetween(world, after), ...countedIn(after)]) : none;
    const isOfRate =
      mayBeLimited(specification, operation, exchange) ||
      steps.some(({ prediction }) => prediction.condition === 'rate exceeded') ||
      differences.some(({ by }) => by.startsWith('limits.rates'));
    if (differences.length > 0 && isOfRate) for (const rate of counted(world)) reads.add(rate);
    const predictions = steps.map(({ prediction }) => prediction);
    yield { operation, exchange, predictions, settled, world: after, others, reads, writes };
    if (after === null) return;
    chooser.note(answer.status, world, after, settled.world !== null);
    world = after;
  }
}

/** The rates that counted requests. */
function counted({ tallies }: World): readonly string[] {
  return tallies.map(({ rate }) => `rate ${rate}`);
}

/** The rates that counted the latest request. */
function countedIn({ tallies, received }: World): readonly string[] {
  return tallies.filter(({ times }) => times.includes(received.at)).map(({ rate }) => `rate ${rate}`);
}

/** Notes the items that are read, each as its resource and handle. */
function noting(reads: Set<string>): Observer {
  return {
    reads: ({ resource, handle }) => void reads.add(`${resource} ${handle}`),
    decides: () => undefined,
  };
}

/** Within this time in milliseconds most answers come. */
const soonMs = 100;

/** Whether an operation may not be carried out while a point is open (language §F.5). */
function waits(operation: Operation, { specification }: World): boolean {
  return holds(specification, operation).length > 0 || sometimesHeld(operation, specification).length > 0;
}
