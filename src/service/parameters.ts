import { type Json, setMember } from '../source/node.ts';
import { idleParameters } from '../specification/holds.ts';
import type { Operation } from '../specification/operation.ts';
import type { Parameter, Request } from '../specification/request.ts';
import { type Said, stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Specification } from '../specification/specification.ts';
import type { Incoming } from './incoming.ts';
import { definitions, ruleOf } from './parts/resources.ts';
import type { Checked, Failing, Held } from './refusal.ts';
import { type Validate, Validators } from './validate.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a request's parameters came to: their values, and why they do not fit. */
interface Parameters {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly checked: Checked;
}

/** Reads the parameters of a request; null where the coding of its query is broken. */
export type ReadParameters = (incoming: Incoming) => Parameters | null;

/** A parameter's shape, and how its text becomes a value of it. */
interface Compiled {
  readonly name: string;
  readonly type: Json | undefined;
  /** The type of the items of a list; undefined where it is none. */
  readonly items: Json | undefined;
  readonly isList: boolean;
  readonly required: boolean;
  readonly default: Json | undefined;
  readonly validate: Validate;
  /** By what a row lists it: `query.limit`, `Todo.id`. */
  readonly subject: string;
}

interface Found {
  readonly values: Record<string, unknown>;
  readonly failures: Failing[];
}

/** Compiles the reading of parameters (language §4.2). What is not stated is not looked at. */
export function compileParameters(specification: Specification, operation: Operation): ReadParameters {
  const known = definitions(specification, null);
  const validators = new Validators(known);
  const compileAll = (place: 'query' | 'headers'): readonly Compiled[] =>
    statedOf(operation.request, place).map((parameter) =>
      compileOne(
        parameter.name,
        parameter,
        schemaOf(parameter.shape) as Schema,
        `${place}.${parameter.name}`,
        known,
        validators,
      ),
    );
  const query = compileAll('query');
  const headers = compileAll('headers');
  const path = compilePath(operation, known, validators);
  const unnamed = compileUnnamed(operation.request, query);
  const idle = compileIdle(specification, operation);
  return (incoming) => {
    const given = decoded(incoming.query ?? '');
    if (given === null) return null;
    const held = unnamed.held(given) ?? idle(given);
    const inPath: Found = { values: { ...incoming.path }, failures: [] };
    for (const one of path) take(one, [incoming.path[one.name] ?? ''], inPath);
    const inQuery: Found = { values: {}, failures: [] };
    for (const one of query) take(one, given.get(one.name), inQuery);
    const inHeaders: Found = {
      values: headers.length > 0 ? { ...incoming.headers } : incoming.headers,
      failures: [],
    };
    for (const one of headers) takeField(one, incoming.headers[one.name.toLowerCase()], inHeaders);
    const failures = [
      ...inPath.failures,
      ...inQuery.failures,
      ...unnamed.failures(given),
      ...inHeaders.failures,
    ];
    return {
      path: inPath.values,
      query: inQuery.values,
      headers: inHeaders.values,
      checked: { failures, held },
    };
  };
}

/** Given parameters of which it is open what they do hold the request up. */
function compileIdle(specification: Specification, operation: Operation): (given: Given) => Held | null {
  const idle = idleParameters(specification, operation);
  return (given) => {
    const held = [...idle].flatMap(([name, hold]) => (given.has(name) ? [hold.address] : []));
    return held.length > 0 ? { held } : null;
  };
}

type Schema = Readonly<Record<string, Json>>;
type Given = ReadonlyMap<string, readonly string[]>;

function statedOf(request: Request | null, place: 'path' | 'query' | 'headers'): Parameter[] {
  const all: ReadonlyMap<string, Said<Parameter>> | undefined = request ? stated(request[place]) : undefined;
  return [...(all?.values() ?? [])].flatMap((said) => stated(said) ?? []);
}

function compileOne(
  name: string,
  parameter: Parameter | null,
  schema: Schema,
  subject: string,
  known: Schema,
  validators: Validators,
): Compiled {
  const type = typeOf(schema, known);
  return {
    name,
    type,
    items: typeOf((schema['items'] ?? {}) as Schema, known),
    isList: type === 'array',
    required: (parameter && stated(parameter.required)) === true,
    default: parameter ? stated(parameter.default) : undefined,
    validate: validators.compile(schema),
    subject,
  };
}

/**
 * The parameters of the path. One that is bound to a field of the subject has that field's shape; where an item
 * is looked up by it, only its type matters, since what is not of it is no item's key (language §H.4, 7).
 */
function compilePath(operation: Operation, known: Schema, validators: Validators): readonly Compiled[] {
  const creates = stated(operation.does)?.verb === 'create';
  const { subject } = operation;
  return [...operation.bindings].flatMap(([name, binding]) => {
    if (binding.kind === 'text' && binding.parameter) {
      const schema = schemaOf(binding.parameter.shape) as Schema;
      return [compileOne(name, binding.parameter, schema, `path.${name}`, known, validators)];
    }
    const field = binding.kind === 'subject' ? subject?.fields.get(binding.field) : undefined;
    if (field === undefined) return [];
    const schema = schemaOf(field.shape) as Schema;
    const compiled = compileOne(name, null, schema, `${subject?.name}.${field.name}`, known, validators);
    return [creates ? compiled : { ...compiled, validate: () => null }];
  });
}

/** What becomes of query parameters that nobody stated: looked at where any, or a rule for them, is stated. */
function compileUnnamed(request: Request | null, query: readonly Compiled[]) {
  const others = request ? stated(request.others) : undefined;
  const said = others?.query ?? request?.others;
  const rule = said ? ruleOf(said) : null;
  const looksAt = query.length > 0 || others !== undefined;
  const names = new Set(query.map((one) => one.name));
  const unnamed = (given: Given): string[] =>
    looksAt ? [...given.keys()].filter((name) => !names.has(name)) : [];
  return {
    held: (given: Given) =>
      said && rule === null && unnamed(given).length > 0 ? { held: [said.address] } : null,
    failures: (given: Given): Failing[] =>
      rule === 'refuse'
        ? unnamed(given).map((name) => ({
            ...failing(`query.${name}`, name, 'others', given.get(name)?.[0] ?? null, null),
            subjects: [`query.${name}.others`, 'query.others'],
          }))
        : [],
  };
}

function take(compiled: Compiled, given: readonly string[] | undefined, found: Found): void {
  const { name, type, items, isList, required, validate, subject } = compiled;
  if (given === undefined) {
    if (compiled.default !== undefined) setMember(found.values, name, compiled.default);
    else if (required) found.failures.push(failing(subject, name, 'required', null, null));
    return;
  }
  if (given.length > 1 && !isList) {
    found.failures.push(failing(subject, name, 'twice', given, null));
    return;
  }
  const value = isList ? given.map((text) => fromText(text, items)) : fromText(given[0] as string, type);
  for (const { keyword, value: wrong, limit } of validate(value)?.failures ?? [])
    found.failures.push(failing(subject, name, keyword, wrong, limit));
  setMember(found.values, name, value);
}

/** A header field's value; a list is written with commas (RFC 9110 §5.6.1). */
function takeField(compiled: Compiled, written: string | readonly string[] | undefined, found: Found): void {
  const text = typeof written === 'object' ? written.join(', ') : written;
  take(compiled, text === undefined ? text : compiled.isList ? text.split(/[ \t]*,[ \t]*/) : [text], found);
}

function failing(subject: string, name: string, keyword: string, value: unknown, limit: unknown): Failing {
  return { field: name, keyword, value, limit, subjects: [`${subject}.${keyword}`] };
}

/** The type that a schema states, by its name too. */
function typeOf(schema: Schema, known: Schema): Json | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema['type'];
  return typeOf((known[reference.slice('#/$defs/'.length)] ?? {}) as Schema, known);
}

/** A parameter's text as a value of its type; the text itself where it is none, for the validator to refuse. */
function fromText(text: string, type: Json | undefined): unknown {
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('string') || type === undefined) return text;
  if ((types.includes('integer') || types.includes('number')) && /^-?(0|[1-9]\d*)$/.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : text;
  }
  if (types.includes('number') && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The names and values of a query (OpenAPI's style `form`, exploded); null where its coding is broken. */
function decoded(query: string): Given | null {
  const found = new Map<string, string[]>();
  if (query === '') return found;
  try {
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      const key = decode(name);
      const values = found.get(key);
      if (values) values.push(decode(value));
      else found.set(key, [decode(value)]);
    }
  } catch {
    return null;
  }
  return found;
}

function decode(text: string): string {
  const plain = decodeURIComponent(text.replaceAll('+', ' '));
  if (plain.includes('\u0000')) throw new URIError('U+0000');
  return plain;
}
