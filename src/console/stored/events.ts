import { Refused } from '../../load/refused.ts';
import type { Delivery } from '../../service/events/deliveries.ts';
import { type EventsKept, type Listed, openEvents } from '../../service/events/listing.ts';
import { StoreRefused } from '../../service/store/store.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Context, type Given, textOf } from '../context.ts';
import type { Running } from '../desk.ts';
import { resourcesOf, runningOf } from './beside.ts';
import { concealed } from './concealed.ts';

/** A page of the events that are stored, the latest first. */
export interface EventPage {
  /** The kinds of events that the document states. */
  readonly kinds: readonly string[];
  readonly events: readonly EventView[];
  /** The place before which the next page begins; null: this is the last. */
  readonly next: number | null;
}

export interface EventView {
  readonly id: string;
  readonly kind: string;
  /** RFC 3339. */
  readonly at: string;
  /** The operation or the transition that emitted it. */
  readonly by: string;
  readonly subject: string | null;
  /** What it is about; null: no item, or none that is stored. */
  readonly item: ItemLink | null;
  /** JSON, laid out; null: it has none. */
  readonly body: string | null;
  readonly isDelivered: boolean;
  readonly deliveries: readonly DeliveryView[];
}

interface ItemLink {
  readonly resource: string;
  readonly key: string;
}

/** A delivery to one address, and what came of it. */
export interface DeliveryView {
  readonly way: string;
  /** The item that has the address; null: the operator gives it. */
  readonly to: ItemLink | null;
  readonly state: 'not tried yet' | 'to be tried again' | 'arrived' | 'given up';
  readonly tries: number;
  /** What the last attempt came to: a status, or why there was none. */
  readonly last: string | null;
  /** When it is tried next: RFC 3339; null: it is not, or as soon as possible. */
  readonly due: string | null;
  /** Whether somebody had it sent again. */
  readonly isAgain: boolean;
}

/** So many events are on a page. */
const most = 50;

/** A page of events, `before` a place. */
export async function eventPage(given: Given, { desk }: Context): Promise<EventPage> {
  const running = runningOf(desk);
  const { specification } = running;
  const kinds = [...(stated(stated(specification.events)?.kinds) ?? new Map<string, unknown>()).keys()];
  const before = given['before'] === undefined ? Number.MAX_SAFE_INTEGER : Number(given['before']);
  const found = await withEvents(running, (events) => events.before(before, most + 1));
  const shown = (found ?? []).slice(0, most);
  const next = (found ?? []).length > most ? (shown.at(-1)?.place ?? null) : null;
  return { kinds, events: shown.map((one) => eventView(specification, one)), next };
}

/** One event, by its `id`. */
export async function eventDetail(given: Given, { desk }: Context): Promise<EventView> {
  const running = runningOf(desk);
  return eventView(running.specification, await found(running, textOf(given, 'id')));
}

async function found(running: Running, id: string): Promise<Listed> {
  const event = await withEvents(running, (events) => events.find(id));
  if (!event) throw new Refused(`no event ${id} is stored`);
  return event;
}

/** Has an event delivered again to the addresses that it went to, as `tacet events --redeliver` does. */
export async function redeliver(
  given: Given,
  { desk, now }: Context,
): Promise<{ readonly deliveries: number }> {
  const running = runningOf(desk);
  const event = await found(running, textOf(given, 'id'));
  const turn = new Date(now() + (desk.clock?.aheadMs ?? 0)).toISOString();
  const deliveries = await withEvents(running, (events) => events.redeliver([event], undefined, turn));
  if (!deliveries) throw new Refused('this event went to no address');
  return { deliveries };
}

/** Opens the events that are stored, and closes them. Null: none are. */
export async function withEvents<T>(
  { data }: Running,
  look: (events: EventsKept) => Promise<T>,
): Promise<T | null> {
  let events: EventsKept;
  try {
    events = await openEvents(data);
  } catch (error) {
    if (error instanceof StoreRefused) return null;
    throw error;
  }
  try {
    return await look(events);
  } finally {
    await events.close();
  }
}

function eventView(of: Specification, { event, deliveries }: Listed): EventView {
  const { id, kind, at, by, subject, item, body, content } = event;
  return {
    ...{ id, kind, at, by, subject },
    item:
      item && resourcesOf(of).has(item[0]) ? { resource: item[0], key: JSON.stringify(item.slice(1)) } : null,
    body: body === null ? null : JSON.stringify(concealed(of, JSON.parse(body)), null, 2),
    isDelivered: content !== null,
    deliveries: deliveries.map((one) => deliveryView(of, one)),
  };
}

function deliveryView(
  of: Specification,
  { way, target, due, tries, last, arrived, turn }: Delivery,
): DeliveryView {
  const delivery = stated(stated(stated(of.events)?.delivery)?.get(way));
  const held = delivery?.kind === 'webhook' ? stated(delivery.webhook) : undefined;
  const isItem = held?.kind === 'field' && target !== '';
  return {
    way,
    to: isItem ? { resource: held.resource, key: target } : null,
    state: arrived
      ? 'arrived'
      : due === undefined
        ? 'given up'
        : due === 0
          ? 'not tried yet'
          : 'to be tried again',
    tries,
    last: last ?? null,
    due: due === undefined || due === 0 || arrived ? null : new Date(due).toISOString(),
    isAgain: turn !== '',
  };
}
