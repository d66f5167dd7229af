import type { Json } from '../../source/node.ts';

/** The type of what a name stands for, as TypeScript writes it. */
export type Named = (name: string) => string;

type Keywords = { readonly [keyword: string]: Json };

/** A member of an object type. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** A type of TypeScript's that takes every value that a schema does; where it cannot tell, any. */
export function typeOfSchema(schema: Json | undefined, named: Named): string {
  if (schema === false) return 'never';
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'unknown';
  const keywords = schema as Keywords;
  const inner = (each: Json | undefined): string => typeOfSchema(each, named);
  const reference = keywords['$ref'];
  const all: string[] = [
    typeof reference === 'string' ? named(reference.slice('#/$defs/'.length)) : 'unknown',
    ownType(keywords, inner),
    ...listOf(keywords['allOf']).map(inner),
    ...[keywords['anyOf'], keywords['oneOf']].flatMap((any) =>
      any === undefined ? [] : [union(listOf(any).map(inner))],
    ),
  ];
  return intersection(all);
}

function ownType(keywords: Keywords, inner: (schema: Json | undefined) => string): string {
  if (keywords['const'] !== undefined) return typeOfLiteral(keywords['const']);
  if (keywords['enum'] !== undefined) return union(listOf(keywords['enum']).map(typeOfLiteral));
  const types = [keywords['type'] ?? []].flat();
  if (types.length === 0) return 'unknown';
  return union(
    types.map((type) => {
      switch (type) {
        case 'array':
          return arrayType(keywords, inner);
        case 'object':
          return objectType(keywords, inner);
        case 'integer':
          return 'number';
        case 'string':
          return keywords['format'] === 'binary' ? '{ sha256: string; size: number }' : 'string';
        default:
          return String(type);
      }
    }),
  );
}

function arrayType(keywords: Keywords, inner: (schema: Json | undefined) => string): string {
  const all = listOf(keywords['prefixItems']);
  if (keywords['maxItems'] === 0) return '[]';
  const least = typeof keywords['minItems'] === 'number' ? keywords['minItems'] : 0;
  const first = all.map((each, index) => (index < least ? inner(each) : `(${inner(each)})?`));
  const rest = keywords['items'] === false ? [] : [`...${listType(inner(keywords['items']))}`];
  return first.length === 0 ? listType(inner(keywords['items'])) : `[${[...first, ...rest].join(', ')}]`;
}

/** A member that only one of both sides has, the one that writes or the one that reads, may be missing. */
function objectType(keywords: Keywords, inner: (schema: Json | undefined) => string): string {
  const properties = Object.entries((keywords['properties'] ?? {}) as Keywords);
  const required = listOf(keywords['required']) as readonly string[];
  const others = keywords['others'] as Keywords | undefined;
  const limited = [others?.['unreadable'], others?.['unwritable']].flatMap(listOf);
  const members = [
    ...properties.map(([name, schema]) => ({
      name,
      type: inner(schema),
      isOptional: !required.includes(name) || limited.includes(name),
    })),
    ...required
      .filter((name) => !properties.some(([known]) => known === name))
      .map((name) => ({ name, type: 'unknown', isOptional: false })),
  ];
  const more = keywords['additionalProperties'];
  if (members.length === 0 && typeof more === 'object') return `{ [member: string]: ${inner(more)} }`;
  return typeOfMembers(members, others ? others['rule'] === 'keep' : more !== false);
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
  const members = Object.entries(value).map(([name, inner]) => ({
    name,
    type: typeOfLiteral(inner as Json),
    isOptional: false,
  }));
  return typeOfMembers(members, false);
}

/** The name of a member as it stands in a type or in an object. */
export function nameIn(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

function listType(type: string): string {
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
