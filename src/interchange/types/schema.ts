import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import { type ObjectShape, type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';

/** The type of what a name stands for, as TypeScript writes it. */
export type Named = (name: string) => string;

type Schema = { readonly [keyword: string]: Json };

/** A member of an object type. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** A type of TypeScript's that takes every value that a shape does; where it cannot tell, any (language §H.1). */
export function typeOfShape(shape: Shape, named: Named): string {
  if (shape.object === null) return typeOfSchema(schemaOf(shape), named);
  return typeOfMembers(shapeMembers(shape.object, named), stated(shape.object.others) === 'keep');
}

/** A member that only one of both sides has, the one that writes or the one that reads, may be missing. */
function shapeMembers({ fields, required }: ObjectShape, named: Named): Member[] {
  const needed = (stated(required) ?? []).map((use) => use.name);
  const isLimited = (shape: Shape | undefined): boolean =>
    [shape?.access?.readable, shape?.access?.writable].some((said) => said && stated(said) === false);
  const described = [...fields].map(([name, said]) => {
    const shape = stated(said);
    const isOptional = !needed.includes(name) || isLimited(shape);
    return { name, type: shape ? typeOfShape(shape, named) : 'unknown', isOptional };
  });
  const others = needed.filter((name) => !fields.has(name));
  return [...described, ...others.map((name) => ({ name, type: 'unknown', isOptional: false }))];
}

export function typeOfSchema(schema: Json | undefined, named: Named): string {
  if (schema === false) return 'never';
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'unknown';
  const of = schema as Schema;
  const inner = (one: Json | undefined): string => typeOfSchema(one, named);
  const reference = of['$ref'];
  const all: string[] = [
    typeof reference === 'string' ? named(reference.slice('#/$defs/'.length)) : 'unknown',
    ownType(of, inner),
    ...listOf(of['allOf']).map(inner),
    ...[of['anyOf'], of['oneOf']].flatMap((any) =>
      any === undefined ? [] : [union(listOf(any).map(inner))],
    ),
  ];
  return intersection(all);
}

function ownType(of: Schema, inner: (one: Json | undefined) => string): string {
  if (of['const'] !== undefined) return typeOfLiteral(of['const']);
  if (of['enum'] !== undefined) return union(listOf(of['enum']).map(typeOfLiteral));
  const types = [of['type'] ?? []].flat();
  if (types.length === 0) return 'unknown';
  return union(
    types.map((type) => {
      switch (type) {
        case 'array':
          return arrayType(of, inner);
        case 'object':
          return objectType(of, inner);
        case 'integer':
          return 'number';
        case 'string':
          return of['format'] === 'binary' ? '{ sha256: string; size: number }' : 'string';
        default:
          return String(type);
      }
    }),
  );
}

function arrayType(of: Schema, inner: (one: Json | undefined) => string): string {
  const first = listOf(of['prefixItems']).map((one) => `(${inner(one)})?`);
  const rest = of['items'] === false ? [] : [`...${each(inner(of['items']))}`];
  return first.length === 0 ? each(inner(of['items'])) : `[${[...first, ...rest].join(', ')}]`;
}

function objectType(of: Schema, inner: (one: Json | undefined) => string): string {
  const properties = Object.entries((of['properties'] ?? {}) as Schema);
  const required = listOf(of['required']) as readonly string[];
  const members = [
    ...properties.map(([name, one]) => ({ name, type: inner(one), isOptional: !required.includes(name) })),
    ...required
      .filter((name) => !properties.some(([known]) => known === name))
      .map((name) => ({ name, type: 'unknown', isOptional: false })),
  ];
  const others = of['others'] as { readonly rule: Json } | undefined;
  const more = of['additionalProperties'];
  if (members.length === 0 && typeof more === 'object') return `{ [member: string]: ${inner(more)} }`;
  return typeOfMembers(members, others ? others.rule === 'keep' : more !== false);
}

/** An object type; `more`: it may have any members besides. */
export function typeOfMembers(members: readonly Member[], more: boolean): string {
  const written = members.map(
    ({ name, type, isOptional }) => `${nameIn(name)}${isOptional ? '?' : ''}: ${type}`,
  );
  if (more) written.push('[member: string]: unknown');
  return written.length === 0 ? '{ [member: string]: never }' : `{ ${written.join('; ')} }`;
}

/** The type of one value: a literal's own, where TypeScript has it. */
export function typeOfLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(typeOfLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => ({
    name,
    type: typeOfLiteral(one as Json),
    isOptional: false,
  }));
  return typeOfMembers(members, false);
}

/** The name of a member as it stands in a type or in an object. */
export function nameIn(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

export function each(type: string): string {
  return /^[\w$.[\]"]+$/.test(type) ? `${type}[]` : `(${type})[]`;
}

/** One of several types; any is one with any other. */
export function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('unknown')) return 'unknown';
  const known = distinct.filter((type) => type !== 'never');
  return known.length === 0 ? 'never' : known.map((type) => within(type, '&')).join(' | ');
}

function intersection(types: readonly string[]): string {
  const narrowing = [...new Set(types)].filter((type) => type !== 'unknown');
  if (narrowing.length <= 1) return narrowing[0] ?? 'unknown';
  return narrowing.map((type) => within(type, '|')).join(' & ');
}

/** A type as an operand: in parentheses where an operator stands in it that binds otherwise. */
function within(type: string, operator: '&' | '|'): string {
  return type.includes(` ${operator} `) ? `(${type})` : type;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
