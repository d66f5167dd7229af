import type { FieldReference } from '../../specification/reading/reference.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Delivery, Webhook } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { absent } from '../value/evaluate.ts';
import { attempt, both, type Truth, truthOf } from '../value/truth.ts';
import { isList, isObject, isPartial, seen, Unknown, unknown, type Value } from '../value/value.ts';
import { meantVersion } from '../version/meant.ts';
import { Moment } from '../world/moment.ts';
import { itemOf } from '../world/world.ts';
import { contentIn, contentOf, envelopeOf } from './envelope.ts';
import type { About, EmittedEvent, EventDelivery } from './event.ts';
import { pausesAt } from './receivers.ts';

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
      content,
      envelope: envelopeOf(events.envelope),
      media: mediaOf(delivery, events),
      headers: headersOf(delivery, own),
      subject: subjectOf(delivery, own),
    };
    const to = delivery.kind === 'webhook' ? stated(delivery.webhook) : undefined;
    const all = to?.kind === 'field' ? toItems(sent, delivery as Webhook, to, own, about) : [sent];
    return all.map((each) => inVersion(each, delivery, event, own, about));
  });
}

/** With the content of the version that the way states (rule 19). Default: of the newest. */
function inVersion(
  sent: EventDelivery,
  delivery: Delivery,
  event: Omit<EmittedEvent, 'deliveries'>,
  own: Moment,
  about: About,
): EventDelivery {
  const template = delivery.kind === 'stream' ? undefined : stated(delivery.version);
  if (template === undefined) return sent;
  const written = seen(attempt(() => own.value(template, { this: sent.to })));
  if (written === null) return sent;
  const version = typeof written === 'string' ? meantVersion(about.world.newest, written) : unknown([]);
  const content =
    typeof version === 'object' && 'specification' in version
      ? contentIn(version.specification, event, about)
      : undefined;
  if (content === undefined) return { ...sent, isSent: unknown([]), content: unknown([]) };
  return { ...sent, content, isSent: both(sent.isSent, () => (mayFailIn(content) ? unknown([]) : true)) };
}

/** One for each item to which the event goes: `where` is judged in the transaction of the change (rule 14). */
function toItems(
  sent: EventDelivery,
  delivery: Webhook,
  { resource, field }: FieldReference,
  own: Moment,
  { before }: About,
): EventDelivery[] {
  const { world } = own;
  const keeper = world.specification.resourcesByName.get(resource);
  if (keeper === undefined) return [];
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
  return mayFailIn(content) ? unknown([]) : true;
}

/** What a signature needs (rule 17). */
function signing({ sign, secret }: Webhook): Said<unknown>[] {
  const said = stated(sign);
  if (said === undefined) return [];
  return said.kind === 'hmac' ? [said.header, said.hmac, said.over, said.as, secret] : [secret];
}

function mayFailIn(content: EventDelivery['content']): boolean {
  return content !== absent && mayFail(content);
}

/** Whether a value holds one that may not be computable, at any depth. */
function mayFail(value: Value): boolean {
  if (value instanceof Unknown) return value.mayFail;
  if (isPartial(value) || value === null) return false;
  if (isList(value)) return value.some(mayFail);
  return isObject(value) && Object.values(value).some(mayFail);
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
