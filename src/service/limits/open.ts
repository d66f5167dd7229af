import { StoreRefused } from '../store/store.ts';
import { type Counter, processCounter } from './counter.ts';

/**
 * Where requests are counted: in Redis at `redis:` or `rediss:`, in PostgreSQL at `postgres:`, else in this process. What
 * the others take is not loaded.
 *
 * @param milliseconds the clock of one that counts in this process
 * @throws StoreRefused where it is no such place, or cannot be reached
 */
export async function openCounter(
  place: string | undefined,
  service: string,
  milliseconds: () => number,
): Promise<Counter> {
  if (place === undefined) return processCounter(milliseconds);
  if (/^rediss?:/.test(place) && URL.canParse(place))
    return (await import('./redis.ts')).redisCounter(place, service);
  throw new StoreRefused('requests are counted at redis://HOST');
}
