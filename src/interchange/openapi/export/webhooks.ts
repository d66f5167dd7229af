import type { Json } from '../../../source/node.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Envelope } from '../../../specification/vocabulary/parts/events.ts';
import type { Items } from '../../schemas/items.ts';
import { type Schema, schemaOfMembers } from '../../schemas/schema.ts';
import { schemaOfValue } from '../../schemas/values.ts';
import { type JsonObject, unlessEmpty, written } from './schema.ts';

/** The kinds of events, where they are delivered by webhooks. */
export function webhooksOf(of: Specification, items: Items): JsonObject | undefined {
  const events = stated(of.events);
  const ways = [...(stated(events?.delivery)?.values() ?? [])];
  if (events === undefined || !ways.some((way) => stated(way)?.kind === 'webhook')) return undefined;
  const entries = [...(stated(events.kinds) ?? [])].map(([name, said]): [string, Json] => {
    const body = stated(stated(said)?.body);
    const schema = body ? schemaOfValue(body.template, items.values).schema : true;
    const content = enveloped(name, schema, stated(events.envelope), items);
    return [name, { post: { requestBody: { content }, responses: { '2XX': { description: 'taken' } } } }];
  });
  return unlessEmpty(Object.fromEntries(entries));
}

/** A message by its media type (language §6.2). */
function enveloped(
  kind: string,
  body: Schema,
  envelope: Envelope | undefined,
  { values }: Items,
): JsonObject {
  if (envelope === undefined) return { 'application/json': { schema: written(body) } };
  if (envelope.kind === 'template') {
    const { schema } = schemaOfValue(envelope.template.template, { ...values, eventBody: body });
    return { 'application/json': { schema: written(schema) } };
  }
  const text: Schema = { type: 'string' };
  const member = (name: string, schema: Schema, isOptional = false) => ({ name, schema, isOptional });
  const cloudEvent = schemaOfMembers(
    [
      member('specversion', { const: '1.0' }),
      member('id', text),
      member('source', { type: 'string', format: 'uri-reference' }),
      member('type', { const: kind }),
      member('subject', text, true),
      member('time', { type: 'string', format: 'date-time' }, true),
      member('datacontenttype', text, true),
      member('data', body, true),
    ],
    true,
  );
  return { 'application/cloudevents+json': { schema: written(cloudEvent) } };
}
