import { step } from '../../specification/address.ts';
import { stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import { emits, emittersOf, kindsOf, streamsOf } from '../events/streams.ts';
import { partStatedOnly, unchecked } from '../stated.ts';
import { heldUp, type Trial } from '../trial.ts';

/**
 * Part 6, what is told to others (language §6): each kind by each operation that emits it, as a stream tells it.
 * Webhooks and brokers take a place that the implementation can reach, which the tester does not set up.
 */
export function checks(trial: Trial): Scenario[] {
  const { of } = trial;
  const events = stated(of.events);
  if (events === undefined) return partStatedOnly(of, 'events');
  const streams = streamsOf(trial, events).filter(({ operation }) => heldUp(of, operation) === null);
  const [stream] = streams;
  const ways = [...(stated(events.delivery)?.keys() ?? [])];
  const others = ways.filter((way) => !streams.some(({ name }) => name === way));
  const untold = others.map((way) =>
    unchecked(of, step('events.delivery', way), 'it is sent to where the tester does not listen'),
  );
  const kinds = kindsOf(events);
  if (stream === undefined)
    return [unchecked(of, 'events', 'there is no stream by which the tester could follow what is told')];
  const scenarios = kinds.flatMap((wanted) =>
    emittersOf(trial, wanted.by)
      .filter((operation) => heldUp(of, operation) === null)
      .slice(0, 1)
      .map((operation) => emits(trial, events, wanted, operation, stream.operation)),
  );
  const exercised = kinds.filter(({ by }) => emittersOf(trial, by).some((one) => heldUp(of, one) === null));
  const silent = [...(stated(events.kinds)?.keys() ?? [])].filter(
    (name) => !exercised.some((one) => one.name === name),
  );
  return [
    ...scenarios,
    ...silent.map((name) =>
      unchecked(of, step('events.kinds', name), 'no operation that can be exercised emits it'),
    ),
    ...untold,
  ];
}
