import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Header, Request } from '../http.ts';
import { withOthers } from '../perform.ts';
import { isAboutOne, requestTo } from '../request.ts';
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
    open: async () => ({ ...(await follow(await asked(trial, operation))), due: () => yes }),
    silence: () => null,
  };
}

/** The request that begins a stream, of items that are there where its path names some, or goes on with it after an event. */
export async function asked(trial: Trial, stream: Operation, last?: string): Promise<Request> {
  const headers: Header[] = last === undefined ? [] : [['Last-Event-ID', last]];
  const { subject } = stream;
  const item = subject && isAboutOne(stream) ? await trial.stocked(subject.name) : undefined;
  const attempt = await withOthers(trial, stream, { headers, ...(item && { item }) });
  return spoken(trial.of, trial.url, requestTo(trial, stream, attempt));
}

/** The endpoint of a stream. */
export function streamOf({ of }: Trial, { delivery }: Pick<Observer, 'delivery'>): Operation | undefined {
  const key = delivery.kind === 'stream' ? stated(delivery.stream)?.text : undefined;
  return of.operations.find((one) => one.key === key);
}
