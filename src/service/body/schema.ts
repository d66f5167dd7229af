import { type Json, setMember } from '../../source/node.ts';
import { boundFields, type Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { verbs } from '../../specification/vocabulary/change.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Body, Request } from '../../specification/vocabulary/request.ts';
import { type Others, schemaOf } from '../../specification/vocabulary/shape.ts';
import { keyShape } from '../shape/key-shape.ts';
import { isWritable, type OthersRule, ruleOf, withRule } from '../shape/schema.ts';

export type Schema = Record<string, Json>;

/** What a body may hold, as schemas (language §E.4, §H.1). */
export interface BodySchemas {
  readonly given: Schema;
  /** What the item has to meet that the members given lead to; undefined where they are all of it. */
  readonly result: Schema | undefined;
  /** The same members as `given`, a reference being what it refers by: how a form spells them. */
  readonly spelled: Schema;
  /** Whether it is one with `fields`, so that what is no object is malformed (language §H.4). */
  readonly isObject: boolean;
  /** The name by which rows list what is wrong with it. */
  readonly name: string;
}

export function bodySchemas(
  specification: Specification,
  operation: Operation,
  body: Body,
  rule: OthersRule,
): BodySchemas {
  const verb = stated(operation.does)?.verb;
  const resource = body.of ? specification.resourcesByName.get(body.of.name) : undefined;
  // A transition brings a part of the item, as an update does (language §E.4).
  const isPart = verb === 'update' || (verb !== undefined && !(verbs as readonly string[]).includes(verb));
  const { subject } = operation;
  const name = body.of?.name ?? body.shape.name ?? 'body';
  const result = isPart && subject ? wholeSchema(subject, rule) : undefined;
  if (resource === undefined) {
    const given = someMembers(shapeSchema(specification, body, rule), body);
    return { given, result, spelled: given, isObject: isObjectShape(specification, body), name };
  }
  const plain = memberSchema(resource, operation, isPart, rule);
  const given = someMembers(
    { ...plain, allOf: [...((plain['allOf'] ?? []) as Json[]), ...beside(body, rule)] },
    body,
  );
  const spelled = { allOf: [{ properties: references(specification, resource) }, given] };
  return { given, result: resource === subject ? result : undefined, spelled, isObject: true, name };
}

/** The nearest rule about members that nobody stated: the resource's, else the request's (language §4.2). */
export function othersOf(request: Request, own: Said<Others> | undefined): OthersRule {
  const shared = stated(request.others);
  const said = shared?.body ?? request.others;
  const rule = (own && stated(own)) ?? ruleOf(said);
  return { rule, address: said.address };
}

/** The members of a resource that a request may bring, by its verb (language §E.4). */
function memberSchema(resource: Resource, operation: Operation, isPart: boolean, rule: OthersRule): Schema {
  const verb = stated(operation.does)?.verb;
  const bound = boundFields(operation);
  const isLater = isPart || verb === 'replace';
  // What the path gives is no member of a new item (language §4.2).
  const settled = isLater ? [] : bound;
  const brings = (field: Field): boolean =>
    isWritable(field) && !(isLater && stated(field.writable) === 'once');
  const required = (name: string): boolean => !isPart && !(verb === 'replace' && bound.includes(name));
  return objectSchema(resource, { brings, settled, required, rule, isWhole: !isPart });
}

/** What an item has to meet as a whole, of what a client may have given it. */
function wholeSchema(resource: Resource, rule: OthersRule): Schema {
  return objectSchema(resource, {
    brings: isWritable,
    settled: [],
    required: () => true,
    rule,
    isWhole: true,
    // What is kept is not what was given where it is taken in, or kept as a secret.
    shaped: (field) => stated(field.taken) === undefined && stated(field.secret) === undefined,
  });
}

function objectSchema(
  resource: Resource,
  options: {
    readonly brings: (field: Field) => boolean;
    /** Fields that are given elsewhere, or for good. */
    readonly settled: readonly string[];
    readonly required: (name: string) => boolean;
    readonly rule: OthersRule;
    /** Whether keywords about the whole object hold: not where only a part of it is given. */
    readonly isWhole: boolean;
    /** Whether the shape of a field is that of the value at hand. Default: of all. */
    readonly shaped?: (field: Field) => boolean;
  },
): Schema {
  const properties: Schema = {};
  for (const field of resource.fields.values())
    if (options.brings(field) && !options.settled.includes(field.name))
      setMember(
        properties,
        field.name,
        options.shaped?.(field) === false ? {} : withRule(schemaOf(field.shape), options.rule),
      );
  const names = (stated(resource.required) ?? []).map((one) => one.name);
  // A field that `required` alone names is a field all the same, of which any value is taken (language §H.1).
  const further = names.filter((name) => !resource.fields.has(name) && !options.settled.includes(name));
  const known = [...Object.keys(properties), ...further];
  return {
    ...(options.isWhole ? schemaOf(resource.further) : {}),
    type: 'object',
    properties,
    required: names.filter((name) => known.includes(name) && options.required(name)),
    others: {
      known,
      rule: stated(resource.others) ?? options.rule.rule,
      address: options.rule.address,
    },
  };
}

/** References without a shape of their own, each in that of the key that it refers by. */
function references(specification: Specification, resource: Resource): Schema {
  const found: Schema = {};
  for (const field of resource.fields.values())
    if (stated(field.refers)) setMember(found, field.name, keyShape(specification, field));
  return found;
}

/** The keywords that a body states beside the name of what it is (language §E.4). */
function beside(body: Body, rule: OthersRule): Json[] {
  return body.shape.keywords.size === 0 ? [] : [withRule(schemaOf(body.shape), rule)];
}

function shapeSchema(specification: Specification, body: Body, rule: OthersRule): Schema {
  if (body.of === null) return withRule(schemaOf(body.shape), rule) as Schema;
  const named = stated(stated(specification.resources)?.get(body.of.name));
  const isCut = stated(body.shows) !== undefined || stated(body.omits) !== undefined;
  // With members left out it is a shape of its own, and no longer the one of that name.
  if (!isCut || named?.kind !== 'shape')
    return { $ref: `#/$defs/${body.of.name}`, allOf: beside(body, rule) };
  const own = withRule(schemaOf(named.shape), rule) as Schema;
  return { ...own, allOf: [...((own['allOf'] ?? []) as Json[]), ...beside(body, rule)] };
}

/** A schema without the members that `omits` names, or with those alone that `shows` names (language §E.4). */
function someMembers(schema: Schema, { shows, omits }: Body): Schema {
  const [shown, omitted] = [stated(shows), stated(omits)].map((list) => list?.map((one) => one.text));
  if (!shown && !omitted) return schema;
  const stays = (name: string): boolean => shown?.includes(name) ?? !omitted?.includes(name);
  const properties: Schema = {};
  for (const [name, member] of Object.entries((schema['properties'] ?? {}) as Schema))
    if (stays(name)) setMember(properties, name, member);
  const { others } = schema as { others?: { known: readonly string[] } };
  return {
    ...schema,
    properties,
    required: ((schema['required'] ?? []) as string[]).filter(stays),
    ...(others && { others: { ...others, known: others.known.filter(stays) } }),
  };
}

function isObjectShape(specification: Specification, body: Body): boolean {
  const said = body.of ? stated(specification.resources)?.get(body.of.name) : undefined;
  const entry = said && stated(said);
  return (entry?.kind === 'shape' ? entry.shape : body.shape).object !== null;
}
