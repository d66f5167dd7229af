import type { Json } from '../source/node.ts';
import { matching } from './matching.ts';
import type { Random } from './random.ts';
import type { Schema, Schemas } from './schema.ts';

/** How much a value holds: what must be there, or all that may be. */
export type Size = 'least' | 'most';

/** Makes values that a schema admits. */
export interface Values {
  /** A value that meets every keyword; undefined where none was found. */
  readonly valid: (schema: Schema, size: Size) => Json | undefined;
  /** Texts to try: of so many characters (code points), or, where a pattern decides, of any length; made as they are asked for. */
  readonly texts: (schema: Schema, length: number, filler?: string) => Iterable<string>;
}

/** A few valid texts of each format (JSON Schema Validation §7.3). */
export const samples: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29T23:59:59.123Z', '1999-12-31T00:00:00.000Z'],
  date: ['2024-02-29', '1999-12-31'],
  time: ['23:59:59Z', '00:00:00.5+01:00'],
  duration: ['P3DT4H', 'PT30S'],
  email: ['ada@example.org', 'a.b+c@mail.example.org'],
  hostname: ['example.org', 'a-b.example'],
  ipv4: ['192.0.2.1', '198.51.100.255'],
  ipv6: ['2001:db8::1', '::1'],
  uri: ['https://example.org/a?b=c#d', 'urn:isbn:9780131103627'],
  'uri-reference': ['/a/b?c=d', '../up'],
  'uri-template': ['/a/{b}', '/{+c}{?d}'],
  uuid: ['2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
  'json-pointer': ['/a/0', ''],
  'relative-json-pointer': ['0#', '1/a'],
  regex: ['^a+$', '[0-9]'],
};

const attemptsEach = 20;
const deepest = 8;

export function values({ resolve, failures }: Schemas, random: Random): Values {
  const admits = (schema: Schema, value: Json): boolean => failures(schema, value).length === 0;

  const valid = (schema: Schema, size: Size, depth = 0): Json | undefined => {
    if (depth > deepest) return undefined;
    for (const value of attempts(resolve(schema), size, depth)) if (admits(schema, value)) return value;
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
        yield* numbers(type, schema);
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

  function* texts(schema: Schema, length: number, filler?: string): Iterable<string> {
    const { pattern } = schema as { pattern?: string };
    if (pattern === undefined)
      return yield filler === undefined ? random.letters(length) : filler.repeat(length);
    for (let tried = 0; tried < 2 * attemptsEach; tried++) {
      // What is fixed in a pattern takes a part of the length, so fewer repetitions are tried, too.
      const made = matching(pattern, random, Math.max(1, length - (tried % attemptsEach)));
      if (made !== undefined) yield made;
    }
  }

  function* numbers(type: 'integer' | 'number', schema: Schema): Iterable<number> {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
      string,
      number | undefined
    >;
    const step = multipleOf ?? (type === 'integer' ? 1 : 0.5);
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
    const first = Math.ceil(from / step);
    const last = Math.floor(to / step);
    if (first <= last) yield random.whole(first, last) * step;
    yield* [first * step, last * step, low, high, (low + high) / 2].filter(Number.isFinite);
  }

  function* arrays(schema: Schema, size: Size, depth: number): Iterable<Json[]> {
    const {
      minItems = 0,
      items,
      prefixItems,
      contains,
      minContains,
    } = schema as {
      minItems?: number;
      items?: Schema | boolean;
      prefixItems?: Schema[];
      contains?: Schema;
      minContains?: number;
    };
    const prefix = (prefixItems ?? []).map((one) => valid(one, size, depth + 1) ?? null);
    for (let attempt = 0; attempt < attemptsEach; attempt++) {
      const made: Json[] = [...prefix];
      if (contains)
        for (let i = minContains ?? 1; i > 0; i--) made.push(valid(contains, size, depth + 1) ?? null);
      const wanted = Math.max(
        minItems,
        size === 'most' && attempt === 0 && items !== false ? made.length + 1 : 0,
      );
      while (made.length < wanted) {
        const one = valid(typeof items === 'object' ? items : {}, size, depth + 1);
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
    } = schema as {
      properties?: Record<string, Schema>;
      required?: string[];
      minProperties?: number;
    };
    for (const extent of [size, 'least', 'most'] as const) {
      const made: Record<string, Json> = {};
      const names = extent === 'most' ? [...new Set([...Object.keys(properties), ...required])] : required;
      const add = (name: string): void => {
        const value = valid(properties[name] ?? {}, size, depth + 1);
        if (value !== undefined) made[name] = value;
      };
      names.forEach(add);
      for (const name of [
        ...Object.keys(properties),
        ...Array.from({ length: minProperties }, (_, i) => `member${i}`),
      ])
        if (Object.keys(made).length < minProperties && !(name in made)) add(name);
      yield made;
    }
  }

  return { valid: (schema, size) => valid(schema, size), texts };
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
function merged(a: Schema, b: Schema): Schema {
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
