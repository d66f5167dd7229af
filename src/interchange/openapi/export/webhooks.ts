import { get, type Json } from '../../../source/node.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../../specification/reading/templates.ts';
import type { Envelope } from '../../../specification/vocabulary/parts/events.ts';
import type { Items } from '../../schemas/items.ts';
import { type Schema, schemaOfMembers } from '../../schemas/schema.ts';
import { schemaOfValue } from '../../schemas/values.ts';
import { textsOf } from '../summary.ts';
import { descriptionAt } from './annotated.ts';
import { defined, type JsonObject, unlessEmpty, written } from './schema.ts';

/** The kinds of events, where they are delivered by webhooks. */
export function webhooksOf(of: Specification, items: Items): JsonObject | undefined {
  const events = stated(of.events);
  const ways = [...(stated(events?.delivery)?.values() ?? [])];
  if (events === undefined || !ways.some((way) => stated(way)?.kind === 'webhook')) return undefined;
  const entries = [...(stated(events.kinds) ?? [])].map(([name, said]): [string, Json] => {
    const [media, schema] = messageOf(name, stated(stated(said)?.body), stated(events.envelope), items);
    const requestBody = { content: { [media]: { schema } } };
    const texts = textsOf(name, descriptionAt(get(get(get(of.tree, 'events'), 'kinds'), name)));
    return [
      name,
      { post: defined({ ...texts, requestBody, responses: { '2XX': { description: 'taken' } } }) },
    ];
  });
  return unlessEmpty(Object.fromEntries(entries));
}

/** The media type and the schema of what tells of an event (language §6.2). */
export function messageOf(
  kind: string,
  told: PlacedTemplate | undefined,
  envelope: Envelope | undefined,
  { values }: Items,
): readonly [media: string, schema: Json] {
  const body = told ? schemaOfValue(told.template, values).schema : true;
  if (envelope === undefined) return ['application/json', written(body)];
  if (envelope.kind === 'template') {
    const { schema } = schemaOfValue(envelope.template.template, { ...values, eventBody: body });
    return ['application/json', written(schema)];
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
  return ['application/cloudevents+json', written(cloudEvent)];
}
