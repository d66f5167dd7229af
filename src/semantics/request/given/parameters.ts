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
    const parameter = binding.kind === 'text' ? binding.parameter : null;
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

/** The values of the query (language §4.2). Lists and objects are carried out in the style `form` alone. */
export function queryValues(
  operation: Operation,
  pairs: readonly (readonly [name: string, value: string])[],
  specification: Specification,
): Values | Unknown {
  const parameters = queryParameters(operation);
  const values: Record<string, Value> = {};
  for (const [name, texts] of Map.groupBy(pairs, ([name]) => name)) {
    const parameter = parameters.find((each) => each.name === name);
    const value = valueIn(
      parameter,
      texts.map(([, text]) => text),
      specification,
    );
    if (value instanceof Unknown) return value;
    values[name] = value;
  }
  return values;
}

function valueIn(
  parameter: Parameter | undefined,
  [text, ...more]: readonly string[],
  specification: Specification,
): Value {
  if (text === undefined || more.length > 0) return unknown([]);
  if (parameter === undefined) return text;
  const { binding, shape } = parameter;
  const schema = binding ? keySchema(specification, binding.resource, binding.field) : schemaOf(shape);
  if (styleOf(parameter, 'form') !== 'form') return unknown([]);
  return typedAs(schema as Schema, text) ?? unknown([]);
}

function styleOf({ roles }: Parameter, usual: string): string {
  return stated(roles.style) ?? usual;
}

/** The pairs of a query (URL standard §5.1). */
export function pairsOf(query: string): (readonly [name: string, value: string])[] | Malformed {
  const pairs: (readonly [string, string])[] = [];
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const equals = pair.indexOf('=');
    const [written, raw] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const [name, value] = [decoded(written), decoded(raw)];
    if (name === null || value === null) return new Malformed(name === null ? 'query' : `query.${name}`);
    pairs.push([name, value]);
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
