import { type Broker, subjectsOf, subscribe } from '../events/broker.ts';
import { type Observer, observedAs } from './observer.ts';

/** Reads what is published at the broker of the operator. */
export async function observeBroker(way: string, delivery: Broker, address: string): Promise<Observer> {
  const { told, more, close } = await subscribe(address, subjectsOf(delivery));
  return { way, since: () => told.map((each) => observedAs(way, null, each, 0)), more, close };
}
