import { type Json, setMember } from '../source/node.ts';
import type { Random } from './random.ts';
import type { Schema, Schemas } from './schema.ts';
import { isBounded, samples, textsOf } from './texts.ts';

/** How much a value holds: what must be there, or all that may be. */
export type Size = 'least' | 'most';

/** Makes values that a schema admits. */
export interface Values {
  /** A value that meets every keyword; undefined where none was found. */
  readonly valid: (schema: Schema, size: Size) => Json | undefined;
  /** Texts to try: of so many characters (code points), or, where a pattern decides, of any length; made as they are asked for. */
  readonly texts: (schema: Schema, length: number, filler?: string) => Iterable<string>;
}

const attemptsEach = 20;
const deepest = 8;

export function values({ resolve, failures }: Schemas, random: Random): Values {
  const admits = (schema: Schema, value: Json): boolean => failures(schema, value).length === 0;

  const valid = (schema: Schema, size: Size, depth = 0): Json | undefined => {
    if (depth > deepest) return undefined;
    for (const value of attempts(resolve(schema), size, depth)) if (admits(schema, value)) return value;
    return undefined;
  };

  /** The likeliest value, for whoever looks at what it becomes a part of. */
  const likely = (schema: Schema, size: Size, depth: number): Json | undefined => {
    if (depth > deepest) return undefined;
    for (const value of attempts(resolve(schema), size, depth)) return value;
    return undefined;
  };

  /** Texts of a format that differ from one to the next. */
  const instant = (): string =>
    new Date(random.whole(0, 2 ** 31) * 1000 + random.whole(0, 999)).toISOString();
  const made: Readonly<Record<string, () => readonly string[]>> = {
    uuid: () => [random.uuid()],
    'date-time': () => [instant()],
    date: () => [instant().slice(0, 10)],
    time: () => [`${instant().slice(11, 19)}Z`],
    email: () => [`${random.letters(8)}@example.org`],
    hostname: () => [`${random.letters(8)}.example.org`],
    uri: () => [`https://example.org/${random.letters(8)}`],
    'uri-reference': () => [`/${random.letters(8)}`],
  };

  /** Values that may well meet the schema, the likeliest first. */
  function* attempts(schema: Schema, size: Size, depth: number): Iterable<Json> {
    const { allOf, anyOf, oneOf, if: test, then: yes, else: no, ...own } = schema;
    if ('const' in own) yield own['const'] as Json;
    if (Array.isArray(own['enum'])) {
      yield random.pick(own['enum'] as Json[]);
      yield* own['enum'] as Json[];
      return;
    }
    const branches = [...list(anyOf), ...list(oneOf)];
    if (Array.isArray(allOf)) {
      const whole = list(allOf).reduce<Schema>((so, one) => merged(so, resolve(one)), {
        ...schema,
        allOf: null,
      });
      const { allOf: _, ...rest } = whole;
      yield* attempts(rest, size, depth);
    } else if (branches.length > 0) {
      for (const branch of branches) yield* attempts(merged(own, resolve(branch)), size, depth);
    } else {
      if (test !== undefined) {
        for (const one of [yes, no])
          if (one !== undefined)
            yield* attempts(
              merged(merged(own, resolve(test as Schema)), resolve(one as Schema)),
              size,
              depth,
            );
        if (no !== undefined) yield* attempts(merged(own, resolve(no as Schema)), size, depth);
      }
      for (const type of typesOf(own)) yield* ofType(type, own, size, depth);
    }
  }

  function* ofType(type: string, schema: Schema, size: Size, depth: number): Iterable<Json> {
    switch (type) {
      case 'string': {
        const format = schema['format'] as string | undefined;
        if (format !== undefined) yield* made[format]?.() ?? [];
        if (format !== undefined) yield* samples[format] ?? [];
        for (const length of lengths(schema)) yield* texts(schema, length);
        return;
      }
      case 'integer':
      case 'number':
        yield* numbers(schema);
        return;
      case 'boolean':
        yield random.pick([true, false]);
        yield* [true, false];
        return;
      case 'array':
        yield* arrays(schema, size, depth);
        return;
      case 'object':
        yield* objects(schema, size, depth);
        return;
      default:
        yield null;
    }
  }

  const texts = (schema: Schema, length: number, filler?: string): Iterable<string> => {
    const { pattern, format } = schema as { pattern?: string; format?: string };
    const own: Schema = {
      ...(pattern !== undefined && { pattern }),
      ...(format !== undefined && { format }),
    };
    const fits = (text: string): boolean => isBounded(own, text) && admits(own, text);
    return textsOf(own, length, random, fits, filler);
  };

  function* numbers(schema: Schema): Iterable<number> {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Record<
      string,
      number | undefined
    >;
    const step = stepOf(schema) ?? 0.5;
    const low = Math.max(
      minimum ?? Number.NEGATIVE_INFINITY,
      (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) + step,
    );
    const high = Math.min(
      maximum ?? Number.POSITIVE_INFINITY,
      (exclusiveMaximum ?? Number.POSITIVE_INFINITY) - step,
    );
    const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 100 * step : 0;
    const to = Number.isFinite(high) ? high : from + 100 * step;
    const first = Math.ceil(decimal(from / step));
    const last = Math.floor(decimal(to / step));
    if (first <= last) yield decimal(random.whole(first, last) * step);
    yield* [decimal(first * step), decimal(last * step), low, high, (low + high) / 2].filter(Number.isFinite);
  }

  function* arrays(schema: Schema, size: Size, depth: number): Iterable<Json[]> {
    const {
      minItems = 0,
      maxItems = Number.POSITIVE_INFINITY,
      items,
      prefixItems,
      contains,
      minContains,
    } = schema as {
      minItems?: number;
      maxItems?: number;
      items?: Schema | boolean;
      prefixItems?: Schema[];
      contains?: Schema;
      minContains?: number;
    };
    const prefix = (prefixItems ?? []).slice(0, maxItems).map((one) => valid(one, size, depth + 1) ?? null);
    const element = typeof items === 'object' ? resolve(items) : {};
    for (let attempt = 0; attempt < attemptsEach; attempt++) {
      const made: Json[] = [...prefix];
      if (contains)
        for (let i = minContains ?? 1; i > 0; i--)
          made.push(valid(merged(element, resolve(contains)), size, depth + 1) ?? null);
      const isMore = size === 'most' && attempt === 0 && items !== false;
      const all =
        isMore && random.whole(1, 3) === 1 ? (element as { readonly enum?: Json[] }).enum : undefined;
      made.push(...(all ?? []).slice(0, Math.max(maxItems - made.length, 0)));
      const more = isMore && all === undefined ? random.pick([1, 1, 2, 3]) : 0;
      const wanted = Math.max(minItems, Math.min(made.length + more, Math.max(maxItems, 1)));
      while (made.length < wanted) {
        const one = valid(element, size, depth + 1);
        if (one === undefined) break;
        made.push(one);
      }
      yield made;
    }
  }

  function* objects(schema: Schema, size: Size, depth: number): Iterable<Json> {
    const {
      properties = {},
      required = [],
      minProperties = 0,
      maxProperties = Number.POSITIVE_INFINITY,
      additionalProperties,
      propertyNames,
    } = schema as {
      properties?: Record<string, Schema>;
      required?: string[];
      minProperties?: number;
      maxProperties?: number;
      additionalProperties?: Schema | boolean;
      propertyNames?: Schema;
    };
    const known = Object.keys(properties);
    const other = typeof additionalProperties === 'object' ? additionalProperties : {};
    const further = function* (): Iterable<string> {
      for (let i = 0; i < minProperties; i++) yield `member${i}`;
      const names = { type: 'string', ...(propertyNames && resolve(propertyNames)) };
      for (let i = 0; i < 2 * minProperties; i++) {
        const name = valid(names, size, depth + 1);
        if (typeof name === 'string') yield name;
      }
    };
    const isNamed = (name: string): boolean => propertyNames === undefined || admits(propertyNames, name);
    for (const [extent, member] of [
      [size, likely],
      [size, valid],
      ['least', valid],
      ['most', valid],
    ] as const) {
      const made: Record<string, Json> = {};
      const names = extent === 'most' ? [...new Set([...required, ...known])] : required;
      const add = (name: string): void => {
        const value = member(properties[name] ?? other, size, depth + 1);
        if (value !== undefined) setMember(made, name, value);
      };
      names.slice(0, Math.max(required.length, maxProperties)).forEach(add);
      for (const name of known)
        if (Object.keys(made).length < minProperties && !Object.hasOwn(made, name)) add(name);
      for (const name of further()) {
        if (Object.keys(made).length >= minProperties) break;
        if (isNamed(name) && !Object.hasOwn(made, name)) add(name);
      }
      yield made;
    }
  }

  return { valid: (schema, size) => valid(schema, size), texts };
}

/** What numbers of a schema are counted in; null: in nothing. */
export function stepOf(schema: Schema): number | null {
  const { multipleOf } = schema;
  if (typeof multipleOf === 'number') return multipleOf;
  const types = typesOf(schema);
  return types.includes('integer') && !types.includes('number') ? 1 : null;
}

/** A number without what binary64 makes of its last digits. */
export function decimal(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

function lengths(schema: Schema): number[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as {
    minLength?: number;
    maxLength?: number;
  };
  const middle = Math.min(Math.max(minLength, 8), maxLength);
  return [...new Set([middle, minLength, Math.min(maxLength, minLength + 64)])];
}

/** The types that a schema admits; where it names none, the one that its keywords are about. */
export function typesOf(schema: Schema): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as string[];
  const about = (...keywords: string[]): boolean => keywords.some((keyword) => keyword in schema);
  if (about('properties', 'required', 'minProperties', 'additionalProperties', 'dependentRequired'))
    return ['object'];
  if (about('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return ['array'];
  if (about('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
  return ['string', 'number', 'boolean', 'object', 'array', 'null'];
}

function list(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : [];
}

/** Two schemas as one, as far as keywords go together: members of both, the narrower bounds, the first of the rest. */
export function merged(a: Schema, b: Schema): Schema {
  const both: Record<string, Json> = { ...b, ...a };
  for (const keyword of [
    'properties',
    'required',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
  ]) {
    const [x, y] = [a[keyword], b[keyword]];
    if (x === undefined || y === undefined) continue;
    if (typeof x === 'number' && typeof y === 'number')
      both[keyword] = /^min/.test(keyword) ? Math.max(x, y) : Math.min(x, y);
    else if (Array.isArray(x) && Array.isArray(y)) both[keyword] = [...new Set([...x, ...y])];
    else both[keyword] = { ...(y as Schema), ...(x as Schema) };
  }
  return both;
}
