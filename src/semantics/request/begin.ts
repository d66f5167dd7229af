import { stated } from '../../specification/reading/said.ts';
import { created } from '../change/item.ts';
import { setTimers } from '../change/timers.ts';
import { NotComputable, Range, type Unknown, unknown, type Value } from '../value/value.ts';
import { lastingFields } from '../world/founding.ts';
import { Moment } from '../world/moment.ts';
import { shownAt } from '../world/received.ts';
import { Undetermined, Ways } from '../world/ways.ts';
import type { World } from '../world/world.ts';

/** The world before the first request. Unknown: one of the items that exist by then cannot be made, so no service begins. */
export function begun(world: World): World | Unknown {
  if (world.isBegun) return world;
  try {
    return withItems(world);
  } catch (error) {
    if (error instanceof Undetermined) return error.because;
    if (error instanceof NotComputable) return unknown([]);
    throw error;
  }
}

/** The items that exist before the first request (language §2.1, rule 5). */
function withItems(world: World): World {
  const first = world.fork(new Ways());
  first.isBegun = true;
  const { received } = first;
  const since = new Range(Number.NEGATIVE_INFINITY, received.at.most);
  const moment = (): Moment =>
    new Moment(first, { actor: null, now: first.make('time', 'begin', shownAt(since, received)) });
  for (const resource of world.specification.resourcesByName.values()) {
    const lasting = world.isShared ? lastingFields(resource, world.specification) : undefined;
    // Somebody else may have deleted them.
    if (lasting === null) continue;
    for (const { members } of stated(resource.items) ?? []) {
      const given = [...members].map(([name, { value }]): [string, Value] => [name, value as Value]);
      // It is there, whatever others made since. Nobody says that all are made at the same moment.
      created(resource, Object.fromEntries(given), moment());
      const made = first.all(resource.name).at(-1);
      if (made && lasting) first.share(made, lasting);
    }
  }
  first.founding = first.latest;
  setTimers(world, since, moment());
  return first;
}

/** The same world, should others use the service, too: items that exist before the first request are not ours alone. */
export function amongOthers(world: World): World {
  const shared = world.withOthers();
  for (const resource of world.newest.resourcesByName.values()) {
    const lasting = lastingFields(resource, world.specification);
    for (const stored of world.all(resource.name))
      if (stored.handle <= world.founding) shared.share(stored, lasting);
  }
  return shared;
}
