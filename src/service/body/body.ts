import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Body, Request } from '../../specification/request.ts';
import { type Said, stated } from '../../specification/said.ts';
import { type Others, schemaOf } from '../../specification/shape.ts';
import type { Specification } from '../../specification/specification.ts';
import { type JsonLimits, parseJson } from '../http/json.ts';
import type { Incoming } from '../incoming.ts';
import { definitions, type OthersRule, ruleOf, withRule, writableSchema } from '../parts/resources.ts';
import type { Checked } from '../refusal.ts';
import { stripper, type Validation, Validators } from '../validate.ts';
import type { Patch } from './given.ts';
import { isUtf8, mediaType } from './media.ts';

type Members = Record<string, unknown>;
type Schema = Record<string, Json>;

/** How an operation reads its request's body, and what it finds wrong with it (language §4.2, §E.4). */
export interface BodyReader {
  readonly read: (incoming: Incoming) => Promise<ReadBody>;
  /** What is wrong with the members of the item that a change leads to. */
  readonly checkResult: (members: Members) => Checked | null;
  /** What becomes of members that nobody stated. */
  readonly others: OthersRule;
}

export type ReadBody =
  | {
      readonly kind: 'value';
      /** What `request.body` is. */
      readonly value: unknown;
      readonly patch: Patch | null;
      /** What is wrong with it; of a patch, only with the names in it: the result has a shape. */
      readonly checked: Checked | null;
    }
  | { readonly kind: 'malformed' | 'unsupported media' | 'too large' };

/** Undefined where no body is stated: none is looked at. */
export function compileBody(
  specification: Specification,
  operation: Operation,
  limits: JsonLimits,
): BodyReader | undefined {
  const { request, subject } = operation;
  const body = request && stated(request.body);
  if (!request || !body) return undefined;
  const media = (stated(request.media) ?? ['application/json']).map((one) => one.toLowerCase());
  const verb = stated(operation.does)?.verb;
  const rule = othersOf(request, subject?.others);
  const known = definitions(specification, rule);
  const validators = new Validators(known);
  const resource = body.of ? specification.resourcesByName.get(body.of.name) : undefined;
  const isObject = resource !== undefined || isObjectShape(specification, body);
  const schemas = resource
    ? resourceSchemas(operation, resource, verb, rule, body)
    : { given: shapeSchema(body, rule), result: undefined };
  const named = body.of?.name ?? body.shape.name ?? 'body';
  const given = validators.compile(schemas.given);
  const result = schemas.result && validators.compile(schemas.result);
  const { others } = schemas.given;
  const names = validators.compile({ type: 'object', ...(others !== undefined && { others }) });
  const strip = stripper(schemas.given as Json, known);
  return {
    read: async (incoming) => {
      const type = mediaType(incoming.headers['content-type']);
      const bytes = await incoming.body();
      if (bytes === 'too large') return { kind: 'too large' };
      if (bytes === null || bytes.length === 0) return { kind: 'malformed' };
      if (type === undefined || !media.includes(type) || !isUtf8(incoming.headers['content-type']))
        return { kind: 'unsupported media' };
      if (incoming.headers['content-encoding'] !== undefined) return { kind: 'unsupported media' };
      const parsed = parseJson(bytes, limits);
      if (parsed.kind !== 'value') return { kind: parsed.kind };
      const { value } = parsed;
      if (isObject && (typeof value !== 'object' || value === null || Array.isArray(value)))
        return { kind: 'malformed' };
      const patch = type === 'application/merge-patch+json' && verb === 'update' ? 'merge' : null;
      const found = checked((patch ? names : given)(value), named);
      if (found === null) strip?.(value);
      return { kind: 'value', value, patch, checked: found };
    },
    checkResult: (members) => (result ? checked(result(members), named) : null),
    others: rule,
  };
}

/** The nearest rule about members that nobody stated: the resource's, else the request's (language §4.2). */
function othersOf(request: Request, own: Said<Others> | undefined): OthersRule {
  const shared = stated(request.others);
  const said = shared?.body ?? request.others;
  const rule = (own && stated(own)) ?? ruleOf(said);
  return { rule, address: said.address };
}

function resourceSchemas(
  operation: Operation,
  resource: NonNullable<Operation['subject']>,
  verb: string | undefined,
  rule: OthersRule,
  body: Body,
): { given: Schema; result: Schema | undefined } {
  const bound = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const identifier = (stated(resource.identifier) ?? []).map((name) => name.text);
  const partial = verb === 'update';
  const given = writableSchema(resource, {
    required: !partial,
    bound: partial ? [...bound, ...identifier] : verb === 'create' ? bound : [],
    rule,
    whole: !partial,
  });
  const result = partial
    ? writableSchema(resource, { required: true, bound: [], rule, whole: true })
    : undefined;
  const more = { ...given, allOf: [...((given['allOf'] ?? []) as Json[]), ...beside(body, rule)] };
  return { given: more, result };
}

/** The keywords that a body states beside the name of what it is (language §E.4). */
function beside(body: Body, rule: OthersRule): Json[] {
  return body.shape.keywords.size === 0 ? [] : [withRule(schemaOf(body.shape), rule)];
}

function shapeSchema(body: Body, rule: OthersRule): Schema {
  return body.of === null
    ? (withRule(schemaOf(body.shape), rule) as Schema)
    : { $ref: `#/$defs/${body.of.name}`, allOf: beside(body, rule) };
}

/** Whether a body is one with `fields`, so that what is no object is malformed (language §H.4). */
function isObjectShape(specification: Specification, body: Body): boolean {
  const said = body.of ? stated(specification.resources)?.get(body.of.name) : undefined;
  const entry = said && stated(said);
  return (entry?.kind === 'shape' ? entry.shape : body.shape).object !== null;
}

function checked(validation: Validation | null, named: string): Checked | null {
  if (validation === null) return null;
  const [first] = validation.unnamed;
  if (first)
    return { failures: [], held: { held: [...new Set(validation.unnamed.map((one) => one.address))] } };
  return {
    held: null,
    failures: validation.failures.map((one) => ({ ...one, subjects: subjects(named, one) })),
  };
}

/** By which names a row may list a failure, the narrowest first (language §H.4). */
function subjects(named: string, { field, keyword }: { field: string; keyword: string }): string[] {
  if (field === '') return [`${named}.$.${keyword}`];
  return keyword === 'others'
    ? [`${named}.${field}.others`, `${named}.others`]
    : [`${named}.${field}.${keyword}`];
}
