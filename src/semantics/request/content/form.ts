import type { Json } from '../../../source/node.ts';
import type { Definitions, Schema } from '../../shape/shape.ts';
import { plain } from '../../value/plain.ts';
import { isList, isObject, Unknown, unknown, type Value } from '../../value/value.ts';
import { typedAs } from '../given/text.ts';

/** The fields of a form, in their order. */
export type Fields = readonly (readonly [name: string, text: string])[];

/**
 * Content as the fields of a form (language §4.2, rules 9 and 12). A form says neither null nor an empty list, nor lists of
 * lists or of objects; without `nesting` it says no objects within the content. These are left out.
 */
export function fieldsOf(content: Value, nests: boolean): Fields {
  const fields: (readonly [string, string])[] = [];
  const add = (name: string, value: Value, isInList = false): void => {
    if (isList(value)) {
      if (!isInList) for (const each of value) add(nests ? `${name}[]` : name, each, true);
    } else if (isObject(value)) {
      if (nests && !isInList)
        for (const [inner, each] of Object.entries(value)) if (isName(inner)) add(`${name}[${inner}]`, each);
    } else if (value !== null && isText(String(value))) fields.push([name, String(value)]);
  };
  const known = (plain(content) ?? null) as Value;
  if (isObject(known))
    for (const [name, value] of Object.entries(known)) if (isName(name) || !nests) add(name, value);
  return fields;
}

/** Whether a name has no part that nests. */
function isName(name: string): boolean {
  return /^[^[\]]+$/.test(name) && isText(name);
}

/** Whether a form brings a text as it is. */
function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** What stands at a name of a form. */
interface Branch {
  readonly texts: string[];
  readonly listed: string[];
  readonly members: Map<string, Branch>;
}

/**
 * Reads the fields of a form as an object, whose values have the types of the shape. Unknown: a name is given twice and is no
 * list, or a shape tells no type, so that this does not carry out how it is read.
 */
export function readForm(
  fields: Fields,
  schema: Schema,
  definitions: Definitions,
  nests: boolean,
): Value | Unknown {
  const root = branch();
  for (const [name, text] of fields) {
    const way = nests ? name.split(/\]?\[/).map((part) => part.replace(/\]$/, '')) : [name];
    const isElement = way.length > 1 && way.at(-1) === '';
    const place = (isElement ? way.slice(0, -1) : way).reduce((at, part) => {
      const next = at.members.get(part) ?? branch();
      at.members.set(part, next);
      return next;
    }, root);
    (isElement ? place.listed : place.texts).push(text);
  }
  return membersOf(root, [schema], definitions);
}

function branch(): Branch {
  return { texts: [], listed: [], members: new Map() };
}

function membersOf(
  { members }: Branch,
  schemas: readonly Schema[],
  definitions: Definitions,
): Value | Unknown {
  const all = schemas.flatMap((schema) => conjuncts(schema, definitions));
  const found = [...members].map(([name, inner]) => {
    const own = all.flatMap((schema) => {
      const properties = schema['properties'] as { readonly [name: string]: Schema } | undefined;
      const member = properties?.[name] ?? (schema['additionalProperties'] as Schema | undefined);
      return member === undefined ? [] : [member];
    });
    return [name, valueAt(inner, own, definitions)] as const;
  });
  return found.some(([, value]) => value instanceof Unknown) ? unknown([]) : Object.fromEntries(found);
}

function valueAt(
  { texts, listed, members }: Branch,
  schemas: readonly Schema[],
  definitions: Definitions,
): Value | Unknown {
  const ways = [texts.length, listed.length, members.size].filter((count) => count > 0);
  if (ways.length > 1) return unknown([]);
  if (members.size > 0) return membersOf({ texts, listed, members }, schemas, definitions);
  const all = schemas.flatMap((schema) => conjuncts(schema, definitions));
  const types = typesIn(all);
  if (types === null) return unknown([]);
  const isOfList = types.includes('array') && !types.includes('string');
  if (!isOfList && listed.length === 0) {
    const [text = '', ...more] = texts;
    return more.length > 0 ? unknown([]) : (typedAs({ type: [...types] }, text) ?? unknown([]));
  }
  const items = all.map((schema) => (schema['items'] ?? true) as Schema);
  const inner = typesIn(items.flatMap((schema) => conjuncts(schema, definitions)));
  if (inner === null || all.some((schema) => schema['prefixItems'] !== undefined)) return unknown([]);
  return [...texts, ...listed].map((text) => typedAs({ type: [...inner] }, text) ?? unknown([]));
}

/** The types that a shape states; null: it has them in a way that this does not read. */
function typesIn(all: readonly Exclude<Schema, boolean>[]): readonly string[] | null {
  if (all.some((schema) => ['oneOf', 'anyOf', 'if'].some((keyword) => schema[keyword] !== undefined)))
    return null;
  const types = all.find(({ type }) => type !== undefined)?.['type'];
  return [types ?? []].flat() as readonly string[];
}

/** A shape and what holds beside it, with names resolved. */
function conjuncts(schema: Schema, definitions: Definitions, depth = 0): readonly Exclude<Schema, boolean>[] {
  if (typeof schema === 'boolean' || depth > 32) return [];
  const reference = schema['$ref'];
  const named = typeof reference === 'string' ? definitions[reference.slice('#/$defs/'.length)] : undefined;
  const beside = [...(named === undefined ? [] : [named]), ...((schema['allOf'] ?? []) as Json[])];
  return [schema, ...beside.flatMap((each) => conjuncts(each as Schema, definitions, depth + 1))];
}
