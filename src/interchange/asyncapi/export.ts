import { path } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import { Losses } from '../losses.ts';
import { schemasOf } from '../openapi/export/components.ts';
import { type Exported, versionOf } from '../openapi/export/export.ts';
import { defined, isObject, type JsonObject, unlessEmpty } from '../openapi/export/schema.ts';
import { messageOf } from '../openapi/export/webhooks.ts';
import { encoded } from '../openapi/pointer.ts';
import { Items } from '../schemas/items.ts';

/**
 * Writes the events of a specification as an AsyncAPI description (3.0): a message for each kind, and a channel for each
 * way in which they are delivered; of a broker, one for each subject. A channel whose address only an item knows, or
 * nobody states, has none.
 */
export function exportAsyncApi(of: Specification): Exported {
  const losses = new Losses();
  const items = new Items(of);
  const channels = channelsOf(of, losses);
  const components = defined({
    messages: unlessEmpty(messagesOf(of, items)),
    schemas: unlessEmpty(schemasOf(of, items)),
  });
  const description = defined({
    asyncapi: '3.0.0',
    info: defined({
      title: of.name,
      version: versionOf(of),
      description: stated(stated(of.service)?.purpose),
    }),
    defaultContentType: 'application/json',
    channels: unlessEmpty(
      Object.fromEntries(channels.map((channel) => [channel.name, channelObject(channel)])),
    ),
    operations: unlessEmpty(
      Object.fromEntries(
        channels.map(({ name }) => [
          name,
          { action: 'send', channel: { $ref: `#/channels/${encoded(name)}` } },
        ]),
      ),
    ),
    components: unlessEmpty(components),
  });
  return { description: withoutExtensions(description) as JsonObject, losses };
}

/** A message for each kind of event. */
function messagesOf({ events }: Specification, items: Items): JsonObject {
  const envelope = stated(stated(events)?.envelope);
  const entries = [...(stated(stated(events)?.kinds) ?? [])].map(([name, said]) => {
    const [contentType, payload] = messageOf(name, stated(stated(said)?.body), envelope, items);
    return [name, { name, contentType, payload }] as const;
  });
  return Object.fromEntries(entries);
}

/** Where events are sent. */
interface Channel {
  readonly name: string;
  /** Null: nobody can name it. */
  readonly address: string | null;
  readonly kinds: readonly string[];
}

function channelObject({ address, kinds }: Channel): JsonObject {
  const refs = kinds.map((kind) => [kind, { $ref: `#/components/messages/${encoded(kind)}` }] as const);
  return defined({
    address: address ?? undefined,
    messages: Object.fromEntries(refs),
    parameters: parametersIn(address),
  });
}

function channelsOf({ events }: Specification, losses: Losses): readonly Channel[] {
  const kinds = [...(stated(stated(events)?.kinds)?.keys() ?? [])];
  const delivery = stated(events)?.delivery;
  // That events are sent is stated, though nobody says where.
  if (delivery?.kind === 'open' && kinds.length > 0) return [{ name: 'events', address: null, kinds }];
  return [...(stated(delivery) ?? [])].flatMap(([way, said]) => {
    const delivery = stated(said);
    if (delivery === undefined) return [];
    lost(way, delivery, losses);
    return channelsBy(way, delivery, kinds);
  });
}

/** The channels of a way of delivery: of a broker, one for each subject. */
function channelsBy(name: string, delivery: Delivery, kinds: readonly string[]): readonly Channel[] {
  if (delivery.kind === 'webhook') return [{ name, address: null, kinds }];
  if (delivery.kind === 'stream') {
    const [, address = null] = /^\S+ (\S+)/.exec(stated(delivery.stream)?.text ?? '') ?? [];
    return [{ name, address, kinds }];
  }
  const broker = stated(delivery.broker);
  if (broker === undefined) return [{ name, address: null, kinds }];
  const bySubject = [...Map.groupBy(kinds, (kind) => subjectOf(broker.template, kind))];
  return bySubject.map(([address, told]) => ({
    name: bySubject.length === 1 ? name : `${name}.${told[0]}`,
    address,
    kinds: told,
  }));
}

/** The subject at a broker. What the event decides besides its kind is a parameter; null: nobody can name it. */
function subjectOf(template: Template, kind: string): string | null {
  if (template.kind === 'literal') return String(template.value);
  const pieces =
    template.kind === 'expression' ? [template] : template.kind === 'text' ? template.pieces : [];
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const chain = path(piece.expression.syntax);
    if (chain?.join('.') === 'event.kind') return kind;
    return chain && `{${chain.slice(1).join('-') || chain.join('-')}}`;
  });
  return parts.length > 0 && parts.every((part) => part !== null) ? parts.join('') : null;
}

function parametersIn(address: string | null): JsonObject | undefined {
  const names = [...(address ?? '').matchAll(/\{([^{}]+)\}/g)].map(
    ([, name]) => [name as string, {}] as const,
  );
  return unlessEmpty(Object.fromEntries(names));
}

/** What AsyncAPI has no word for. */
function lost(way: string, delivery: Delivery, losses: Losses): void {
  for (const [key, said] of Object.entries(delivery))
    if (
      isObject(said as Json) &&
      !['webhook', 'stream', 'broker'].includes(key) &&
      stated(said as never) !== undefined
    )
      losses.add('dropped', key, `/events/delivery/${encoded(way)}/${key}`);
}

/** Nobody reads extensions in AsyncAPI. */
function withoutExtensions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !name.startsWith('x-tacet-'));
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutExtensions(inner)]));
}
