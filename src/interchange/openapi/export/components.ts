import { get, type Json, json, type Node } from '../../../source/node.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { isSaid, stated } from '../../../specification/reading/said.ts';
import type { Field, Resource } from '../../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { type Items, isShown, isWritable } from '../../schemas/items.ts';
import { type Member, schemaOfMembers } from '../../schemas/schema.ts';
import { annotated } from './annotated.ts';
import { defined, isObject, type JsonObject, unlessEmpty, written } from './schema.ts';
import type { OpenApiVersion } from './version.ts';

/** The named schemas: part 2. A resource is as answers show it; members that are only given are marked. */
export function schemasOf(of: Specification, items: Items): JsonObject {
  const found: Record<string, Json> = {};
  for (const [name, said] of stated(of.resources) ?? []) {
    const entry = stated(said);
    const node = get(get(of.tree, 'resources'), name);
    if (entry?.kind === 'resource') found[name] = annotated(resourceSchema(entry, items), node);
    else if (entry?.kind === 'view')
      found[name] = { ...(written(items.view(entry)) as JsonObject), [whole]: viewIn(of, name) };
    else if (entry?.kind === 'shape')
      found[name] = annotated(shapeSchema(written(schemaOf(entry.shape))), node);
  }
  return found;
}

/** A view is stated by what it shows of its resource: its members, which OpenAPI has, follow from that. */
const whole = 'x-tacet-stated';

function viewIn({ tree }: Specification, name: string): Json {
  return json(get(get(tree, 'resources'), name) as Node);
}

/** A shape that is no object has its name only because something is said of it. */
function shapeSchema(schema: Json): Json {
  return isObject(schema) && !('properties' in schema)
    ? { ...schema, 'x-tacet-identifier': '(none)' }
    : schema;
}

function resourceSchema(resource: Resource, items: Items): Json {
  const fields = [...resource.fields.values()].filter((field) => isShown(field) || isWritable(field));
  const members = fields.map((field): Member => {
    const isHere = items.isCertain(resource, field);
    const { schema, isOptional } = isShown(field)
      ? items.shownField(field, isHere)
      : { schema: items.field(field), isOptional: true };
    return { name: field.name, schema, isOptional };
  });
  const schema = written(schemaOfMembers(members, false)) as JsonObject;
  const properties = { ...(schema['properties'] as JsonObject) };
  for (const field of fields)
    properties[field.name] = { ...(properties[field.name] as JsonObject), ...accessOf(field) };
  const isClosed = stated(resource.others) === 'refuse';
  return { ...schema, properties, ...(isClosed && { additionalProperties: false }) };
}

function accessOf(field: Field): JsonObject {
  const fallback = stated(field.default);
  return defined({
    readOnly: isWritable(field) ? undefined : true,
    writeOnly: isShown(field) || !isSaid(field.readable) ? undefined : true,
    default: fallback,
  });
}

/** Words for schemes that came with OpenAPI 3.2. */
const since32 = ['oauth2MetadataUrl', 'deviceAuthorization'];

const carried = [
  'description',
  'type',
  'in',
  'name',
  'scheme',
  'bearerFormat',
  'flows',
  'openIdConnectUrl',
  ...since32,
];
const needed: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['in', 'name'],
  http: ['scheme'],
  oauth2: ['flows'],
  openIdConnect: ['openIdConnectUrl'],
};

/** The schemes of part 5 of which all is stated that OpenAPI asks for. */
export function schemesOf({ tree }: Specification, version: OpenApiVersion): JsonObject | undefined {
  const all = get(get(tree, 'authentication'), 'schemes');
  if (all?.kind !== 'map') return undefined;
  const found: Record<string, Json> = {};
  for (const [name, { value }] of all.entries) {
    const said = json(value);
    if (!isObject(said)) continue;
    const has = (key: string): boolean => version === '3.2' || !since32.includes(key);
    const scheme = pickedFrom(said, (key) => carried.includes(key) && has(key));
    if (isObject(scheme['flows'])) scheme['flows'] = pickedFrom(scheme['flows'], has);
    const isWhole = ['type', ...(needed[String(said['type'])] ?? [])].every((key) => isPlain(scheme[key]));
    if (isWhole) found[name] = scheme;
  }
  return unlessEmpty(found);
}

function pickedFrom(members: JsonObject, has: (name: string) => boolean): Record<string, Json> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => has(name)));
}

function isPlain(value: Json | undefined): boolean {
  return value !== undefined && !(typeof value === 'string' && /^\((open|any|none)\)/.test(value));
}
