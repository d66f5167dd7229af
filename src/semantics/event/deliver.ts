import { type Said, stated } from '../../specification/reading/said.ts';
import type { Delivery, Webhook } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { absent } from '../value/evaluate.ts';
import { attempt, both, type Truth, truthOf } from '../value/truth.ts';
import { isList, isObject, isPartial, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { itemOf, type World } from '../world/world.ts';
import { contentOf, envelopeOf } from './envelope.ts';
import type { EmittedEvent, EventDelivery } from './event.ts';
import { pausesAt } from './receivers.ts';

/** What a transaction tells of its events. */
export interface About {
  /** The world before the transaction. */
  readonly before: World;
  readonly events: Events;
  /** The world after it. */
  readonly moment: Moment;
}

/** The ways by which an event leaves, and the addresses to which (language §6.3). Of ways that are open, nothing is said. */
export function deliveriesOf(
  event: Omit<EmittedEvent, 'deliveries'>,
  about: About,
): readonly EventDelivery[] {
  const { events, moment } = about;
  const { world, names } = moment;
  const content = contentOf(event, events, moment);
  if (content === undefined) return [];
  const own = new Moment(world, { service: names['service'] ?? null, event: event.names });
  return [...(stated(events.delivery) ?? [])].flatMap(([way, said]): EventDelivery[] => {
    const delivery = stated(said);
    if (delivery === undefined) return [];
    const sent: EventDelivery = {
      to: null,
      field: '',
      url: null,
      pauses: null,
      isSent: both(event.isEmitted, () => isDelivered(delivery, content)),
      way,
      address: said.address,
      content: isNewest(delivery) ? content : unknown([]),
      envelope: envelopeOf(events.envelope),
      media: mediaOf(delivery, events),
      headers: headersOf(delivery, own),
      subject: subjectOf(delivery, own),
    };
    const to = delivery.kind === 'webhook' ? stated(delivery.webhook) : undefined;
    if (to?.kind !== 'field') return [sent];
    const keeper = world.specification.resourcesByName.get(to.resource);
    return keeper ? toItems(sent, delivery as Webhook, keeper, to.field, own, about) : [];
  });
}

/** One for each item to which the event goes: `where` is judged in the transaction of the change (rule 14). */
function toItems(
  sent: EventDelivery,
  delivery: Webhook,
  keeper: Resource,
  field: string,
  own: Moment,
  { before }: About,
): EventDelivery[] {
  const { world } = own;
  const { name } = keeper;
  return world.items(name).flatMap((stored) => {
    const to = itemOf(stored, keeper);
    const url = stored.members.get(field) ?? null;
    if (url === null) return [];
    const isMeant = meant(delivery, sent.address, to, own);
    // Of an item that the transaction itself wrote, the language does not say at which moment it is judged.
    const isStable = before.items(name).includes(stored) || isMeant === false;
    const isSent = both(sent.isSent, () => (isStable ? isMeant : unknown([])));
    return isSent === false
      ? []
      : [{ ...sent, isSent, to, field, url, pauses: pausesAt(url, delivery, world) }];
  });
}

function meant({ where }: Webhook, way: string, to: Value, own: Moment): Truth {
  const template = stated(where);
  if (template) return truthOf(attempt(() => own.value(template, { this: to })));
  if (where.kind === 'none' || own.world.specification.completeness.closed(way)) return true;
  return new Unknown(new Set([where.address]));
}

/** Whether an event that is emitted leaves by a way. Unknown: what is needed for it is open, or may not be computable. */
function isDelivered(delivery: Delivery, content: EventDelivery['content']): Truth {
  const needed: readonly Said<unknown>[] =
    delivery.kind === 'webhook'
      ? [delivery.webhook, ...signing(delivery)]
      : [delivery.kind === 'stream' ? delivery.stream : delivery.broker];
  const open = needed.filter(({ kind }) => kind !== 'stated');
  if (open.length > 0) return new Unknown(new Set(open.map(({ address }) => address)));
  return content !== absent && mayFail(content) ? unknown([]) : true;
}

/** What a signature needs (rule 17). */
function signing({ sign, secret }: Webhook): Said<unknown>[] {
  const said = stated(sign);
  if (said === undefined) return [];
  return said.kind === 'hmac' ? [said.header, said.hmac, said.over, said.as, secret] : [secret];
}

/** Whether a value holds one that may not be computable, at any depth. */
function mayFail(value: Value): boolean {
  if (value instanceof Unknown) return value.mayFail;
  if (isPartial(value) || value === null) return false;
  if (isList(value)) return value.some(mayFail);
  return isObject(value) && Object.values(value).some(mayFail);
}

/** Whether the content is the newest version's (rule 19). Of others, nothing is said. */
function isNewest(delivery: Delivery): boolean {
  return delivery.kind === 'stream' || ['open', 'none'].includes(delivery.version.kind);
}

function mediaOf(delivery: Delivery, { envelope }: Events): string | null {
  if (delivery.kind === 'stream') return null;
  const isCloudEvent = stated(envelope)?.kind === 'cloudevents';
  const isOpen = delivery.media.kind === 'open';
  return stated(delivery.media) ?? (isCloudEvent && isOpen ? 'application/cloudevents+json' : null);
}

function headersOf(delivery: Delivery, own: Moment): Record<string, Value> {
  if (delivery.kind !== 'webhook') return {};
  return Object.fromEntries(
    [...(stated(delivery.headers) ?? [])].flatMap(([name, said]): [string, Value][] => {
      const template = stated(said);
      return template ? [[name.toLowerCase(), attempt(() => own.value(template))]] : [];
    }),
  );
}

function subjectOf(delivery: Delivery, own: Moment): Value {
  const template = delivery.kind === 'broker' ? stated(delivery.broker) : undefined;
  return template ? attempt(() => own.value(template)) : null;
}
