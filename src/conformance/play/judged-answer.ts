import type { Answer } from '../../semantics/judge/answer.ts';
import { mayShowMore } from '../../semantics/judge/further.ts';
import { judge, type Settled } from '../../semantics/judge/judge.ts';
import type { Prediction, Request } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import type { Observer } from '../../semantics/world/observer.ts';
import type { Received } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { writtenBetween } from '../explore/writers.ts';
import type { Exchange } from '../http.ts';
import { accepted } from './accepted.ts';
import { mayBeLimited } from './limited.ts';
import { isOfOthers, type Others, type OwnTexts, othersIn } from './others.ts';
import { weighed } from './weighed.ts';

/** An exchange of a walk, judged by all that came before it. */
export interface Judged {
  readonly operation: Operation;
  readonly exchange: Exchange;
  /** Null: none came. */
  readonly answer: Answer | null;
  /** What was predicted of the answer: one of these. None: it was not judged. */
  readonly predictions: readonly Prediction[];
  /** Null: nothing is stated of the answer. */
  readonly settled: Settled | null;
  /** What is known after it; null: nobody knows what the service holds. */
  readonly world: World | null;
  readonly others: Others;
  /** Whether it is a list that shows an item of somebody else, and is right. Default: false */
  readonly isOfOthers?: boolean;
  /**
   * The items that the request reads, and those that it writes, each as its resource and handle; of what is about a rate, and
   * of what it counts, its name.
   */
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /** Whether it was sent at once with the one before it. Default: false */
  readonly isTogether?: boolean;
}

/** A request that was sent, and what came of it. */
export interface Sent {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly received: Received;
  /** Null: none came. */
  readonly answer: Answer | null;
}

/** The same, if an answer came. */
export type Answered = Sent & { readonly answer: Answer };

const none: ReadonlySet<string> = new Set();

/**
 * An exchange that is not judged.
 *
 * @param world what is known after it
 */
export function unjudged({ request: { operation }, exchange, answer }: Sent, world: World | null): Judged {
  const nothing = { predictions: [], settled: null, others: 'none', reads: none, writes: none } as const;
  return { ...nothing, operation, exchange, answer, world };
}

/**
 * Holds an answer against all that may come of its request in this world.
 *
 * @param own what answers showed of items of ours
 * @param unread header fields, in small letters, that are not looked at. Default: none
 */
export function judgedAnswer(
  world: World,
  { request, exchange, received, answer }: Answered,
  own: OwnTexts,
  unread: ReadonlySet<string> = none,
): Judged & { readonly settled: Settled } {
  const { specification } = world;
  const { operation } = request;
  const reads = new Set<string>();
  const expected = step(world.observedBy(noting(reads)), request, received);
  const all = accepted(expected, answer, world, request, received);
  const steps = unread.size === 0 ? all : all.map((each) => without(unread, each));
  const settled = weighed(judge(steps, answer, mayShowMore(specification, operation)), answer, {
    ...{ world, request, received },
  });
  const { next: after, differences } = settled;
  const others = differences.length > 0 ? othersIn(answer, world, request, received, own) : 'none';
  const writes = after ? new Set([...writtenBetween(world, after), ...countedIn(after)]) : none;
  const isOfRate =
    mayBeLimited(specification, operation, exchange) ||
    steps.some(({ prediction }) => prediction.condition === 'rate exceeded') ||
    differences.some(({ by }) => by.startsWith('limits.rates'));
  if (differences.length > 0 && isOfRate) for (const rate of counted(world)) reads.add(rate);
  const predictions = steps.map(({ prediction }) => prediction);
  const judged = { operation, exchange, answer, predictions, settled, world: after, others, reads, writes };
  return { ...judged, isOfOthers: differences.length === 0 && isOfOthers(answer, operation, world, own) };
}

function without(fields: ReadonlySet<string>, { prediction, ...step }: Step): Step {
  const headers = Object.entries(prediction.headers).filter(([name]) => !fields.has(name));
  return { ...step, prediction: { ...prediction, headers: Object.fromEntries(headers) } };
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
