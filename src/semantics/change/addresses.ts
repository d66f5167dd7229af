import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { unknown, type Value } from '../value/value.ts';
import { Barred } from '../world/ways.ts';
import type { World } from '../world/world.ts';

/** Whether a field holds addresses to which events are posted. */
const isAddress = once(({ resource, name }: Field, { events }: Specification): boolean => {
  const deliveries = [...(stated(stated(events)?.delivery)?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  return deliveries.some((delivery) => {
    const to = delivery.kind === 'webhook' ? stated(delivery.webhook) : undefined;
    return to?.kind === 'field' && to.resource === resource && to.field === name;
  });
});

/**
 * The host limits to which addresses a service sends (language §6.3, rules 24 and 25). One on the internet it sends to. One
 * of a network of its own it may refuse, unless it is known that it reaches it. Of other texts, nothing is said.
 */
export function judgeAddress(field: Field, value: Value, world: World): void {
  if (typeof value !== 'string' || !isAddress(field, world.specification)) return;
  if (/^https?:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?(\/.*)?$/i.test(value)) return;
  if (world.reached.some((url) => value.startsWith(url))) return;
  if (!/^https?:\/\/(localhost|\d+\.\d+\.\d+\.\d+)(:\d+)?(\/[\w/-]*)?$/.test(value)) world.leave(unknown([]));
  if (world.decide(unknown([]))) throw new Barred();
}
