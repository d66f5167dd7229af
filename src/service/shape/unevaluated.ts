import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../source/node.ts';
import { compilePattern } from '../../specification/reading/pattern.ts';

type Schema = Readonly<Record<string, Json>>;
type Fits = (value: unknown) => boolean;

/** The members, or elements, of a value that a schema looks at; null: all of them. */
type Seen<T> = (value: T) => ReadonlySet<string> | null;
type Members = Readonly<Record<string, unknown>>;

/**
 * `unevaluatedProperties` and `unevaluatedItems` (JSON Schema Core §11): what no keyword beside them, nor any in the
 * shapes that hold in the same place, has looked at. Ajv's own leave out what `contains` and a lone `if` look at, and
 * names that every object has.
 *
 * @param known the named shapes, for `$ref: #/$defs/Name`
 */
export function addUnevaluated(ajv: Ajv2020, known: Schema): void {
  const fits = compiledOnce(ajv, known);
  const properties = seeing<Members>(known, fits, propertiesSeen);
  const items = seeing<readonly unknown[]>(known, fits, itemsSeen);
  const add = (keyword: string, type: 'object' | 'array', seen: (of: Schema) => Seen<never>): void => {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type,
      schemaType: ['object', 'boolean'],
      compile: (further: Json, parent: object) => {
        const { [keyword]: _, ...beside } = parent as Schema;
        const looked = seen(beside);
        const admits = fits(further);
        return (value: object) => {
          const found = looked(value as never);
          return (
            found === null || Object.entries(value).every(([name, one]) => found.has(name) || admits(one))
          );
        };
      },
    });
  };
  add('unevaluatedProperties', 'object', properties as never);
  add('unevaluatedItems', 'array', items as never);
}

/** Tells whether values fit a schema: it is compiled when it is first asked, since shapes may consist of themselves. */
function compiledOnce(ajv: Ajv2020, known: Schema): (schema: Json) => Fits {
  const compiled = new Map<Json, Fits>();
  return (schema) => {
    if (typeof schema === 'boolean') return () => schema;
    return (value) => {
      const found = compiled.get(schema) ?? ajv.compile({ ...(schema as object), $defs: known });
      compiled.set(schema, found);
      return found(value);
    };
  };
}

/** What the keywords of one schema look at themselves. */
type Own<T> = (of: Schema, fits: (schema: Json) => Fits) => Seen<T>;

/** What a schema looks at, with all that holds in the same place as it. */
function seeing<T>(known: Schema, fits: (schema: Json) => Fits, own: Own<T>): (schema: Json) => Seen<T> {
  const made = new Map<Json, Seen<T>>();
  const none: Seen<T> = () => new Set();
  const of = (schema: Json | undefined): Seen<T> => {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return none;
    const before = made.get(schema);
    if (before) return before;
    // What holds in the same place as itself looks at nothing more the second time.
    made.set(schema, none);
    const one = schema as Schema;
    const parts: Seen<T>[] = [own(one, fits)];
    const reference = one['$ref'];
    if (typeof reference === 'string') parts.push(of(known[reference.slice('#/$defs/'.length)]));
    for (const each of (one['allOf'] ?? []) as readonly Json[]) parts.push(of(each));
    for (const each of [one['anyOf'] ?? [], one['oneOf'] ?? []].flat() as readonly Json[])
      parts.push(where(fits(each), of(each), none));
    const { if: test } = one;
    if (test !== undefined) {
      const both = together([of(test), of(one['then'])]);
      parts.push(where(fits(test), both, of(one['else'])));
    }
    for (const [name, each] of Object.entries((one['dependentSchemas'] ?? {}) as Schema))
      parts.push(where((value) => Object.hasOwn(value as object, name), of(each), none));
    const all = together(parts);
    made.set(schema, all);
    return all;
  };
  return of;
}

function where<T>(holds: Fits, then: Seen<T>, otherwise: Seen<T>): Seen<T> {
  return (value) => (holds(value) ? then : otherwise)(value);
}

function together<T>(parts: readonly Seen<T>[]): Seen<T> {
  return (value) => {
    const found = new Set<string>();
    for (const part of parts) {
      const seen = part(value);
      if (seen === null) return null;
      for (const name of seen) found.add(name);
    }
    return found;
  };
}

const propertiesSeen: Own<Members> = (of) => {
  if (of['additionalProperties'] !== undefined || of['unevaluatedProperties'] !== undefined)
    return () => null;
  const names = Object.keys((of['properties'] ?? {}) as Schema);
  const patterns = Object.keys((of['patternProperties'] ?? {}) as Schema).map(compilePattern);
  return (value) =>
    new Set([
      ...names,
      ...Object.keys(value).filter((name) => patterns.some((pattern) => pattern.test(name))),
    ]);
};

const itemsSeen: Own<readonly unknown[]> = (of, fits) => {
  if (of['items'] !== undefined || of['unevaluatedItems'] !== undefined) return () => null;
  const count = ((of['prefixItems'] ?? []) as readonly Json[]).length;
  const { contains } = of;
  const isContained = contains === undefined ? () => false : fits(contains);
  return (value) =>
    new Set(value.flatMap((one, index) => (index < count || isContained(one) ? [String(index)] : [])));
};
