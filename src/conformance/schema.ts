import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { path } from '../expression/expression.ts';
import type { Template } from '../expression/template.ts';
import { type Json, setMember } from '../source/node.ts';
import { type Address, rest, step } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { compilePattern } from '../specification/pattern.ts';
import type { Body as RequestBody } from '../specification/request.ts';
import { type Said, stated } from '../specification/said.ts';
import { type Others, type Shape, schemaOf } from '../specification/shape.ts';
import type { Specification } from '../specification/specification.ts';

/** A JSON Schema 2020-12, with the language's `others` beside its keywords. */
export type Schema = { readonly [keyword: string]: Json };

/** A keyword that a value does not meet, and where in the value. */
export interface Failure {
  readonly path: readonly (string | number)[];
  readonly keyword: string;
  /** The bound that the keyword states. */
  readonly limit: Json;
  /** Where the keyword stands among those beside it, as they are written. */
  readonly written: number;
  /** Whether the language says how this is listed as one failure: not so where several shapes are tried. */
  readonly exact: boolean;
}

export interface Schemas {
  /** Every keyword that a value does not meet. */
  readonly failures: (schema: Schema, value: Json) => readonly Failure[];
  /** The same of what an answer shows, in which a resource's name stands for its readable fields (language §H.3). */
  readonly shows: (schema: Schema, value: Json) => Showing;
  /** The schema itself, where it is only a name for one. */
  readonly resolve: (schema: Schema) => Schema;
}

/** How what an answer shows meets its shape. */
export interface Showing {
  readonly failures: readonly Failure[];
  /** The open points that say whether members which the shape does not name may be there. */
  readonly open: readonly Address[];
}

/** Validators of the tester's own, for what is asked and for what is shown (language §H.1, §H.3). */
export function schemas(of: Specification): Schemas {
  const $defs = definitions(of);
  const open = new Set<Address>();
  const failures = validator($defs, (rule) => rule);
  const shown = validator(
    shownDefinitions(of, $defs),
    (rule, fields) => {
      if (rule !== null) return rule;
      return of.completeness.closed(fields) ? 'refuse' : null;
    },
    (fields) => open.add(rest(fields)),
  );
  const shows = (schema: Schema, value: Json): Showing => {
    open.clear();
    return { failures: shown(schema, value), open: [...open] };
  };
  const resolve = (schema: Schema): Schema => {
    const { $ref, ...own } = schema;
    const named = typeof $ref === 'string' ? $defs[$ref.slice('#/$defs/'.length)] : undefined;
    return named ? { ...resolve(named), ...own } : schema;
  };
  return { failures, shows, resolve };
}

/**
 * Strict JSON Schema, formats asserted, patterns in linear time.
 *
 * @param ruleOf what becomes of members that a list of fields does not name, by what is said and the list's address
 * @param onOpen called with the address of a list that says nothing of members which a value has
 */
function validator(
  $defs: Record<string, Schema>,
  ruleOf: (rule: Others | null, fields: Address) => Others | null,
  onOpen: (fields: Address) => void = () => undefined,
): Schemas['failures'] {
  // Ajv tells patterns apart by `toString`.
  const engine = (pattern: string) => ({ ...compilePattern(pattern), toString: () => pattern });
  const regExp = Object.assign(engine, { code: 'linear' });
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false, verbose: true, code: { regExp } });
  formats.default(ajv);
  ajv.addKeyword({
    keyword: 'others',
    type: 'object',
    schemaType: 'object',
    errors: true,
    compile: ({ known, rule, address }: { known: string[]; rule: Others | null; address: Address }) => {
      const fields = step(address.slice(0, -'.others'.length), 'fields');
      const ruled = ruleOf(rule, fields);
      const validate = Object.assign(
        (data: object): boolean => {
          const further = Object.keys(data).filter((name) => !known.includes(name));
          if (ruled === null && further.length > 0) onOpen(fields);
          const extra = ruled === 'refuse' ? further : [];
          validate.errors = extra.map((member) => ({ keyword: 'others', params: { member } }));
          return extra.length === 0;
        },
        { errors: [] as Partial<ErrorObject>[] },
      );
      return validate;
    },
  });
  // By what they say, since one schema is put together time and again.
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile({ ...schema, $defs } as AnySchemaObject);
    compiled.set(text, validate);
    return validate(value) ? [] : (validate.errors ?? []).flatMap(failureOf);
  };
}

/** Errors within an alternative or a condition only say why that one was not taken. */
const within = /\/(anyOf|oneOf|not|if|contains|propertyNames)\//;

const vague = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'];

function failureOf({
  instancePath,
  keyword,
  params,
  schemaPath,
  schema,
  parentSchema,
}: ErrorObject): Failure[] {
  if (within.test(schemaPath)) return [];
  const path: (string | number)[] = instancePath
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((one) => (/^\d+$/.test(one) ? Number(one) : one));
  const named = params as { missingProperty?: string; additionalProperty?: string; member?: string };
  const member = named.missingProperty ?? named.additionalProperty ?? named.member;
  // Of a keyword about an object or a list as a whole it is not told which field fails.
  const exact =
    member === undefined
      ? path.length > 0 && !vague.includes(keyword)
      : ['required', 'others'].includes(keyword);
  return [
    {
      path: member === undefined ? path : [...path, member],
      keyword,
      limit: keyword === 'required' || keyword === 'others' ? null : (schema as Json),
      written: Object.keys(parentSchema ?? {}).indexOf(keyword),
      exact,
    },
  ];
}

/** What names stand for within shapes; a resource within another one is known by its members alone. */
function definitions(of: Specification): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  for (const [name, said] of stated(of.resources) ?? []) {
    const entry = stated(said);
    found[name] = entry?.kind === 'shape' ? schemaOf(entry.shape) : {};
  }
  return found;
}

/** What names stand for in what is shown: a resource, or the one that a view is of, for its readable fields. */
function shownDefinitions(of: Specification, kept: Record<string, Schema>): Record<string, Schema> {
  const found: Record<string, Schema> = { ...kept };
  for (const [name, said] of stated(of.resources) ?? []) {
    const entry = stated(said);
    const resource = entry?.kind === 'view' ? of.resourcesByName.get(stated(entry.of)?.text ?? '') : entry;
    if (resource?.kind !== 'resource') continue;
    const fields = [...resource.fields.values()].filter((field) => stated(field.readable) !== false);
    const properties: Record<string, Json> = {};
    for (const field of fields) setMember(properties, field.name, schemaOf(field.shape));
    const rule = stated(resource.others) === 'keep' ? 'keep' : null;
    const others = { known: fields.map((field) => field.name), rule, address: resource.others.address };
    found[name] = { type: 'object', properties, ...(entry?.kind === 'resource' && { others }) };
  }
  return found;
}

/** What a request's body may hold, and what becomes of members that nobody stated (language §E.4, §4.2). */
export interface Body {
  /** The first word of a condition's subject: the resource, or `body` where the shape has no name. */
  readonly name: string;
  readonly schema: Schema;
  /** The members that are fields of the subject. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The members that become keys of other items: references, given as such or set from here by `with`. */
  readonly refers: ReadonlyMap<string, Field>;
  /** Null where the shape is a plain JSON Schema, of which `others` says nothing (language §H.1). */
  readonly others: Said<Others> | null;
}

const found = new WeakMap<Operation, Body | null>();

/** What a body of an operation may be; null where it has none, or none is stated. */
export function bodyOf(of: Specification, operation: Operation): Body | null {
  const known = found.get(operation);
  if (known !== undefined) return known;
  const body = bodyMade(of, operation);
  found.set(operation, body);
  return body;
}

function bodyMade(of: Specification, operation: Operation): Body | null {
  const { request, subject } = operation;
  const body = request && stated(request.body);
  if (!request || !body) return null;
  const nearest = stated(request.others)?.body ?? (request.others as Said<never>);
  const name = body.of?.name;
  if (subject === null || name !== subject.name) {
    const shape =
      name === undefined ? schemaOf(body.shape) : { $ref: `#/$defs/${name}`, ...schemaOf(body.shape) };
    const own = shapeOf(of, name) ?? body.shape;
    const others = own.object && (own.object.others.kind === 'open' ? nearest : own.object.others);
    return {
      name: name ?? 'body',
      schema: shape,
      fields: new Map(),
      refers: referringMembers(of, operation, true),
      others,
    };
  }
  const others = subject.others.kind === 'open' ? nearest : subject.others;
  const members = writableMembers(of, operation, subject, others, body);
  const own = [...members.fields].filter(([, { refers }]) => stated(refers));
  return {
    name,
    ...members,
    refers: new Map([...referringMembers(of, operation, false), ...own]),
    others,
  };
}

/** What a field may hold: a reference what the key may be that it refers by, and null where it is cleared. */
export function fieldSchema(of: Specification, field: Field): Schema {
  const to = stated(field.refers);
  const key = of.resourcesByName.get(to?.resource ?? '')?.fields.get(to?.field ?? '');
  return key ? { ...schemaOf(key.shape), ...schemaOf(field.shape) } : schemaOf(field.shape);
}

/** The members of a body that a change sets a reference to (language §H.2, `with`). */
function referringMembers(of: Specification, operation: Operation, isWhole: boolean): Map<string, Field> {
  const { does, endpoint } = operation;
  const changes = [stated(does) ?? [], stated(endpoint.also) ?? []].flat();
  return new Map(
    changes.flatMap(({ subject, qualifiers }) => {
      const fields = of.resourcesByName.get(subject.name ?? '')?.fields ?? new Map<string, Field>();
      const refers = (field: string): Field[] => {
        const found = fields.get(field);
        return found && stated(found.refers) ? [found] : [];
      };
      return (stated(qualifiers.with) ?? []).flatMap(({ template }): [string, Field][] => {
        if (template.kind === 'object')
          return [...template.members].flatMap(([field, value]) => {
            const [, body, member, ...further] = bodyPath(value) ?? [];
            return body === 'body' && member !== undefined && further.length === 0
              ? refers(field).map((one): [string, Field] => [member, one])
              : [];
          });
        return isWhole && bodyPath(template)?.length === 2
          ? [...fields.keys()].flatMap((name) => refers(name).map((one): [string, Field] => [name, one]))
          : [];
      });
    }),
  );
}

/** The path that a template wholly is, where it is into the body of the request. */
function bodyPath(template: Template): string[] | undefined {
  const found = template.kind === 'expression' ? path(template.expression.syntax) : undefined;
  return found?.[0] === 'request' && found[1] === 'body' ? found : undefined;
}

function shapeOf(of: Specification, name: string | undefined): Shape | undefined {
  const entry = name === undefined ? undefined : stated(stated(of.resources)?.get(name));
  return entry?.kind === 'shape' ? entry.shape : undefined;
}

/** The writable members of a resource; those of `required` are so where the whole is given (language §E.4). */
function writableMembers(
  of: Specification,
  operation: Operation,
  subject: Resource,
  others: Said<Others>,
  { shape: further, shows, omits }: RequestBody,
) {
  const creates = stated(operation.does)?.verb === 'create';
  const bound = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const writable = [...subject.fields].filter(
    ([name, field]) =>
      isWritable(field, creates) &&
      !bound.includes(name) &&
      (stated(shows)?.some((one) => one.text === name) ?? true) &&
      !stated(omits)?.some((one) => one.text === name),
  );
  // A state that is given asks for a transition, of which a new item has none (language §3.2).
  const isState = (name: string): boolean => stated(of.states)?.has(`${subject.name}.${name}`) ?? false;
  const fields = new Map(writable.filter(([name]) => !creates || !isState(name)));
  const properties: Record<string, Json> = {};
  for (const [name, field] of fields) setMember(properties, name, fieldSchema(of, field));
  const isWhole = creates || stated(operation.does)?.verb === 'replace';
  const required = isWhole ? (stated(subject.required) ?? []).map((use) => use.name) : [];
  const schema: Schema = {
    ...schemaOf(subject.further),
    ...schemaOf(further),
    type: 'object',
    properties,
    required: required.filter((name) => fields.has(name)),
    others: { known: writable.map(([name]) => name), rule: stated(others) ?? null, address: others.address },
  };
  return { schema, fields };
}

/** Whether a client may give a field, on creation or later (language §2.2, `writable`). */
export function isWritable({ writable }: Field, creates: boolean): boolean {
  const word = stated(writable);
  if (typeof word === 'object') return false;
  return word !== false && (creates || (word !== 'once' && word !== 'same'));
}
