import { step } from '../../specification/address.ts';
import type { Delivery } from '../../specification/delivery.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import { emitting } from '../events/courses.ts';
import { kindsOf, wantedOf } from '../events/kinds.ts';
import { resumes } from '../events/resume.ts';
import { told } from '../events/scenarios.ts';
import { streamObserver, streamOf } from '../events/stream.ts';
import type { Observer } from '../events/told.ts';
import { partStatedOnly, unchecked } from '../stated.ts';
import { heldUp, type Trial } from '../trial.ts';

/** Part 6, what is told to others (language §6): each kind by each operation that emits it, by each way that is stated. */
export function checks(trial: Trial): Scenario[] {
  const { of } = trial;
  const events = stated(of.events);
  if (events === undefined) return partStatedOnly(of, 'events');
  const ways = [...(stated(events.delivery) ?? [])].map(([name, said]) => observerOf(trial, name, said));
  const observers = ways.filter((one) => 'open' in one);
  const unheard = ways.flatMap((one) => ('why' in one ? [unchecked(of, one.address, one.why)] : []));
  if (observers.length === 0)
    return [unchecked(of, 'events', 'there is no way by which the tester could follow what is told')];
  const found = wantedOf(events).flatMap((wanted) => emitting(trial, wanted));
  const silent = kindsOf(events).filter(({ name }) => !found.some(({ wanted }) => wanted.name === name));
  return [
    ...observers.flatMap((observer) => {
      const telling = { trial, events, delivery: observer.delivery };
      const stream = streamOf(trial, observer);
      const [first] = found;
      return [
        ...told(telling, observer, found),
        ...(stream && first ? [resumes(telling, observer, stream, first)] : []),
      ];
    }),
    ...silent.map(({ name }) =>
      unchecked(of, step('events.kinds', name), 'no operation that can be exercised emits it'),
    ),
    ...unheard,
  ];
}

/** What observes a way of delivery, or why none does. */
function observerOf(
  trial: Trial,
  name: string,
  said: Said<Delivery>,
): Observer | { readonly address: string; readonly why: string } {
  const address = step('events.delivery', name);
  const delivery = stated(said);
  const about = delivery && { name, address, at: said.at, delivery };
  if (about?.delivery.kind === 'stream') {
    const operation = streamOf(trial, about);
    if (operation && heldUp(trial.of, operation) === null) return streamObserver(trial, about, operation);
  }
  return { address, why: 'it is sent to where the tester does not listen' };
}
