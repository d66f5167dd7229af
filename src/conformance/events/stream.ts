import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { Header, Request } from '../http.ts';
import { requestTo } from '../request.ts';
import { spoken } from '../spoken.ts';
import type { Trial } from '../trial.ts';
import { yes } from '../verdict.ts';
import { follow } from './follow.ts';
import type { Observer } from './told.ts';

/** A stream of Server-Sent Events, as whoever asks for it reads it; null where its endpoint is open. */
export function streamObserver(
  trial: Trial,
  about: Pick<Observer, 'name' | 'address' | 'at' | 'delivery'>,
  operation: Operation,
): Observer {
  return {
    ...about,
    open: async () => ({ ...(await follow(asked(trial, operation))), due: () => yes }),
    silence: () => null,
  };
}

/** The request that begins a stream, or goes on with it after an event. */
export function asked(trial: Trial, stream: Operation, last?: string): Request {
  const headers: Header[] = last === undefined ? [] : [['Last-Event-ID', last]];
  return spoken(trial.of, trial.url, requestTo(trial, stream, { headers }));
}

/** The endpoint of a stream. */
export function streamOf({ of }: Trial, { delivery }: Pick<Observer, 'delivery'>): Operation | undefined {
  const key = delivery.kind === 'stream' ? stated(delivery.stream)?.text : undefined;
  return of.operations.find((one) => one.key === key);
}
