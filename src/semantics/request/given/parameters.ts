import { type Operation, queryParameters } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Parameter } from '../../../specification/vocabulary/request.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { Unknown, unknown, type Value } from '../../value/value.ts';
import { type Schema, typedAs } from './text.ts';

type Values = Readonly<Record<string, Value>>;

/** The coding of a parameter is broken. */
export class Malformed {
  /** `query.page`. */
  readonly place: string;

  constructor(place: string) {
    this.place = place;
  }
}

/** The values of the parameters of a path: each of the type of the field that it is bound to (language §4.1, rule 5). */
export function pathValues(
  { bindings, subject }: Operation,
  given: Readonly<Record<string, string>>,
  specification: Specification,
): Values | Unknown {
  const values: Record<string, Value> = {};
  for (const [name, binding] of bindings) {
    const text = given[name];
    if (text === undefined) continue;
    const { parameter } = binding;
    if (parameter && styleOf(parameter, 'simple') !== 'simple') return unknown([]);
    const resource =
      binding.kind === 'subject' ? subject?.name : binding.kind === 'other' && binding.resource;
    const schema = resource
      ? keySchema(specification, resource, (binding as { readonly field: string }).field)
      : parameter && schemaOf(parameter.shape);
    const value = schema ? typedAs(schema as Schema, text) : text;
    if (value === undefined) return unknown([]);
    values[name] = value;
  }
  return values;
}

/** The schema of a key. A reference without a type has that of the field that it refers to (language §2.2). */
export function keySchema(specification: Specification, resource: string, name: string, depth = 0): Schema {
  const field = specification.resourcesByName.get(resource)?.fields.get(name);
  if (field === undefined) return {};
  const own = schemaOf(field.shape);
  const to = stated(field.refers);
  if (to?.field == null || 'type' in own || '$ref' in own || depth > 8) return own;
  return { ...keySchema(specification, to.resource, to.field, depth + 1), ...own };
}

/** A pair of a query: its name, its value, and the value as it is coded. */
export type Pair = readonly [name: string, value: string, coded: string];

/** The values of the query (language §4.2). Objects, and the style `json`, are not carried out. */
export function queryValues(
  operation: Operation,
  pairs: readonly Pair[],
  specification: Specification,
): Values | Unknown {
  const parameters = queryParameters(operation);
  const values: Record<string, Value> = {};
  for (const [name, own] of Map.groupBy(pairs, ([name]) => name)) {
    const parameter = parameters.find((each) => each.name === name);
    const value = valueIn(parameter, own, specification);
    if (value instanceof Unknown) return value;
    values[name] = value;
  }
  return values;
}

function valueIn(
  parameter: Parameter | undefined,
  pairs: readonly Pair[],
  specification: Specification,
): Value {
  const { binding, shape } = parameter ?? { binding: null, shape: undefined };
  const schema = binding
    ? keySchema(specification, binding.resource, binding.field)
    : ((shape && schemaOf(shape)) ?? {});
  if (parameter && [schema['type']].flat().includes('array'))
    return listIn(parameter, schema as Schema, pairs);
  const [[, text] = [], ...more] = pairs;
  if (text === undefined || more.length > 0) return unknown([]);
  if (parameter === undefined) return text;
  if (styleOf(parameter, 'form') !== 'form') return unknown([]);
  return typedAs(schema as Schema, text) ?? unknown([]);
}

/** What separates the elements of a list that is one pair, as it is coded. */
const separators: Readonly<Record<string, RegExp>> = {
  form: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /%7C|\|/i,
};

/** A list: a pair for each element, or one for all. */
function listIn(parameter: Parameter, { type, items }: Schema, pairs: readonly Pair[]): Value {
  const style = styleOf(parameter, 'form');
  const separator = separators[style];
  const isApart = stated(parameter.roles.explode) ?? style === 'form';
  if (type !== 'array' || separator === undefined || (!isApart && pairs.length > 1)) return unknown([]);
  const texts = isApart
    ? pairs.map(([, text]) => text)
    : pairs.flatMap(([, , coded]) => coded.split(separator).map(decoded));
  const elements = texts.map((text) =>
    text === null || text === '' ? undefined : typedAs((items ?? {}) as Schema, text),
  );
  return elements.some((element) => element === undefined) ? unknown([]) : (elements as Value[]);
}

function styleOf({ roles }: Parameter, usual: string): string {
  return stated(roles.style) ?? usual;
}

/** The pairs of a query (URL standard §5.1). */
export function pairsOf(query: string): Pair[] | Malformed {
  const pairs: Pair[] = [];
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const equals = pair.indexOf('=');
    const [written, coded] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const [name, value] = [decoded(written), decoded(coded)];
    if (name === null || value === null) return new Malformed(name === null ? 'query' : `query.${name}`);
    pairs.push([name, value, coded]);
  }
  return pairs;
}

/** Null: the coding is broken, or it holds U+0000. */
function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    return plain.includes('\0') ? null : plain;
  } catch {
    return null;
  }
}
