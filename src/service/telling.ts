import { answeredOf } from './answered.ts';
import { idsOf, type RequestIds } from './http/request-ids.ts';
import type { Received } from './message/receiving.ts';
import type { ServiceOptions } from './options.ts';
import type { Told } from './routes.ts';

/** Tells those who listen to a service of each answer. */
export function telling(options: ServiceOptions, fault: (error: unknown, ids?: RequestIds) => void): Told {
  return (reply, asked) => {
    if (reply?.heldUp) options.onHeldUp?.(reply.heldUp);
    if (reply?.hostLimit !== undefined) options.onHostLimit?.(reply.hostLimit);
    const { faults = [] } = reply ?? {};
    const isTold = faults.length > 0 || options.onAnswered !== undefined;
    const ids = isTold ? idsOf(asked.arrived, options.makesTraces === true) : null;
    for (const one of faults) fault(one, ids ?? undefined);
    if (reply?.because?.reason !== undefined) options.onRefused?.(asked.arrived, reply.because.reason);
    if (ids)
      options.onAnswered?.(
        answeredOf(reply, asked),
        ids,
        'received' in asked.arrived ? (asked.arrived as Received) : null,
      );
  };
}
