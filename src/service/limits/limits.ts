import type { Environment } from '../../expression/compile.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Judge, Slot } from '../judge/judge.ts';
import type { FrameOf } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import { isStream, type Reply, type Stream } from '../message/reply.ts';
import { type Tally, tally } from '../message/tally.ts';
import { concurrencyJudges } from './concurrency.ts';
import type { Counter } from './counter.ts';
import { compileRates } from './rates.ts';
import type { Asked } from './share.ts';
import { timeOf, within } from './time.ts';

interface Around {
  readonly fault: (error: unknown) => void;
  readonly counter: Counter;
  /** A clock that never goes back. */
  readonly milliseconds: () => number;
}

/** Answers a request whose content has been read. */
export type Answering<C> = (incoming: Incoming, content: C) => Reply | null | Promise<Reply | null>;

/** The limits of an operation that hang on when it is asked for, compiled (language §8). */
export interface CompiledLimits {
  readonly judges: readonly Judge<Asked>[];
  /** Whether what is counted has to be waited for. */
  readonly mayWait: boolean;
  /** To be told of the order in which they are judged. */
  readonly arranged: (slots: readonly Slot<never>[]) => void;
  /**
   * The same, but that each request is counted once, told of, over once it is answered, and answered in time.
   *
   * @param timedOut the answer to one that was not
   */
  readonly around: <C>(answering: Answering<C>, timedOut: (frame: FrameOf | null) => Reply) => Answering<C>;
}

/**
 * Null where nothing is stated of an operation: then nothing is looked at.
 *
 * @param isAsked whether it is looked who asks, before anything else of what is kept
 */
export function compileLimits(
  specification: Specification,
  operation: Operation,
  { counter, milliseconds, fault }: Around,
  environment: Environment,
  isAsked: boolean,
): CompiledLimits | null {
  const rates = compileRates(specification, operation, { counter, fault }, environment, isAsked);
  const bounds = concurrencyJudges(specification, operation, counter, environment, isAsked);
  const judges = [...rates.judges, ...bounds];
  const timeMs = timeOf(specification, operation);
  if (judges.length === 0 && timeMs === undefined) return null;
  return {
    judges,
    mayWait: counter.isShared && judges.length > 0,
    arranged: rates.arranged,
    around: (answering, timedOut) => {
      const inTime: typeof answering = (incoming, content) => {
        const own = incoming.tally as Tally;
        return within(
          timeMs as number,
          milliseconds,
          (deadline) => {
            own.deadline = deadline;
            return answering(incoming, content);
          },
          () => timedOut(own.frame),
        );
      };
      const run = timeMs === undefined ? answering : inTime;
      return (incoming, content) => {
        const own = tally();
        const reply = run({ ...incoming, tally: own }, content);
        const settle = (found: Reply | null): Reply | null => over(told(found, own), own, incoming.method);
        return reply instanceof Promise ? reply.then(settle) : settle(reply);
      };
    },
  };
}

/** The answer with the fields that tell of the rates that were asked. */
function told(reply: Reply | null, { rates }: Tally): Reply | null {
  if (reply === null || rates.size === 0) return reply;
  let { headers } = reply;
  for (const { fields } of rates.values()) if (fields.length > 0) headers = headers.concat(fields);
  return headers === reply.headers ? reply : { ...reply, headers };
}

/** Ends what runs: now, or, of a list that is made while it is sent, then. */
function over(reply: Reply | null, tally: Tally, method: string): Reply | null {
  tally.isOver = true;
  if (tally.entered === null) return reply;
  const ends = [...tally.entered.values()].filter((one) => typeof one === 'function');
  const end = (): void => {
    for (const one of ends.splice(0)) one();
  };
  if (reply !== null && isStream(reply.body) && method !== 'HEAD' && ends.length > 0)
    return { ...reply, body: ending(reply.body, end) };
  end();
  return reply;
}

function ending({ chunks }: Stream, end: () => void): Stream {
  return {
    unsent: end,
    chunks: async function* () {
      try {
        yield* chunks();
      } finally {
        end();
      }
    },
  };
}
