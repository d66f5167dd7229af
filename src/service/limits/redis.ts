import { createHash, randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import type { Taken } from '../message/tally.ts';
import { NotRead, StoreRefused } from '../store/store.ts';
import type { Counter } from './counter.ts';
import * as scripts from './redis-script.ts';
import { leaseMs, placeName, renewed, windowName } from './shared.ts';

/** How long a connection, or an answer, may take to come. A server that says nothing for so long is as one that is away. */
const patienceMs = 2000;

/** A script, by the digest under which the server knows it once it has run it. */
interface Script {
  readonly text: string;
  readonly sha: string;
}

const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });
const [take, enter, renew] = [scripts.take, scripts.enter, scripts.renew].map(script) as [
  Script,
  Script,
  Script,
];

/**
 * Counts in Redis, for all processes that name the same address and service: one round trip a request, by the server's
 * clock.
 *
 * @param address `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or `rediss:` for TLS
 * @param service what those that count together have in common: the service's name
 * @param microseconds a clock in place of the server's
 * @throws StoreRefused where it cannot be reached
 */
export async function redisCounter(
  address: string,
  service: string,
  microseconds?: () => number,
): Promise<Counter> {
  const client = createClient({
    url: address,
    disableOfflineQueue: true,
    commandOptions: { timeout: patienceMs },
    // While nothing is asked it is asked whether it is there, so that silence tells that it is not.
    pingInterval: patienceMs / 4,
    socket: {
      connectTimeout: patienceMs,
      socketTimeout: patienceMs,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 2000),
    },
  });
  let isConnected = false;
  // What fails is told by the command that it fails.
  client.on('error', () => {
    if (!isConnected) client.destroy();
  });
  try {
    await client.connect();
  } catch (error) {
    throw new StoreRefused(`requests cannot be counted at ${shown(address)}: ${(error as Error).message}`);
  }
  isConnected = true;
  // All keys of a service are in one slot of a cluster.
  const named = (name: string): string => `{tacet:${service}}:${name}`;
  const run = async ({ text, sha }: Script, keys: string[], given: string[]): Promise<unknown> => {
    const asked = { keys, arguments: given };
    try {
      return await client.evalSha(sha, asked).catch((error: Error) => {
        if (error.message.startsWith('NOSCRIPT')) return client.eval(text, asked);
        throw error;
      });
    } catch (cause) {
      throw new NotRead('requests cannot be counted', { cause });
    }
  };
  return {
    isShared: true,
    take: async (counted) => {
      const keys = counted.map(({ rate, whose }) => named(windowName(rate, whose)));
      const given = counted.flatMap(({ rate }) => [
        rate.window,
        String(rate.allow),
        String(rate.everyMs * 1000),
      ]);
      const told = (await run(take, keys, [
        microseconds ? String(microseconds()) : '',
        ...given,
      ])) as number[];
      return Array.from({ length: told.length / 3 }, (_, index): Taken => {
        const [isAllowed, remaining, reset] = told.slice(index * 3) as [number, number, number];
        return { isAllowed: isAllowed === 1, remaining, resetMs: reset / 1000 };
      });
    },
    enter: async ({ name, allow, whose }) => {
      const [key, id, lease] = [named(placeName(name, whose)), randomUUID(), String(leaseMs * 1000)];
      if ((await run(enter, [key], [id, String(allow), lease])) !== 1) return null;
      return renewed(
        () => run(renew, [key], [id, lease]),
        () => client.zRem(key, id),
      );
    },
    close: () => client.close(),
  };
}

function shown(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}
