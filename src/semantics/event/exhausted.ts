import { transitionsIn } from '../../specification/model/machine.ts';
import { stated } from '../../specification/reading/said.ts';
import { machinesOf } from '../change/move.ts';
import { seen, Unknown, unknown, type Value } from '../value/value.ts';
import type { Stored, World } from '../world/world.ts';
import type { EventDelivery } from './event.ts';

/** Attempts that take longer than this, in milliseconds, do not end while the tester looks. */
const soonMs = 3_600_000;

/**
 * A receiver of which nothing is known may refuse every attempt. Then the item is asked for a transition (language §6.3,
 * rule 20), so what this sets is unknown from now on.
 */
export function exhaust({ way, to, url }: EventDelivery, world: World): void {
  const delivery = stated(stated(stated(world.specification.events)?.delivery)?.get(way));
  const stored = to && world.stored(to);
  if (delivery?.kind !== 'webhook' || !stored) return;
  const name = stated(delivery.exhausted)?.text.split('.')[1];
  const pauses = delivery.retries.kind === 'none' ? [] : stated(delivery.retries);
  if (name === undefined || pauses === undefined || isReached(url, world)) return;
  if (pauses.reduce((sum, pauseMs) => sum + pauseMs, 0) >= soonMs) return;
  const resource = world.specification.resourcesByName.get(stored.resource);
  for (const [field, machine] of resource ? machinesOf(resource, world) : []) {
    const transition = transitionsIn(machine).get(name);
    if (resource === undefined || transition === undefined) continue;
    // What else it changes, this does not carry out.
    if (transition.to.kind === 'none' || stated(transition.also)) world.leave(unknown([]));
    const updated = [...resource.fields.values()].filter(({ update }) => stated(update) !== undefined);
    const names = [field, ...(stated(transition.set)?.keys() ?? []), ...updated.map((each) => each.name)];
    if (isTold(`${stored.resource}.${name}`, world))
      world.restless = new Map(world.restless).set(stored.resource, names);
    forget(stored, names, world);
  }
}

/** What holds only addresses to which it is known that events come is not moved by attempts that fail. */
export function calm(world: World): void {
  const ways = [...(stated(stated(world.specification.events)?.delivery)?.values() ?? [])].map(stated);
  const isMoved = (resource: string): boolean =>
    ways.some((way) => {
      const to = way?.kind === 'webhook' ? stated(way.webhook) : undefined;
      if (to?.kind !== 'field' || to.resource !== resource) return false;
      return world.all(resource).some(({ members }) => !isReached(members.get(to.field) ?? null, world));
    });
  world.restless = new Map([...world.restless].filter(([resource]) => isMoved(resource)));
}

function isReached(url: Value, world: World): boolean {
  const address = seen(url);
  return typeof address === 'string' && world.reached.some((each) => address.startsWith(each));
}

/** Whatever may move by the attempts of any event is unknown, whenever it was made. */
export function unsettle(world: World): void {
  for (const [resource, names] of world.restless)
    for (const stored of world.all(resource)) forget(stored, names, world);
}

function forget(stored: Stored, names: readonly string[], world: World): void {
  if (names.every((name) => stored.members.get(name) instanceof Unknown)) return;
  const members = new Map<string, Value>(stored.members);
  for (const name of names) members.set(name, unknown([]));
  world.change({ ...stored, members });
}

/** Whether a transition emits an event: other receivers may refuse that, too. */
function isTold(transition: string, { specification: { events } }: World): boolean {
  const kinds = [...(stated(stated(events)?.kinds)?.values() ?? [])].map(stated);
  return kinds.some((kind) => (stated(kind?.by) ?? []).some(({ text }) => text === transition));
}
