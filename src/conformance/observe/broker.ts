import { type Broker, subjectsOf, subscribe } from '../events/broker.ts';
import { type Observer, observedSince } from './observer.ts';

/** Reads what is published at the broker of the operator. */
export async function observeBroker(way: string, delivery: Broker, address: string): Promise<Observer> {
  const { told, more, close } = await subscribe(address, subjectsOf(delivery));
  return {
    ...{ way, more, close },
    came: observedSince(way, told),
    hasEnded: () => false,
    isHere: () => true,
    isReached: () => true,
  };
}
