import { StoreRefused } from '../store/store.ts';
import { type Counter, processCounter } from './counter.ts';

/**
 * Where requests are counted: in Redis at `redis:` or `rediss:`, in PostgreSQL at `postgres:`, and in this process by `process`, or where none is named. What
 * the others take is not loaded.
 *
 * @param milliseconds a clock in place of the machine's, and the servers'
 * @throws StoreRefused where it is no such place, or cannot be reached
 */
export async function openCounter(
  place: string | undefined,
  service: string,
  milliseconds?: () => number,
): Promise<Counter> {
  if (place === undefined || place === 'process')
    return processCounter(milliseconds ?? (() => performance.now()));
  const microseconds = milliseconds && ((): number => milliseconds() * 1000);
  if (/^rediss?:/.test(place) && URL.canParse(place))
    return (await import('./redis.ts')).redisCounter(place, service, microseconds);
  if (/^postgres(ql)?:/.test(place))
    return (await import('./postgres.ts')).postgresCounter(place, service, microseconds);
  throw new StoreRefused(
    'requests are counted at redis://HOST, postgres://USER@HOST/DATABASE, or in the process: process',
  );
}
