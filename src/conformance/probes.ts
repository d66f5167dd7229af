import { type Json, ownMember } from '../source/node.ts';
import type { Failure, Schema, Schemas } from './schema.ts';
import { anyValues, listOf, tries } from './tries.ts';
import { merged, type Values } from './values.ts';

/** A value at a bound that a keyword states, or just past it. */
export interface Probe {
  readonly value: Json;
  /** What it does not meet: the keyword, and others that fail with it at the same place; empty where it fits. */
  readonly failures: readonly Failure[];
}

/** What is tried for one keyword, at one place in a value. */
export interface Bound {
  readonly keyword: string;
  /** Where the keyword stands, counted from the schema: members by name, the items of a list as `items`. */
  readonly place: readonly string[];
  readonly inside: readonly Probe[];
  /** Those that miss this keyword and no other, where there are any. */
  readonly outside: readonly Probe[];
}

/** Keywords that hold others and refuse nothing themselves, or that say nothing about values. */
const containers = [
  'properties',
  'patternProperties',
  'prefixItems',
  'allOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  '$ref',
];
const annotating = ['contentEncoding', 'contentMediaType', 'contentSchema', 'minContains', 'maxContains'];

/**
 * The bounds that a schema states, at every depth, each with values about it that the validator confirms.
 *
 * @param base an object that fits, around the members that are tried; made up where it is left out
 */
export function bounds(schema: Schema, tools: Schemas & Values, base?: Json): Bound[] {
  return [...boundsAt({ whole: schema, tools }, tools.resolve(schema), [], (value) => value, base)];
}

interface Looking {
  readonly whole: Schema;
  readonly tools: Schemas & Values;
}

/** @param making what values are made of, where more than the keywords that are looked at holds of them */
function* boundsAt(
  looking: Looking,
  here: Schema,
  place: readonly string[],
  put: (value: Json) => Json,
  base?: Json,
  making = here,
): Iterable<Bound> {
  for (const [keyword, limit] of Object.entries(here))
    if (isBound(keyword, limit, place)) yield boundOf(looking, keyword, limit, place, put, making);
  for (const [sub, whole] of applied(looking, here))
    yield* boundsAt(looking, sub, place, put, undefined, whole);
  yield* inMembers(looking, here, place, put, base, making);
  yield* inElements(looking, here, place, put);
}

function isBound(keyword: string, limit: Json, place: readonly string[]): boolean {
  if (containers.includes(keyword) || annotating.includes(keyword)) return false;
  // Members of the whole that nobody stated are tried apart, whatever becomes of them.
  if (keyword === 'others') return place.length > 0 && isSchema(limit) && limit['rule'] === 'refuse';
  if (keyword === 'required') return (limit as Json[]).length > 0;
  // A schema for what is left tells of no bound by itself.
  const isRest = ['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'].includes(
    keyword,
  );
  return !isRest || limit === false;
}

function boundOf(
  { whole, tools }: Looking,
  keyword: string,
  limit: Json,
  place: readonly string[],
  put: (value: Json) => Json,
  making: Schema,
): Bound {
  const own = ownMember(tries, keyword);
  const tried = own?.(limit as never, making, tools) ?? {};
  const candidates = [...(tried.outside ?? []), ...(own ? [] : anyValues)];
  const inside = unique((tried.inside ?? []).map(put)).filter(
    (value) => tools.failures(whole, value).length === 0,
  );
  const outside = unique(candidates.map(put))
    .map((value) => ({ value, failures: tools.failures(whole, value) }))
    .filter((probe) => isAbout(keyword, probe.failures));
  const alone = outside.filter((probe) => probe.failures.length === 1);
  return {
    keyword,
    place,
    inside: inside.map((value) => ({ value, failures: [] })),
    outside: (alone.length > 0 ? alone : outside).slice(0, keyword === 'type' ? 5 : 3),
  };
}

/** The schemas that hold of the same value (JSON Schema Core §10.2), each with all that holds where it does. */
function applied({ tools: { resolve } }: Looking, here: Schema): (readonly [Schema, Schema])[] {
  const { allOf, if: test, then: yes, else: no, dependentSchemas, ...own } = here;
  const both = (one: Json, ...more: Json[]): readonly [Schema, Schema] => {
    const all = [one, ...more].filter(isSchema).map(resolve);
    return [all[0] as Schema, all.reduce<Schema>(merged, own)];
  };
  return [
    ...(Array.isArray(allOf) ? (allOf as Json[]).map((one) => both(one)) : []),
    ...(isSchema(yes) ? [both(yes, test ?? {})] : []),
    ...(isSchema(no) ? [both(no)] : []),
    ...Object.entries(isSchema(dependentSchemas) ? dependentSchemas : {}).map(([name, one]) =>
      both(one, { required: [name] }),
    ),
  ].filter(([one]) => one !== undefined);
}

/** The members of an object: those with names, and those that a pattern or nothing names. */
function* inMembers(
  looking: Looking,
  here: Schema,
  place: readonly string[],
  put: (value: Json) => Json,
  base: Json | undefined,
  making: Schema,
): Iterable<Bound> {
  const { properties, patternProperties, additionalProperties } = here as {
    readonly [keyword: string]: Record<string, Schema> | undefined;
  };
  const { resolve, valid, texts } = looking.tools;
  const named = Object.entries(properties ?? {}).map(([name, inner]) => [name, [name], inner] as const);
  const patterned = Object.entries(patternProperties ?? {}).flatMap(([pattern, inner]) =>
    [...texts({ pattern }, 6)]
      .slice(0, 1)
      .map((name) => [name, ['patternProperties', pattern], inner] as const),
  );
  const names = { type: 'string', ...(isSchema(here['propertyNames']) && resolve(here['propertyNames'])) };
  const other = isSchema(additionalProperties) ? valid(names, 'most') : undefined;
  const rest =
    typeof other === 'string'
      ? [[other, ['additionalProperties'], additionalProperties as Schema] as const]
      : [];
  const all = [...named, ...patterned, ...rest].filter(([, , inner]) => isSchema(inner));
  const around = all.length > 0 ? (base ?? valid(making, 'most')) : undefined;
  if (!isSchema(around)) return;
  for (const [name, steps, inner] of all)
    yield* boundsAt(looking, resolve(inner), [...place, ...steps], (value) =>
      put({ ...around, [name]: value }),
    );
}

/** The elements of a list: the first of those that are alike, and each that has a place of its own. */
function* inElements(
  looking: Looking,
  here: Schema,
  place: readonly string[],
  put: (value: Json) => Json,
): Iterable<Bound> {
  const { tools } = looking;
  const prefix = (Array.isArray(here['prefixItems']) ? here['prefixItems'] : []) as Schema[];
  const { items } = here as { readonly items?: Json };
  if (prefix.length === 0 && !isSchema(items)) return;
  const least = Number(here['minItems'] ?? 1);
  const [list] = listOf(here, tools, Math.max(1, least, prefix.length + (isSchema(items) ? 1 : 0)));
  if (!Array.isArray(list)) return;
  const whole = list as Json[];
  // One that must be contained stays, and one more is tried.
  const at = isSchema(here['contains']) ? whole.length : prefix.length;
  for (const [index, inner] of prefix.entries())
    if (isSchema(inner))
      yield* boundsAt(looking, tools.resolve(inner), [...place, 'prefixItems', String(index)], (value) =>
        put(whole.with(index, value)),
      );
  if (isSchema(items))
    yield* boundsAt(looking, tools.resolve(items), [...place, 'items'], (value) =>
      put([...whole.slice(0, at), value, ...whole.slice(at + 1)]),
    );
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether what a value does not meet is this keyword, alone or with others at the same place. */
function isAbout(keyword: string, failures: readonly Failure[]): boolean {
  // A condition fails with what it asks for.
  const places = new Set(failures.filter((one) => one.keyword !== 'if').map(({ path }) => path.join('/')));
  return places.size === 1 && failures.some((one) => one.keyword === keyword);
}

function unique(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
