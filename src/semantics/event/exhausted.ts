import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Webhook } from '../../specification/vocabulary/delivery.ts';
import { type Item, Range, Unknown, unknown, type Value } from '../value/value.ts';
import type { Stored } from '../world/stored.ts';
import type { Timer } from '../world/timer.ts';
import type { World } from '../world/world.ts';
import type { EventDelivery } from './event.ts';
import { isReached, isRefused, pausesOf } from './receivers.ts';

/** Attempts that take longer than this, in milliseconds, do not end while the tester looks. */
const soonMs = 3_600_000;

/** An attempt is made, and its answer is noted, so many milliseconds after its time. */
const slackMs = 5000;

/**
 * Once every attempt to reach an address has failed, its item is asked for a transition (language §6.3, rule 20). If the
 * receiver is the tester's and refuses, a timer says when. If nothing is known of the receiver, it may refuse: then what the
 * transition sets is unknown from now on.
 *
 * @param at when the event was emitted, in milliseconds since 1970 by the tester's clock
 */
export function exhaust(sent: EventDelivery, at: Range, world: World): void {
  const delivery = stated(stated(stated(world.specification.events)?.delivery)?.get(sent.way));
  const stored = sent.to && world.stored(sent.to);
  if (delivery?.kind !== 'webhook' || !stored) return;
  const name = stated(delivery.exhausted)?.text.split('.')[1];
  const pauses = pausesOf(delivery);
  if (name === undefined || pauses === undefined) return;
  const allMs = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
  if (isRefused(sent.url, delivery)) {
    // An attempt that does not come to the tester may wait for an answer.
    const unreachedMs = (stated(delivery.timeout) ?? Number.POSITIVE_INFINITY) * (pauses.length + 1);
    const due = dueOf(sent, delivery, at, allMs, world);
    // If nobody knows whether the event was sent, nobody knows either whether attempts end.
    const isPerhapsOver = sent.isSent !== true;
    setTimer(
      stored,
      { move: name, due, time: sent.url, unreachedMs, ...(isPerhapsOver && { isPerhapsOver }) },
      world,
    );
  } else if (!isReached(sent.url, world) && allMs < soonMs) loosen(stored, name, world);
}

/** An item has one timer for all its events: each asks for the same move. */
function setTimer(
  { resource, handle }: Stored,
  timer: Omit<Timer, 'kind' | 'resource' | 'handle'>,
  world: World,
): void {
  const known = waitingFor({ resource, handle }, world).find(({ move }) => move === timer.move);
  if (known) world.dropTimer(known);
  const isPerhapsOver = known?.isPerhapsOver || timer.isPerhapsOver;
  world.setTimer(
    known
      ? { ...known, later: [...(known.later ?? []), timer.due], ...(isPerhapsOver && { isPerhapsOver }) }
      : { kind: 'exhausted', resource, handle, ...timer },
  );
}

function waitingFor({ resource, handle }: Pick<Item, 'resource' | 'handle'>, world: World): Timer[] {
  return world.timers.filter(
    (timer) => timer.kind === 'exhausted' && timer.handle === handle && timer.resource === resource,
  );
}

/** When the last attempt has failed. What waits for events before it takes longer. */
function dueOf(sent: EventDelivery, { within }: Webhook, at: Range, allMs: number, world: World): Range {
  const waiting = sent.to ? waitingFor(sent.to, world) : [];
  const dues = waiting.flatMap(({ due, later = [] }) => [due, ...later]);
  const begunMs = Math.max(at.most, ...dues.map(({ most }) => most));
  return new Range(at.least + allMs, begunMs + (stated(within) ?? 0) + allMs + slackMs);
}

/** What a transition sets may change at any time. */
function loosen(stored: Stored, name: string, world: World): void {
  const resource = world.specification.resourcesByName.get(stored.resource);
  for (const [field, machine] of resource ? machinesOf(world.specification, resource.name) : []) {
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
