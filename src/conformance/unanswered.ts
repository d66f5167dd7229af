import { setTimeout } from 'node:timers/promises';
import { type Client, type Exchange, type Request, Unreachable } from './http.ts';

/** Nothing is answered any more, though it was: the rest cannot be tested. */
export class Unanswered extends Unreachable {}

export interface Heeding extends Client {
  /** Throws `Unanswered` where nobody listened to the last request. */
  readonly goOn: () => void;
}

/**
 * The client, which gives up where nothing at all is answered for so long, so that a run has an end. Some requests may
 * hang while others are answered: what was read last is read once more before. Throws `Unanswered`.
 *
 * What reached nobody is sent again for some time, since whoever looks after the implementation may start it anew. If they
 * do not, nothing more is sent: what a check finds by then is told, and `goOn` throws.
 *
 * @param mostMs how long nothing is answered, in milliseconds
 * @param now the time, in milliseconds
 */
export function untilUnanswered(
  client: Client,
  mostMs: number,
  now: () => number,
  again = { afterMs: 100, times: 30 },
): Heeding {
  /** When the first request was sent since anything was answered. */
  let silentSince: number | null = null;
  let lastRead: Request | null = null;
  let end: Unanswered | null = null;
  let refused: Exchange | null = null;
  const isHeard = async (request: Request): Promise<boolean> =>
    (await client.send(request)).lateMs === undefined;
  const reaching = async (request: Request): Promise<Exchange> => {
    // Only the first of them is missing.
    if (refused) return { ...refused, request, lateMs: 0 };
    let exchange = await client.send(request);
    for (let left = again.times; exchange.isRefused && left > 0; left--) {
      await setTimeout(again.afterMs);
      exchange = await client.send(request);
    }
    if (!exchange.isRefused) return exchange;
    if (refused) return { ...exchange, lateMs: 0 };
    refused = exchange;
    return exchange;
  };
  return {
    ...client,
    goOn: () => {
      if (refused) throw new Unanswered('nobody listened any more, and what is left was not tested');
    },
    send: async (request) => {
      if (end) throw end;
      silentSince ??= now();
      const exchange = await reaching(request);
      if (exchange.lateMs === undefined) {
        silentSince = null;
        if (request.method === 'GET') lastRead = request;
        return exchange;
      }
      if (silentSince === null || now() - silentSince < mostMs) return exchange;
      silentSince = null;
      if (lastRead && (await isHeard(lastRead))) return exchange;
      end = new Unanswered(
        `nothing was answered any more for ${mostMs / 1000} s, and what is left was not tested`,
      );
      throw end;
    },
  };
}
