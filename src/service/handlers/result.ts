import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import { compileHeldTo } from '../shape/shown-shape.ts';
import type { Key } from '../store/store.ts';
import { type Doing, itemOf } from '../transaction/doing.ts';
import { keyOf } from './may.ts';

/** What a handler returns, as `gives` states it (language §I). */
export interface Result {
  /** Throws where it is not what the handler is to give. */
  readonly check: (result: unknown) => void;
  /** The same with the items that are kept, where they are given by their keys. */
  readonly value: (doing: Doing, result: unknown) => unknown;
}

/** What stands for an item of a resource, at its place. */
type ItemAt = (kept: KeptResource, given: unknown) => unknown;

/** A value in which each item is replaced; undefined as a function: there is none in it. */
type Replace = (value: unknown, item: ItemAt) => unknown;

type Schema = Readonly<Record<string, Json>>;

/** Where items are to be given, at any depth, each is one that is kept, given by its key or with its identifier. */
export function compileResult(
  specification: Specification,
  gives: Shape | undefined,
  resources: ReadonlyMap<string, KeptResource>,
): Result {
  if (gives === undefined) return { check: () => {}, value: (_doing, result) => result };
  const entries = stated(specification.resources);
  const shapeNamed = (name: string): Json | undefined => {
    const entry = stated(entries?.get(name));
    return entry?.kind === 'shape' ? schemaOf(entry.shape) : undefined;
  };
  const schema = schemaOf(gives) as Schema;
  const replace = compileReplace(schema, resources, shapeNamed) ?? ((value) => value);
  const hold = compileHeldTo(specification, gives, withoutItems(schema, resources, shapeNamed, []) as Schema);
  return {
    check: (result) => hold(JSON.stringify(replace(result, keyIn))),
    value: (doing, result) =>
      replace(result, (kept, given) => {
        const row = doing.tx.find(kept.table.name, keyIn(kept, given));
        return row && itemOf(doing, kept, row);
      }),
  };
}

/** The key of an item that is given by it, or with its members. Throws where it is none. */
function keyIn(kept: KeptResource, given: unknown): Key {
  const isItem = typeof given === 'object' && given !== null && !Array.isArray(given);
  return keyOf({ kept }, isItem ? kept.keyFields.map((name) => (given as Members)[name]) : given);
}

type ShapeNamed = (name: string) => Json | undefined;

function compileReplace(
  schema: Json | undefined,
  resources: ReadonlyMap<string, KeptResource>,
  shapeNamed: ShapeNamed,
  known = new Map<string, { of: Replace | undefined }>(),
): Replace | undefined {
  const inner = (one: Json | undefined) => compileReplace(one, resources, shapeNamed, known);
  if (!isSchema(schema)) return undefined;
  const name = nameIn(schema);
  if (name !== null) {
    const kept = resources.get(name);
    if (kept) return (value, item) => (value === null ? null : item(kept, value));
    // Shapes may consist of themselves, so that each is looked up when it is needed.
    const before = known.get(name);
    if (before) return (value, item) => before.of?.(value, item) ?? value;
    const own: { of: Replace | undefined } = { of: undefined };
    known.set(name, own);
    own.of = inner(shapeNamed(name));
    return own.of;
  }
  const ofItems = inner(schema['items']);
  if (ofItems)
    return (value, item) =>
      Array.isArray(value)
        ? value
            .map((one) => [one, ofItems(one, item)])
            .flatMap(([one, of]) => (one !== null && of === null ? [] : [of]))
        : value;
  const properties = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {});
  const members = new Map(
    properties.flatMap(([key, one]) => {
      const of = inner(one);
      return of ? [[key, of] as const] : [];
    }),
  );
  const others = inner(schema['additionalProperties']);
  if (members.size === 0 && !others) return undefined;
  return (value, item) =>
    isSchema(value as Json)
      ? Object.fromEntries(
          Object.entries(value as Members).map(([key, one]) => {
            const of = members.get(key) ?? (properties.some(([own]) => own === key) ? undefined : others);
            return [key, of ? of(one, item) : one];
          }),
        )
      : value;
}

/** The schema that admits any value in the place of an item. */
function withoutItems(
  schema: Json,
  resources: ReadonlyMap<string, KeptResource>,
  shapeNamed: ShapeNamed,
  within: readonly string[],
): Json {
  const inner = (one: Json): Json => withoutItems(one, resources, shapeNamed, within);
  if (Array.isArray(schema)) return schema.map(inner);
  if (!isSchema(schema)) return schema;
  const name = nameIn(schema);
  if (name !== null && resources.has(name)) return {};
  const named = name === null || within.includes(name) ? undefined : shapeNamed(name);
  if (named !== undefined && name !== null)
    return withoutItems(named, resources, shapeNamed, [...within, name]);
  return Object.fromEntries(
    Object.entries(schema).map(([key, one]) => [key, key === 'enum' || key === 'const' ? one : inner(one)]),
  );
}

function nameIn(schema: Schema): string | null {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? reference.slice('#/$defs/'.length) : null;
}

function isSchema(schema: Json | undefined): schema is Schema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}
