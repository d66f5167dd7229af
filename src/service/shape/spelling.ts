import type { Json } from '../../source/node.ts';

type Schema = Readonly<Record<string, Json>>;

/** How values of a shape are written as texts, in parameters and forms, which have no types of their own. */
export interface Spelling {
  readonly isList: boolean;
  readonly isObject: boolean;
  /** The names of the members that the shape lists. */
  readonly names: readonly string[];
  /** In which coding bytes are given as a text (JSON Schema Validation §8.3, `contentEncoding`); null: in none. */
  readonly coding: 'base64' | 'base64url' | null;
  /** Whether it is bytes as they come, which only a part can be. */
  readonly isBytes: boolean;
  /** A text as a value of the shape's type; the text itself where it is none, for the validator to refuse. */
  readonly value: (text: string) => unknown;
  readonly item: (index: number) => Spelling;
  readonly member: (name: string) => Spelling;
}

/** @param known the named shapes, for `$ref: #/$defs/Name` */
export function compileSpelling(schema: Json | undefined, known: Schema): Spelling {
  const shapes = conjuncts(schema, known, 0);
  const of = (keyword: string): Json | undefined =>
    shapes.find((one) => one[keyword] !== undefined)?.[keyword];
  const types = [of('type') ?? []].flat();
  // Shapes may consist of one another without end, so what is within one is compiled as it is met.
  const inner = new Map<string | number, Spelling>();
  const compiled = (key: string | number, find: (one: Schema) => Json | undefined): Spelling => {
    const found = inner.get(key) ?? compileSpelling(firstOf(shapes, find), known);
    inner.set(key, found);
    return found;
  };
  const has = (type: string): boolean => types.includes(type);
  return {
    isList: has('array') && !has('string'),
    isObject: has('object') && !has('string') && !has('array'),
    names: shapes.flatMap((one) => Object.keys((one['properties'] ?? {}) as Schema)),
    coding: codings.find((one) => one === of('contentEncoding')) ?? null,
    isBytes: of('format') === 'binary',
    value: (text) => typed(text, types),
    item: (index) =>
      compiled(index, (one) => (one['prefixItems'] as readonly Json[])?.[index] ?? one['items']),
    member: (name) => compiled(name, (one) => memberOf(one, name)),
  };
}

const codings = ['base64', 'base64url'] as const;

/** A shape, and what holds beside it, with names resolved. */
function conjuncts(schema: Json | undefined, known: Schema, depth: number): readonly Schema[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > 32) return [];
  const of = schema as Schema;
  const reference = of['$ref'];
  const named = typeof reference === 'string' ? known[reference.slice('#/$defs/'.length)] : undefined;
  const beside = [...(named === undefined ? [] : [named]), ...((of['allOf'] ?? []) as readonly Json[])];
  return [of, ...beside.flatMap((one) => conjuncts(one, known, depth + 1))];
}

function firstOf(shapes: readonly Schema[], find: (one: Schema) => Json | undefined): Json | undefined {
  for (const one of shapes) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(of: Schema, name: string): Json | undefined {
  const properties = (of['properties'] ?? {}) as Schema;
  return Object.hasOwn(properties, name) ? properties[name] : of['additionalProperties'];
}

const integer = /^-?(0|[1-9]\d*)$/;
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function typed(text: string, types: readonly Json[]): unknown {
  if (types.includes('string') || types.length === 0) return text;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.includes('number');
  if (!isNumber && !types.includes('integer')) return text;
  if (integer.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  return isNumber && number.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
