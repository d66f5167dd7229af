import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { hiddenIn, hide } from '../value/hidden.ts';
import { isList, isObject, isPartial, unknown, type Value } from '../value/value.ts';
import { definitionsOf } from './definitions.ts';

type Schema = Readonly<Record<string, Json>>;

/** Keywords that hold further schemas of the same value, and those that this does not carry out. */
const further = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];
const others = [
  'prefixItems',
  'contains',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
];

/** A value without the members that are not shown (language §H.1, rule 6). */
export function readableIn(value: Value, schema: Json | undefined, specification: Specification): Value {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return value;
  const { $ref: name, ...own } = schema as Schema;
  if (typeof name === 'string') {
    const named = definitionsOf(specification)[name.replace('#/$defs/', '')];
    return readableIn(readableIn(value, named, specification), own, specification);
  }
  if (isPartial(value)) return isSilent(own) ? value : unknown([value]);
  if ([...further, ...others].some((keyword) => !isSilent(own[keyword]))) return unknown([]);
  if (isList(value)) return value.map((element) => readableIn(element, own['items'], specification));
  if (!isObject(value)) return value;
  const properties = (own['properties'] ?? {}) as Schema;
  const { unreadable = [] } = (own['others'] ?? {}) as { readonly unreadable?: readonly string[] };
  const shown = Object.entries(value).flatMap(([member, held]): [string, Value][] =>
    unreadable.includes(member) ? [] : [[member, readableIn(held, properties[member], specification)]],
  );
  const hidden = new Map([...hiddenIn(value), ...unreadable.map((member) => [member, 'resources'] as const)]);
  return hide(Object.fromEntries(shown), hidden);
}

/** Whether a field has members that are not shown, at any depth. */
export const hidesMembers = once((specification: Specification, { shape }: Field): boolean => {
  const definitions = definitionsOf(specification);
  const seen = new Set<string>();
  const hides = (schema: Json | undefined): boolean => {
    if (typeof schema !== 'object' || schema === null) return false;
    if (Array.isArray(schema)) return schema.some(hides);
    const name = (schema as Schema)['$ref'];
    if (typeof name === 'string' && !seen.has(name)) {
      seen.add(name);
      if (hides(definitions[name.replace('#/$defs/', '')])) return true;
    }
    return 'unreadable' in schema || Object.values(schema).some(hides);
  };
  return hides(schemaOf(shape) as Json);
});

/** Whether a schema has no member that is not shown, at any depth. A name may lead to one. */
function isSilent(schema: Json | undefined): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (!Array.isArray(schema) && ('unreadable' in schema || '$ref' in schema)) return false;
  return Object.values(schema).every(isSilent);
}
