import { stated } from '../../specification/reading/said.ts';
import { created } from '../change/item.ts';
import { setTimers } from '../change/timers.ts';
import { Range, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { shownAt } from '../world/received.ts';
import { Ways } from '../world/ways.ts';
import type { World } from '../world/world.ts';

/** The world before the first request, with the items that exist by then (language §2.1, rule 5). */
export function begun(world: World): World {
  if (world.isBegun) return world;
  const first = world.fork(new Ways());
  first.isBegun = true;
  // Where others make items too, they may have changed these.
  if (world.isShared) return first;
  const { at, offMs } = first.received;
  const since = new Range(Number.NEGATIVE_INFINITY, at.most);
  const now = first.make('time', 'begin', shownAt(since, offMs));
  const moment = new Moment(first, { actor: null, now });
  for (const resource of world.specification.resourcesByName.values())
    for (const { members } of stated(resource.items) ?? []) {
      const given = [...members].map(([name, { value }]): [string, Value] => [name, value as Value]);
      created(resource, Object.fromEntries(given), moment);
    }
  setTimers(world, since, moment);
  return first;
}
