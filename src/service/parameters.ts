import type { Json } from '../source/node.ts';
import { setMember } from '../source/node.ts';
import type { Parameter, Request } from '../specification/request.ts';
import { type Said, stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Failing, Held } from './refusal.ts';
import type { Validate, Validators } from './validate.ts';

/** What a request's parameters came to: their values, and why they do not fit. */
export interface Parameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly Failing[];
  readonly held: Held | null;
}

export type ReadQuery = (query: string | null) => Parameters | 'malformed';

const nothing: Parameters = { values: {}, failures: [], held: null };

interface Compiled {
  readonly parameter: Parameter;
  readonly list: boolean;
  readonly type: Json | undefined;
  readonly validate: Validate;
}

/** Compiles the reading of a query (language §4.2). Where neither parameters nor others are stated, none is looked at. */
export function compileQuery(request: Request | null, validators: Validators): ReadQuery {
  const parameters = request && stated(request.query);
  const others = request && stated(request.others);
  if (!request || (!parameters && !others))
    return (query) => (query !== null && decoded(query) === null ? 'malformed' : nothing);
  const known = compileAll(parameters, validators);
  const rule = others && stated(others.query);
  const open = others && others.query.kind === 'open' ? others.query.address : request.others.address;
  return (query) => {
    const given = decoded(query ?? '');
    if (given === null) return 'malformed';
    const unnamed = [...given.keys()].filter((name) => !known.has(name));
    if (unnamed.length > 0 && !rule) return { ...nothing, held: { held: [open] } };
    const failures: Failing[] = [];
    const values: Record<string, unknown> = {};
    for (const [name, compiled] of known) take(name, compiled, given.get(name), values, failures);
    if (rule === 'refuse')
      for (const name of unnamed) failures.push(failing(name, 'others', given.get(name)?.[0] ?? null, null));
    return { values, failures, held: null };
  };
}

function compileAll(
  parameters: ReadonlyMap<string, Said<Parameter>> | undefined | null,
  validators: Validators,
): ReadonlyMap<string, Compiled> {
  const found = new Map<string, Compiled>();
  for (const [name, said] of parameters ?? []) {
    const parameter = stated(said);
    if (!parameter) continue;
    const type = parameter.shape.keywords.get('type');
    const schema = schemaOf(parameter.shape);
    found.set(name, {
      parameter,
      type: type && stated(type),
      list: type !== undefined && stated(type) === 'array',
      validate: validators.compile(schema as Record<string, Json>),
    });
  }
  return found;
}

function take(
  name: string,
  { parameter, list, type, validate }: Compiled,
  given: readonly string[] | undefined,
  values: Record<string, unknown>,
  failures: Failing[],
): void {
  if (given === undefined) {
    const fallback = stated(parameter.default);
    if (fallback !== undefined) setMember(values, name, fallback);
    else if (stated(parameter.required) === true) failures.push(failing(name, 'required', null, null));
    return;
  }
  if (given.length > 1 && !list) {
    failures.push(failing(name, 'twice', given, null));
    return;
  }
  const value = list ? given.map((text) => text as unknown) : fromText(given[0] as string, type);
  for (const failure of validate(value)?.failures ?? [])
    failures.push(failing(name, failure.keyword, failure.value, failure.limit));
  setMember(values, name, value);
}

/** Narrowest first: `query.limit.maximum`, `query.limit`. */
function failing(name: string, keyword: string, value: unknown, limit: unknown): Failing {
  return { field: name, keyword, value, limit, subjects: [`query.${name}.${keyword}`, `query.${keyword}`] };
}

/** A parameter's text as a value of its type; the text itself where it is none, for the validator to refuse. */
export function fromText(text: string, type: Json | undefined): unknown {
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
function decoded(query: string): ReadonlyMap<string, readonly string[]> | null {
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
