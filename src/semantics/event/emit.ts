import type { Address } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Events, Kind } from '../../specification/vocabulary/parts/events.ts';
import { absent } from '../value/evaluate.ts';
import { attempt, type Truth, truthOf } from '../value/truth.ts';
import { type Range, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { bodyOf, computed, read } from './body.ts';
import { changesIn, type Done, type NamedChange } from './changes.ts';
import { deliveriesOf } from './deliver.ts';
import type { About, Emission, EmittedEvent } from './event.ts';
import { exhaust, unsettle } from './exhausted.ts';

/**
 * The events of a transaction, once all of its changes are made (language §6.1).
 *
 * @param done what the operation did; null: a timer made the moves of this world
 * @param before the world before the transaction
 * @param moment the world after it, with the names `actor`, `now` and `service`
 * @param at when it was made, in milliseconds since 1970 by the tester's clock. Default: when the request was received
 */
export function emitted(
  done: Done | null,
  before: World,
  { world, names }: Moment,
  at = world.received.at,
): Emission {
  const events = stated(world.newest.events);
  const kinds = events && stated(events.kinds);
  if (events === undefined || kinds === undefined) return [];
  // Whatever the version of the request: events tell what the newest says, unless their way states another one.
  const shown = world.in(world.newest);
  const groups = changesIn(done, before, world);
  if (groups instanceof Unknown) return groups;
  const found: EmittedEvent[] = [];
  for (const group of groups)
    for (const [name, said] of kinds) {
      const kind = stated(said);
      const change = kind && namedBy(kind, group);
      if (!kind || !change) continue;
      const { actor = null, now = null, service = null } = names;
      const about = { this: change.item, old: change.old, event: { by: change.by } };
      const moment = new Moment(shown, { actor, now, service, ...about });
      const isEmitted = isDue(kind, said.address, moment);
      const naming = { name, kind, address: said.address, change, isEmitted, at, isTimed: done === null };
      if (isEmitted !== false) found.push(eventOf(naming, { before, events, moment, world }));
    }
  for (const { deliveries } of found) for (const delivery of deliveries) exhaust(delivery, at, world);
  unsettle(world);
  return found;
}

/** The change that emits a kind. Of several names for one change, the first in `by` counts. */
function namedBy({ by }: Kind, group: readonly NamedChange[]): NamedChange | undefined {
  for (const { text } of stated(by) ?? []) {
    const change = group.find((each) => each.by === text);
    if (change) return change;
  }
  return undefined;
}

/** Whether `when` is true. What cannot be computed is not true. */
function isDue({ when }: Kind, address: Address, moment: Moment): Truth {
  const template = read(when, moment.world);
  if (template instanceof Unknown) return template;
  if (template !== undefined) return computed(() => truthOf(moment.value(template)), false);
  if (when.kind === 'any') return new Unknown(new Set([when.address]));
  return when.kind === 'open' ? silence(when, address, moment.world) : true;
}

/** What is open is none, if no more can be stated there. */
function silence(said: Said<unknown>, list: Address, { specification }: World): true | Unknown {
  return specification.completeness.closed(list) ? true : new Unknown(new Set([said.address]));
}

/** A kind that a change emits. */
interface Naming {
  readonly name: string;
  readonly kind: Kind;
  readonly address: Address;
  readonly change: NamedChange;
  readonly isEmitted: Truth;
  readonly at: Range;
  readonly isTimed: boolean;
}

function eventOf(
  { name, kind, address, change: { by, item }, isEmitted, at, isTimed }: Naming,
  about: About,
): EmittedEvent {
  const { moment, events, world } = about;
  const body = bodyOf(kind, moment);
  const subject = subjectOf(kind, address, events, moment);
  const source = valueIn(events.source, moment);
  const id = world.make('fresh', 'id of an event');
  const names = {
    id,
    kind: name,
    by,
    at: world.make('time', 'time of an event'),
    ...(source !== undefined && { source }),
    ...(subject !== null && { subject }),
    ...(body !== absent && body !== undefined && { body: body as Value }),
    item,
  };
  const event: Omit<EmittedEvent, 'deliveries'> = {
    at,
    isTimed,
    ...{ kind: name, by, address, isEmitted, id, item, subject, names },
    body: body === undefined ? absent : body,
  };
  // If its body cannot be computed, it is stored and not delivered.
  return { ...event, deliveries: body === undefined ? [] : deliveriesOf(event, about) };
}

/** The subject of its kind, or of all events; null: it has none. */
function subjectOf({ subject }: Kind, address: Address, events: Events, moment: Moment): Value {
  const said = subject.kind === 'open' ? events.subject : subject;
  if (said.kind === 'open') return silence(said, address, moment.world) === true ? null : unknown([]);
  return valueIn(said, moment) ?? null;
}

function valueIn(said: Said<PlacedTemplate>, moment: Moment): Value | undefined {
  if (said.kind === 'any') return new Unknown(new Set([said.address]));
  const template = read(said, moment.world);
  if (template === undefined || template instanceof Unknown) return template;
  return attempt(() => moment.value(template));
}
