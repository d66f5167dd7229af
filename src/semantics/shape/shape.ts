import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Others } from '../../specification/vocabulary/shape.ts';
import { every, not, some, type Truth } from '../value/truth.ts';
import {
  Collection,
  isList,
  isObject,
  type Members,
  seen,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import { keywords } from './keywords.ts';

/** A JSON Schema 2020-12, with the language's `others` beside its keywords (language §H.1). */
export type Schema = boolean | { readonly [keyword: string]: Json };

/** The schemas of named shapes, for `$ref: #/$defs/Name`. */
export type Definitions = { readonly [name: string]: Json };

/** A keyword that a value does not meet, or perhaps does not. */
export interface Failure {
  /** Where in the value: the names of members and the places of elements. */
  readonly path: readonly (string | number)[];
  readonly keyword: string;
  /** What the keyword states. */
  readonly limit: Json;
  readonly holds: true | Unknown;
}

/**
 * The keywords that a value does not meet, in the order in which the schema writes them. An empty list: the value fits.
 * What this does not carry out (`unevaluatedItems`, `unevaluatedProperties`, `$dynamicRef`) is unknown.
 *
 * @param others what becomes of members that nobody stated, where the schema does not say so
 */
export function failuresOf(
  schema: Schema,
  value: Value,
  definitions: Definitions,
  others?: Others,
): Failure[] {
  return judged(schema, seen(value), { definitions, path: [], keyword: '', others });
}

/** Whether a value fits. */
export function fits(schema: Schema, value: Value, definitions: Definitions): Truth {
  return meets(schema, value, { definitions, path: [], keyword: '', others: undefined });
}

/** The members that a shape with `fields` names, and what becomes of others (`schemaOf`). */
interface OthersKeyword {
  readonly known: readonly string[];
  readonly rule: Others | null;
  readonly unwritable?: readonly string[];
}

/** What a keyword is judged in. */
export interface Place {
  readonly definitions: Definitions;
  readonly path: readonly (string | number)[];
  /** What applies the schema: the keyword that fails if the schema is `false`. */
  readonly keyword: string;
  readonly others: Others | undefined;
}

function meets(schema: Schema, value: Value, place: Place): Truth {
  return not(some(judged(schema, seen(value), place), ({ holds }) => holds));
}

function judged(schema: Schema, value: Value, place: Place): Failure[] {
  if (schema === true) return [];
  if (schema === false) return [{ path: place.path, keyword: place.keyword, limit: null, holds: true }];
  return judgesOf(schema).flatMap((judge) => judge(value, place));
}

type Parts = Exclude<Schema, boolean>;
type Judge = (limit: Json, value: Value, schema: Parts, place: Place) => Failure[];

/** What judges the keywords of a schema, in the order in which it writes them. */
const judgesOf = once((schema: Parts): readonly ((value: Value, place: Place) => Failure[])[] =>
  Object.entries(schema).flatMap(([keyword, limit]) => {
    const judge = judgeOf(keyword);
    return judge ? [(value: Value, place: Place) => judge(limit, value, schema, place)] : [];
  }),
);

/** Undefined: the keyword refuses no value. */
function judgeOf(keyword: string): Judge | undefined {
  if (silent.has(keyword)) return undefined;
  const applicator = Object.hasOwn(applicators, keyword) ? applicators[keyword] : undefined;
  if (applicator)
    return (limit, value, schema, place) => applicator(limit, value, schema, { ...place, keyword });
  const joined = Object.hasOwn(joining, keyword) ? joining[keyword] : undefined;
  const plain = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
  return (limit, value, schema, place) => {
    const truth = joined?.(limit, value, schema, place) ?? plain?.(limit, value, schema) ?? unknown([]);
    const holds = not(truth);
    return holds === false ? [] : [{ path: place.path, keyword, limit, holds }];
  };
}

/** Keywords that refuse no value by themselves. */
const silent = new Set([
  ...[
    '$defs',
    '$comment',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['then', 'else', 'minContains', 'maxContains'],
]);

/** Keywords that name the members which fail, and those whose failures are those of the schemas within them. */
const applicators: Readonly<Record<string, Judge>> = {
  others: (limit, value, _schema, place) => {
    const { known, rule, unwritable } = limit as unknown as OthersKeyword;
    if (value instanceof Unknown) return unsure(value, place);
    const isFurther = (name: string): boolean => !known.includes(name) || unwritable?.includes(name) === true;
    const further = isObject(value) ? Object.keys(value).filter(isFurther) : [];
    const own = rule ?? place.others;
    if (further.length === 0 || own === 'ignore' || own === 'keep') return [];
    return further.map((name) => ({
      path: [...place.path, name],
      keyword: 'others',
      limit: null,
      holds: own === 'refuse' ? true : unknown([]),
    }));
  },
  required: (limit, value, _schema, place) => {
    if (value instanceof Unknown) return unsure(value, place);
    return missing(limit as readonly string[], value, place);
  },
  dependentRequired: (limit, value, _schema, place) => {
    if (value instanceof Unknown) return unsure(value, place);
    return present(limit, value).flatMap(([, names]) => missing(names as readonly string[], value, place));
  },
  $ref: (limit, value, _schema, place) => {
    const named = place.definitions[String(limit).slice('#/$defs/'.length)];
    return named === undefined ? [] : judged(named as Schema, value, place);
  },
  allOf: (limit, value, _schema, place) =>
    (limit as readonly Schema[]).flatMap((schema) => judged(schema, value, place)),
  if: (limit, value, schema, place) => {
    const holds = meets(limit as Schema, value, place);
    const branch = (name: string): Failure[] =>
      schema[name] === undefined ? [] : judged(schema[name] as Schema, value, { ...place, keyword: name });
    if (!(holds instanceof Unknown)) return branch(holds ? 'then' : 'else');
    return [...branch('then'), ...branch('else')].map((failure) => ({ ...failure, holds }));
  },
  properties: (limit, value, _schema, place) => within(value, place, (name) => schemaOf(limit, name)),
  patternProperties: (limit, value, _schema, place) =>
    Object.entries(limit as Parts).flatMap(([pattern, schema]) =>
      within(value, place, (name) =>
        keywords['pattern']?.(pattern, name, {}) === true ? (schema as Schema) : undefined,
      ),
    ),
  additionalProperties: (limit, value, schema, place) =>
    within(value, place, (name) => (isNamed(schema, name) ? undefined : (limit as Schema))),
  dependentSchemas: (limit, value, _schema, place) => {
    if (value instanceof Unknown) return unsure(value, place);
    return present(limit, value).flatMap(([, schema]) => judged(schema as Schema, value, place));
  },
  items: (limit, value, schema, place) => {
    const from = (schema['prefixItems'] as readonly Schema[] | undefined)?.length ?? 0;
    return elements(value, place, (index) => (index < from ? undefined : (limit as Schema)));
  },
  prefixItems: (limit, value, _schema, place) =>
    elements(value, place, (index) => (limit as readonly Schema[])[index]),
};

/** Keywords that try schemas, and fail as a whole. */
const joining: Readonly<Record<string, (limit: Json, value: Value, schema: Parts, place: Place) => Truth>> = {
  anyOf: (limit, value, _schema, place) =>
    some(limit as readonly Schema[], (schema) => meets(schema, value, place)),
  oneOf: (limit, value, _schema, place) =>
    counted(limit as readonly Schema[], (schema) => meets(schema, value, place), 1, 1),
  not: (limit, value, _schema, place) => not(meets(limit as Schema, value, place)),
  propertyNames: (limit, value, _schema, place) =>
    isObject(value) ? every(Object.keys(value), (name) => meets(limit as Schema, name, place)) : notOf(value),
  contains: (limit, value, schema, place) => {
    const [least, most] = [schema['minContains'] ?? 1, schema['maxContains'] ?? Number.POSITIVE_INFINITY] as [
      number,
      number,
    ];
    if (value instanceof Collection)
      return value.closed
        ? counted(value.items, (item) => meets(limit as Schema, item, place), least, most)
        : unknown([value]);
    return isList(value)
      ? counted(value, (item) => meets(limit as Schema, item, place), least, most)
      : notOf(value);
  },
};

/** Whether so many hold. */
function counted<T>(all: readonly T[], holds: (each: T) => Truth, least: number, most: number): Truth {
  const truths = all.map(holds);
  const sure = truths.filter((truth) => truth === true).length;
  const unsure = truths.filter((truth) => truth instanceof Unknown);
  if (sure > most || sure + unsure.length < least) return false;
  return sure >= least && sure + unsure.length <= most ? true : unknown(unsure);
}

/** A keyword says nothing of a value that it is not about; of one that is not known, nobody knows. */
function notOf(value: Value): Truth {
  return value instanceof Unknown ? unknown([value]) : true;
}

function within(value: Value, place: Place, schemaFor: (name: string) => Schema | undefined): Failure[] {
  if (value instanceof Unknown) return unsure(value, place);
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const schema = schemaFor(name);
    const inner = { ...place, path: [...place.path, name] };
    return schema === undefined ? [] : judged(schema, seen((value as Members)[name] as Value), inner);
  });
}

function elements(value: Value, place: Place, schemaFor: (index: number) => Schema | undefined): Failure[] {
  if (value instanceof Unknown) return unsure(value, place);
  const items = isList(value) ? value : value instanceof Collection && value.ordered ? value.items : [];
  const known = items.flatMap((item, index) => {
    const schema = schemaFor(index);
    return schema === undefined ? [] : judged(schema, seen(item), { ...place, path: [...place.path, index] });
  });
  return value instanceof Collection && !value.closed
    ? [...known, ...unsure(unknown([value]), place)]
    : known;
}

/** The members of these names that an object lacks. */
function missing(names: readonly string[], value: Value, { path, keyword }: Place): Failure[] {
  return names
    .filter((name) => isObject(value) && !Object.hasOwn(value, name))
    .map((name) => ({ path: [...path, name], keyword, limit: null, holds: true }));
}

/** What a keyword states for each of the members that an object has. */
function present(limit: Json, value: Value): readonly (readonly [string, Json])[] {
  return Object.entries(limit as Parts).filter(([name]) => isObject(value) && Object.hasOwn(value, name));
}

/** It is not known whether there is anything to judge. */
function unsure(value: Unknown, { path }: Place): Failure[] {
  return [{ path, keyword: 'unknown', limit: null, holds: value }];
}

function schemaOf(properties: Json, name: string): Schema | undefined {
  return Object.hasOwn(properties as Parts, name) ? ((properties as Parts)[name] as Schema) : undefined;
}

function isNamed(schema: Parts, name: string): boolean {
  if (schemaOf(schema['properties'] ?? {}, name) !== undefined) return true;
  return Object.keys((schema['patternProperties'] ?? {}) as Parts).some(
    (pattern) => keywords['pattern']?.(pattern, name, {}) === true,
  );
}

/** The value without the members that are ignored (language §H.1, rule 7). Unknown: nothing says what becomes of one. */
export function withoutIgnored(
  schema: Schema,
  given: Value,
  definitions: Definitions,
  others: Others | undefined,
): Value {
  const value = seen(given);
  if (typeof schema === 'boolean' || (!isList(value) && !isObject(value))) return given;
  const named = schema['$ref'] && definitions[String(schema['$ref']).slice('#/$defs/'.length)];
  if (named) return withoutIgnored(named as Schema, value, definitions, others);
  const inner = (member: Value, of: Json | undefined): Value =>
    of === undefined ? member : withoutIgnored(of as Schema, member, definitions, others);
  if (isList(value)) return value.map((element) => inner(element, schema['items']));
  const keyword = schema['others'] as unknown as OthersKeyword | undefined;
  const rule = keyword?.rule ?? others;
  const isKept = (name: string): boolean => {
    const isNamed = keyword?.known.includes(name) && !keyword.unwritable?.includes(name);
    return keyword === undefined || isNamed === true || rule === 'keep';
  };
  const properties = (schema['properties'] ?? {}) as Parts;
  const names = Object.keys(value).filter(isKept);
  const isOpen = names.length < Object.keys(value).length && rule === undefined;
  if (isOpen) return unknown([]);
  return Object.fromEntries(names.map((name) => [name, inner(value[name] as Value, properties[name])]));
}
