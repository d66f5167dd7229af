import { type Json, ownMember } from '../source/node.ts';
import type { Schema, Schemas } from './schema.ts';
import { samples } from './texts.ts';
import { decimal, merged, stepOf, type Values } from './values.ts';

/** Values that look alike and are of another type, and values of every other type. */
const foreign: Readonly<Record<string, readonly Json[]>> = {
  string: [5, true, null, ['a'], {}],
  integer: ['5', 1.5, true, null, [5]],
  number: ['1.5', true, null, [1.5]],
  boolean: ['true', 'false', 1, 0, null],
  array: ['a', null, {}],
  object: ['a', null, []],
  null: ['null', 0, false, ''],
};

/** Texts that just miss a format. */
const malformed: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2023-02-29T00:00:00Z', '2024-01-01T00:00:00', '2024-01-01'],
  date: ['2023-02-29', '2024-1-1'],
  time: ['24:00:00Z', '12:00'],
  duration: ['3 days', 'P'],
  email: ['ada', 'ada@'],
  hostname: ['-example.org', 'a b'],
  ipv4: ['256.0.0.1', '192.0.2'],
  ipv6: ['1::2::3', '2001:db8'],
  uri: ['/only/a/path', 'no scheme'],
  'uri-reference': ['\\a', 'http://[bad'],
  'uri-template': ['/{a', '/{a b}'],
  uuid: ['2c5ea4c0-4067-4fe9-8bad', 'not-a-uuid'],
  'json-pointer': ['a/0', '/~2'],
  'relative-json-pointer': ['-1', '/a'],
  regex: ['(', '['],
};

export const anyValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1e6,
  '',
  'a',
  'A b',
  [],
  [1, 1],
  ['a'],
  {},
  { a: 1 },
];

/** Characters that an implementation may count or keep wrongly: past U+FFFF, and built of two. */
const astral = '𝄞';

/** Of a list of allowed values this many are tried. */
const mostListed = 12;

/** What a keyword admits at its bound and refuses just past it, before it is confirmed by the validator. */
type Tries = { readonly inside?: readonly Json[]; readonly outside?: readonly Json[] };
type Make = Values & Pick<Schemas, 'resolve'>;
type Try = (limit: never, schema: Schema, make: Make) => Tries;
type Members = { readonly [member: string]: Json };

const ofLength = (schema: Schema, make: Make, length: number): readonly Json[] =>
  length < 0
    ? []
    : [undefined, astral].flatMap((filler) =>
        firstOf(make.texts(schema, length, filler), (text) => [...text].length === length),
      );

/** Of so many characters; where the format and the pattern admit none of them, one that misses these as well. */
const pastLength = (schema: Schema, make: Make, length: number): readonly Json[] => {
  const found = ofLength(schema, make, length);
  return found.length > 0 || length < 0 ? found : [...make.texts({}, length)];
};

function firstOf<T>(all: Iterable<T>, isWanted: (one: T) => boolean): readonly T[] {
  for (const one of all) if (isWanted(one)) return [one];
  return [];
}

/** A list of so many elements, if need be with some that are equal. */
export const listOf = (schema: Schema, make: Make, length: number): readonly Json[] => {
  if (length < 0) return [];
  const { minItems: _, maxItems: __, ...free } = schema;
  const { uniqueItems: ___, ...any } = free;
  for (const one of [free, any]) {
    const made = make.valid({ ...one, type: 'array', minItems: length, maxItems: length }, 'least');
    if (made !== undefined) return [made];
  }
  return [];
};

/** An object of so many members. */
const objectOf = (schema: Schema, make: Make, size: number): readonly Json[] => {
  if (size < 0) return [];
  const { minProperties: _, maxProperties: __, ...free } = schema;
  const made = make.valid({ ...free, type: 'object', minProperties: size, maxProperties: size }, 'least');
  return made === undefined ? [] : [made];
};

const wholeOf = (schema: Schema, make: Make): Members | undefined => {
  const made = make.valid(schema, 'most');
  return typeof made === 'object' && made !== null && !Array.isArray(made) ? (made as Members) : undefined;
};

/** How far apart numbers are tried that are not counted in anything. */
const near = 0.001;

/** Numbers about a bound: the last within it, one further in, and the first past it, each a multiple of what is counted in. */
function around(limit: number, schema: Schema, inwards: 1 | -1): Required<Tries> & { readonly at: boolean } {
  const step = stepOf(schema) ?? near;
  const times = (count: number): number => decimal(count * step);
  if (stepOf(schema) === null)
    return {
      at: true,
      inside: [limit, decimal(limit + inwards * step)],
      outside: [decimal(limit - inwards * step)],
    };
  const first = (inwards > 0 ? Math.ceil : Math.floor)(decimal(limit / step));
  return {
    at: times(first) === limit,
    inside: [times(first), times(first + inwards)],
    outside: [times(first - inwards)],
  };
}

const within =
  (inwards: 1 | -1): Try =>
  (limit: number, schema) =>
    around(limit, schema, inwards);

const beyond =
  (inwards: 1 | -1): Try =>
  (limit: number, schema) => {
    const { at, inside, outside } = around(limit, schema, inwards);
    return at ? { inside: inside.slice(1), outside: [limit] } : { inside, outside: [limit, ...outside] };
  };

const noOthers: Try = (_rule: Json, schema, make) => {
  const whole = wholeOf(schema, make);
  return whole ? { outside: anyValues.map((value) => ({ ...whole, 'not stated': value })) } : {};
};

const unstated: Try = (_rule: Json, schema, make) => {
  const whole = wholeOf(schema, make);
  return whole ? { outside: [{ ...whole, 'not stated': true }] } : {};
};

const noMore: Try = (rule: Json, schema, make) => {
  const { items: _, unevaluatedItems: __, ...free } = schema;
  const prefix = (schema['prefixItems'] ?? []) as readonly Json[];
  const [whole] = listOf(free, make, prefix.length);
  return rule === false && Array.isArray(whole)
    ? { inside: [whole], outside: anyValues.map((value) => [...(whole as Json[]), value]) }
    : {};
};

/** As large as a bound says, and one past it. */
const sized =
  (made: typeof listOf, step: 1 | -1): Try =>
  (limit: number, schema, make) => ({
    inside: made(schema, make, limit),
    outside: made(schema, make, limit + step),
  });

/** One value of each branch, and what is just past its bounds. */
const branches: Try = (all: Schema[], schema, make) => {
  const { anyOf: _, oneOf: __, ...own } = schema;
  const each = all.map((branch) => merged(own, make.resolve(branch)));
  const valid = (one: Schema): Json[] => [make.valid(one, 'most') ?? []].flat(0).slice(0, 1);
  const tried = each.map((branch) => aboutBranch(branch, make));
  return {
    inside: [...each.flatMap(valid), ...tried.flatMap(({ inside = [] }) => inside.slice(0, 3))].slice(0, 6),
    outside: [
      ...tried.flatMap(({ outside = [] }) => outside.slice(0, 6)),
      ...each.flatMap((one, index) => each.slice(index + 1).flatMap((other) => valid(merged(one, other)))),
      ...anyValues,
    ],
  };
};

/** What is tried of the keywords of one branch that are about the value itself. */
function aboutBranch(branch: Schema, make: Make): Tries {
  const found = Object.entries(branch).map(([keyword, limit]) =>
    keyword === 'anyOf' || keyword === 'oneOf'
      ? {}
      : (ownMember(tries, keyword)?.(limit as never, branch, make) ?? {}),
  );
  return {
    inside: found.flatMap(({ inside = [] }) => inside.slice(0, 1)),
    outside: found.flatMap(({ outside = [] }) => outside.slice(0, 2)),
  };
}

/** What is tried for each keyword. */
export const tries: Readonly<Record<string, Try>> = {
  type: (type: string | string[], schema, make) => ({
    // Usual values are of the first of several types.
    inside: [type]
      .flat()
      .slice(1)
      .flatMap((one) => make.valid({ ...schema, type: one }, 'most') ?? (one === 'null' ? [null] : [])),
    outside: [type].flat().flatMap((one) => foreign[one] ?? []),
  }),
  enum: (values: Json[]) => ({
    inside: values.slice(0, mostListed),
    outside: [
      ...values.flatMap((one) => (typeof one === 'string' ? [one.toUpperCase(), `${one} `] : [])),
      'none of these',
      -987654,
    ],
  }),
  const: (value: Json) => ({ inside: [value], outside: ['another', -987654] }),
  minimum: within(1),
  maximum: within(-1),
  exclusiveMinimum: beyond(1),
  exclusiveMaximum: beyond(-1),
  multipleOf: (step: number, schema, make) => {
    const base = make.valid(schema, 'least');
    if (typeof base !== 'number') return {};
    return {
      inside: [base, base + step, base - step].map(decimal),
      outside: [base + step / 2, base - step / 2, base + 1, base - 1].map(decimal),
    };
  },
  minLength: (limit: number, schema, make) => ({
    inside: ofLength(schema, make, limit),
    outside: pastLength({ ...schema, minLength: 0 }, make, limit - 1),
  }),
  maxLength: (limit: number, schema, make) => ({
    inside: ofLength(schema, make, limit),
    outside: pastLength(schema, make, limit + 1),
  }),
  pattern: (_pattern: string, schema, make) => {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as Record<string, number>;
    const isBounded = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
    const made = [...make.texts(schema, Math.min(Math.max(8, minLength), maxLength))]
      .filter(isBounded)
      .sort((a, b) => a.length - b.length);
    const fitting = [made.slice(0, 1), made.slice(1).slice(-1)].flat();
    const { pattern: _, ...free } = schema;
    const near = fitting.flatMap((text) => [
      `${text}!`,
      ` ${text}`,
      `${text}\n`,
      text.slice(1),
      text.toUpperCase(),
    ]);
    return {
      inside: fitting,
      outside: [...near, '!', ...make.texts(free, 8), ...make.texts({}, 8), ...make.texts({}, 8, '\u00e9')],
    };
  },
  format: (format: string, schema, make) => {
    const made = firstOf(make.texts(schema, 24), () => true) as readonly string[];
    return {
      inside: [...(samples[format] ?? []), ...made.slice(0, 'pattern' in schema ? 1 : 0)],
      // A pattern beside it may ask for more than these have.
      outside: [
        ...(malformed[format] ?? []),
        ...('pattern' in schema
          ? made.flatMap((text) => [`${text} `, `${text.slice(0, -1)} a`, `${text}%`])
          : []),
      ],
    };
  },
  minItems: sized(listOf, -1),
  maxItems: sized(listOf, 1),
  uniqueItems: (_flag: boolean, schema, make) => {
    const [two] = listOf(schema, make, Math.max(2, Number(schema['minItems'] ?? 0)));
    return Array.isArray(two)
      ? { inside: [two], outside: [[two[0] as Json, ...(two as Json[]).slice(0, -1)]] }
      : {};
  },
  contains: (wanted: Schema, schema, make) => {
    const { contains: _, minContains: low = 1, maxContains: high, minItems, ...free } = schema;
    const of = (items: Schema, count: number): Json[] =>
      Array.from({ length: Math.max(0, count) }, () => make.valid(items, 'most') ?? null);
    const items = (typeof free['items'] === 'object' ? free['items'] : {}) as Schema;
    const other = merged({ not: wanted }, make.resolve(items));
    const list = (count: number): Json[] => [
      ...of(merged(make.resolve(items), make.resolve(wanted)), count),
      ...of(other, Math.max(1, Number(minItems ?? 0) - count)),
    ];
    const bounds = [low, ...(high === undefined ? [] : [high])] as number[];
    return {
      inside: bounds.map(list),
      outside: [list(Number(low) - 1), [], ...(high === undefined ? [] : [list(Number(high) + 1)])],
    };
  },
  items: noMore,
  unevaluatedItems: noMore,
  required: (names: string[], schema, make) => {
    const whole = wholeOf(schema, make);
    return whole ? { outside: names.map((name) => without(whole, name)) } : {};
  },
  dependentRequired: (needs: { readonly [name: string]: readonly string[] }, schema, make) => {
    const whole = wholeOf(schema, make);
    if (!whole) return {};
    return {
      inside: Object.keys(needs).map((name) => without(whole, name)),
      outside: Object.values(needs).flatMap((names) => names.map((name) => without(whole, name))),
    };
  },
  minProperties: sized(objectOf, -1),
  maxProperties: sized(objectOf, 1),
  propertyNames: (names: Schema, schema, make) => {
    const whole = wholeOf(schema, make) ?? {};
    const [value = 'a'] = Object.values(wholeOf({ ...schema, minProperties: 1 }, make) ?? {});
    const { inside = [], outside = [] } = aboutBranch(make.resolve(names), make);
    const named = (all: readonly Json[]): Json[] =>
      all.flatMap((name) => (typeof name === 'string' ? [{ ...whole, [name]: value }] : []));
    return { inside: named(inside).slice(0, 4), outside: named(outside) };
  },
  additionalProperties: noOthers,
  unevaluatedProperties: noOthers,
  others: unstated,
  not: (unwanted: Schema, schema, make) => {
    const { not: _, ...own } = schema;
    const value = make.valid(schema, 'most');
    const tried = [own, {}].flatMap((one) => make.valid(merged(one, make.resolve(unwanted)), 'most') ?? []);
    return { inside: value === undefined ? [] : [value], outside: [...tried, ...anyValues] };
  },
  anyOf: branches,
  oneOf: branches,
};

function without(value: Members, name: string): Json {
  const { [name]: _, ...rest } = value;
  return rest;
}
