import type { Json } from '../source/node.ts';
import type { Failure, Schema, Schemas } from './schema.ts';
import { samples, typesOf, type Values } from './values.ts';

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
  'items',
  'then',
  'else',
  'others',
  '$ref',
];
const annotating = ['contentEncoding', 'contentMediaType', 'contentSchema', 'minContains', 'maxContains'];

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

const anyValues: readonly Json[] = [
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

/** What a keyword admits at its bound and refuses just past it, before it is confirmed by the validator. */
type Tries = { readonly inside?: readonly Json[]; readonly outside?: readonly Json[] };
type Try = (limit: never, schema: Schema, make: Values) => Tries;

const ofLength = (schema: Schema, make: Values, length: number): readonly Json[] =>
  length < 0
    ? []
    : [undefined, astral].flatMap((filler) =>
        [...make.texts(schema, length, filler)].filter((text) => [...text].length === length).slice(0, 1),
      );

const listOf = (schema: Schema, make: Values, length: number): readonly Json[] => {
  if (length < 0) return [];
  const { minItems: _, maxItems: __, ...free } = schema;
  const made = make.valid({ ...free, minItems: length, maxItems: length }, 'least');
  return made === undefined ? [] : [made];
};

const stepOf = ({ multipleOf, type }: Schema): number =>
  typeof multipleOf === 'number' ? multipleOf : type === 'integer' ? 1 : 0.001;

const tries: Readonly<Record<string, Try>> = {
  type: (type: string | string[]) => ({ outside: [type].flat().flatMap((one) => foreign[one] ?? []) }),
  enum: (values: Json[]) => ({
    inside: values.slice(0, 5),
    outside: [
      ...values.flatMap((one) => (typeof one === 'string' ? [one.toUpperCase(), `${one} `] : [])),
      'none of these',
      -987654,
    ],
  }),
  const: (value: Json) => ({ inside: [value], outside: ['another', -987654] }),
  minimum: (limit: number, schema) => ({
    inside: [limit, limit + stepOf(schema)],
    outside: [limit - stepOf(schema)],
  }),
  maximum: (limit: number, schema) => ({
    inside: [limit, limit - stepOf(schema)],
    outside: [limit + stepOf(schema)],
  }),
  exclusiveMinimum: (limit: number, schema) => ({ inside: [limit + stepOf(schema)], outside: [limit] }),
  exclusiveMaximum: (limit: number, schema) => ({ inside: [limit - stepOf(schema)], outside: [limit] }),
  multipleOf: (step: number, schema, make) => {
    const base = make.valid(schema, 'least');
    if (typeof base !== 'number') return {};
    return {
      inside: [base, base + step, base - step],
      outside: [base + step / 2, base - step / 2, base + 1, base - 1],
    };
  },
  minLength: (limit: number, schema, make) => ({
    inside: ofLength(schema, make, limit),
    outside: ofLength({ ...schema, minLength: 0 }, make, limit - 1),
  }),
  maxLength: (limit: number, schema, make) => ({
    inside: ofLength(schema, make, limit),
    outside: ofLength(schema, make, limit + 1),
  }),
  pattern: (_pattern: string, schema, make) => {
    const made = [...make.texts(schema, 8)].sort((a, b) => a.length - b.length);
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
      outside: [...near, '!', ...make.texts(free, 8), ...make.texts(free, 8, '\u00e9')],
    };
  },
  format: (format: string) => ({ inside: samples[format] ?? [], outside: malformed[format] ?? [] }),
  minItems: (limit: number, schema, make) => ({
    inside: listOf(schema, make, limit),
    outside: listOf(schema, make, limit - 1),
  }),
  maxItems: (limit: number, schema, make) => ({
    inside: listOf(schema, make, limit),
    outside: listOf(schema, make, limit + 1),
  }),
  uniqueItems: (_flag: boolean, schema, make) => {
    const [two] = listOf(schema, make, Math.max(2, Number(schema['minItems'] ?? 0)));
    return Array.isArray(two)
      ? { inside: [two], outside: [[two[0] as Json, ...(two as Json[]).slice(0, -1)]] }
      : {};
  },
  required: (names: string[], schema, make) => {
    const whole = make.valid(schema, 'most') as { readonly [member: string]: Json } | undefined;
    return whole ? { outside: names.map((name) => without(whole, name)) } : {};
  },
  additionalProperties: (_rule: Json, schema, make) => {
    const whole = make.valid(schema, 'most') as { readonly [member: string]: Json } | undefined;
    return whole ? { outside: anyValues.map((value) => ({ ...whole, 'not stated': value })) } : {};
  },
};

/**
 * The bounds that a schema states, at every depth, each with values about it that the validator confirms.
 *
 * @param base an object that fits, around the members that are tried; made up where it is left out
 */
export function bounds(schema: Schema, tools: Schemas & Values, base?: Json): Bound[] {
  return boundsAt(tools.resolve(schema), [], (value) => value, schema, tools, base);
}

function boundsAt(
  here: Schema,
  place: readonly string[],
  put: (value: Json) => Json,
  whole: Schema,
  tools: Schemas & Values,
  base?: Json,
): Bound[] {
  const { failures, resolve, valid } = tools;
  const found: Bound[] = [];
  for (const [keyword, limit] of Object.entries(here)) {
    if (containers.includes(keyword) || annotating.includes(keyword)) continue;
    if (keyword === 'required' && (limit as Json[]).length === 0) continue;
    const tried = tries[keyword]?.(limit as never, here, tools) ?? {};
    const candidates = [...(tried.outside ?? []), ...(tries[keyword] ? [] : anyValues)];
    const inside = unique((tried.inside ?? []).map(put)).filter(
      (value) => failures(whole, value).length === 0,
    );
    const outside = unique(candidates.map(put))
      .map((value) => ({ value, failures: failures(whole, value) }))
      .filter((probe) => isAbout(keyword, probe.failures));
    const alone = outside.filter((probe) => probe.failures.length === 1);
    found.push({
      keyword,
      place,
      inside: inside.map((value) => ({ value, failures: [] })),
      outside: (alone.length > 0 ? alone : outside).slice(0, keyword === 'type' ? 5 : 3),
    });
  }
  const { properties, items } = here as { properties?: Record<string, Schema>; items?: Schema };
  const around = properties ? (base ?? valid(here, 'most')) : undefined;
  for (const [name, inner] of Object.entries(properties ?? {}))
    if (typeof inner === 'object' && typeof around === 'object')
      found.push(
        ...boundsAt(
          resolve(inner),
          [...place, name],
          (value) => put({ ...around, [name]: value }),
          whole,
          tools,
        ),
      );
  if (typeof items === 'object') {
    const [list] = listOf(here, tools, Math.max(1, Number(here['minItems'] ?? 1)));
    const others = Array.isArray(list) ? (list as Json[]).slice(1) : [];
    found.push(
      ...boundsAt(resolve(items), [...place, 'items'], (value) => put([value, ...others]), whole, tools),
    );
  }
  return found;
}

/** Whether what a value does not meet is this keyword, alone or with others at the same place. */
function isAbout(keyword: string, failures: readonly Failure[]): boolean {
  const places = new Set(failures.map(({ path }) => path.join('/')));
  return places.size === 1 && failures.some((one) => one.keyword === keyword);
}

/** Values that no keyword of a schema rules out, and that an implementation is apt to bound or to alter. */
export function freedoms(schema: Schema, { failures, resolve, valid }: Schemas & Values): Json[] {
  const here = resolve(schema);
  const types = typesOf(here);
  const tried: Json[] = [];
  if (types.includes('string')) tried.push('x'.repeat(3000));
  if (types.includes('integer') || types.includes('number'))
    tried.push(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
  if (types.includes('number')) tried.push(-0.5, 1e-7, 123456.789);
  if (types.includes('boolean')) tried.push(true, false);
  const usual = valid(schema, 'most');
  if (usual !== undefined && tried.length === 0) tried.push(usual);
  return tried.filter((value) => failures(schema, value).length === 0);
}

/** Text that means something to one or another layer of an implementation, and nothing in a text. */
export const hostile: readonly string[] = [
  `it's "quoted" \\ and /slashed/`,
  `'; DROP TABLE x; --`,
  '${7*7} {{7*7}} <%= 7*7 %> $(id)',
  '<script>alert(1)</script> &amp; &lt;',
  '  blanks around  ',
  'e\u0301 \u00e9 \u212b', // combining and composed: no normal form is stated
  '𝄞 👩‍👩‍👧 \u202eabc',
  'line\nfeed\ttab\r\nend',
  'null',
  '__proto__',
];

function without(value: { readonly [member: string]: Json }, name: string): Json {
  const { [name]: _, ...rest } = value;
  return rest;
}

function unique(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
