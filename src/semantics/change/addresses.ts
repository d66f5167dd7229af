import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';

/** The fields that hold addresses to which events are posted: `Hook.url`. */
const addressFields = once(({ events }: Specification): ReadonlySet<string> => {
  const deliveries = [...(stated(stated(events)?.delivery)?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  return new Set(
    deliveries.flatMap((delivery) => {
      const to = delivery.kind === 'webhook' ? stated(delivery.webhook) : undefined;
      return to?.kind === 'field' ? [`${to.resource}.${to.field}`] : [];
    }),
  );
});

/** To which addresses a service sends, its host says (language §6.3, rules 24 and 25). Others than usual ones are unknown. */
export function leaveOddAddress({ resource, name }: Field, value: Value, world: World): void {
  if (!addressFields(world.specification).has(`${resource}.${name}`) || typeof value !== 'string') return;
  if (!/^https?:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?(\/.*)?$/i.test(value))
    world.leave(unknown([]));
}
