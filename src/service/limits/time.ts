import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { isStream, type Reply, type Stream } from '../message/reply.ts';
import type { Deadline } from '../message/tally.ts';

/** How long a request may take, in milliseconds; undefined: that is the host's to say (language §8.3). */
export function timeOf({ limits }: Specification, operation: Operation): number | undefined {
  const part = stated(limits);
  const times = part && stated(part.times);
  const own = stated(times?.operations)?.get(operation.name);
  return stated(own ?? times?.request);
}

/** More was asked than there was time for, and part of the answer is sent. */
class Overrun extends Error {}

type Timed = Reply | null | Promise<Reply | null>;

/**
 * Holds an answer to its time, counted from when the whole request is there. The answer to what is late is
 * `timedOut`, as soon as the time has passed; a change that is late is undone, and one that was decided in time is
 * waited for.
 */
export function within(
  timeMs: number,
  milliseconds: () => number,
  run: (deadline: Deadline) => Timed,
  timedOut: () => Reply,
): Timed {
  const begun = milliseconds();
  let isLate = false;
  let isDecided = false;
  const overran = (): boolean => {
    isLate ||= milliseconds() - begun >= timeMs;
    return isLate;
  };
  const deadline: Deadline = {
    settles: () => {
      if (overran()) return false;
      isDecided = true;
      return true;
    },
    isPast: overran,
  };
  const settle = (reply: Reply | null): Reply | null => {
    if (reply === null || isDecided) return reply;
    if (overran()) return timedOut();
    if (!isStream(reply.body)) return reply;
    return { ...reply, body: timed(reply.body, timeMs - (milliseconds() - begun), milliseconds) };
  };
  const reply = run(deadline);
  if (!(reply instanceof Promise)) return settle(reply);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (isDecided) return;
      isLate = true;
      resolve(timedOut());
    }, timeMs);
    reply
      .then(settle)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** A body that is made while it is sent: what the making takes counts, and not how long the client reads. */
function timed({ chunks, ...body }: Stream, leftMs: number, milliseconds: () => number): Stream {
  return {
    ...body,
    chunks: async function* () {
      let left = leftMs;
      let begun = milliseconds();
      for await (const chunk of chunks()) {
        left -= milliseconds() - begun;
        if (left <= 0) throw new Overrun('the list took longer than is stated that a request may');
        yield chunk;
        begun = milliseconds();
      }
    },
  };
}
