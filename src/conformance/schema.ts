import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Json, setMember } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, rest, step } from '../specification/reading/address.ts';
import { compilePattern } from '../specification/reading/pattern.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field } from '../specification/vocabulary/parts/resources.ts';
import { type Others, schemaOf } from '../specification/vocabulary/shape.ts';

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
  const resolve = once((schema: Schema): Schema => resolvedIn($defs, schema));
  return { failures, shows, resolve };
}

/** The schema itself, where it is only a name for one of some. */
export function resolvedIn($defs: { readonly [name: string]: Json }, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  const named = typeof $ref === 'string' ? $defs[$ref.slice('#/$defs/'.length)] : undefined;
  return named ? { ...resolvedIn($defs, named as Schema), ...own } : schema;
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
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    verbose: true,
    // Most are used too few times to be worth it.
    code: { regExp, optimize: false },
    // The reader found the schemas to be sound: the metaschema would take longer to compile than all of them.
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv);
  // Ajv divides in binary64, in which 0.3 is no multiple of 0.1.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', validate: isMultiple });
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
  // By what they say, too, since one schema is put together time and again.
  const compiled = once((text: string) => {
    const schema = JSON.parse(text) as AnySchemaObject;
    return ajv.compile(text.includes('"$ref"') ? { ...schema, $defs } : schema);
  });
  const validatorOf = once((schema: Schema) => compiled(JSON.stringify(schema)));
  return (schema, value) => {
    const validate = validatorOf(schema);
    return validate(value) ? [] : (validate.errors ?? []).flatMap(failureOf);
  };
}

/** Whether a number is a multiple of a step, both as they are written in decimal. */
function isMultiple(step: number, value: number): boolean {
  const places = Math.max(...[step, value].map(placesOf));
  const scaled = (one: number): bigint => BigInt(one.toFixed(places).replace('.', ''));
  return Math.abs(value) >= 1e21 ? value % step === 0 : scaled(value) % scaled(step) === 0n;
}

/** How many digits a number has after its point; as many as can be written. */
function placesOf(value: number): number {
  const [coefficient = '', power = '0'] = String(value).split('e');
  return Math.min(100, Math.max(0, (coefficient.split('.')[1] ?? '').length - Number(power)));
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

/** What a field may hold: a reference what the key may be that it refers by, and null where it is cleared. */
export const fieldSchema = once((of: Specification, field: Field): Schema => {
  const to = stated(field.refers);
  const key = of.resourcesByName.get(to?.resource ?? '')?.fields.get(to?.field ?? '');
  return key ? { ...schemaOf(key.shape), ...schemaOf(field.shape) } : schemaOf(field.shape);
});
