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
import { Items } from '../schemas/items.ts';

/**
 * Writes the events of a specification as an AsyncAPI description (3.0): a message for each kind, and a channel for each
 * way in which they are delivered; of a broker, one for each subject. A channel whose address only an item knows has none.
 */
export function exportAsyncApi(of: Specification): Exported {
  const losses = new Losses();
  const items = new Items(of);
  const events = stated(of.events);
  const kinds = [...(stated(events?.kinds) ?? [])];
  const messages = kinds.map(([name, said]) => {
    const [contentType, payload] = messageOf(
      name,
      stated(stated(said)?.body),
      stated(events?.envelope),
      items,
    );
    return [name, { name, contentType, payload }] as const;
  });
  const channels = new Map<string, JsonObject>();
  const operations = new Map<string, JsonObject>();
  for (const [way, said] of stated(events?.delivery) ?? []) {
    const delivery = stated(said);
    if (delivery === undefined) continue;
    for (const [channel, address, told] of channelsOf(
      way,
      delivery,
      kinds.map(([name]) => name),
    )) {
      const refs = told.map((name) => [name, { $ref: `#/components/messages/${encoded(name)}` }] as const);
      channels.set(
        channel,
        defined({
          address: address ?? undefined,
          messages: Object.fromEntries(refs),
          parameters: parametersIn(address),
        }),
      );
      operations.set(channel, { action: 'send', channel: { $ref: `#/channels/${encoded(channel)}` } });
    }
    lost(way, delivery, losses);
  }
  const components = defined({
    messages: unlessEmpty(Object.fromEntries(messages)),
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
    channels: unlessEmpty(Object.fromEntries(channels)),
    operations: unlessEmpty(Object.fromEntries(operations)),
    components: unlessEmpty(components),
  });
  return { description: withoutExtensions(description) as JsonObject, losses };
}

/** The channels of a way, each with its address and the kinds of events that it has. */
function channelsOf(
  way: string,
  delivery: Delivery,
  kinds: readonly string[],
): readonly (readonly [name: string, address: string | null, kinds: readonly string[]])[] {
  if (delivery.kind === 'webhook') return [[way, null, kinds]];
  if (delivery.kind === 'stream') {
    const [, path = null] = /^\S+ (\S+)/.exec(stated(delivery.stream)?.text ?? '') ?? [];
    return [[way, path, kinds]];
  }
  const broker = stated(delivery.broker);
  if (broker === undefined) return [[way, null, kinds]];
  const bySubject = Map.groupBy(kinds, (kind) => subjectOf(broker.template, kind));
  const isOne = bySubject.size <= 1;
  return [...bySubject].map(([subject, told]) => [isOne ? way : `${way}.${told[0]}`, subject, told] as const);
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

function encoded(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** AsyncAPI is written, and not read: extensions would say nothing to anybody. */
function withoutExtensions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !name.startsWith('x-tacet-'));
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutExtensions(inner)]));
}
