import {
  any,
  bool,
  bytes,
  integer,
  list,
  number,
  object,
  oneOf,
  type Type,
  textOf,
  textType,
  timestamp,
  withFieldsOf,
} from '../../expression/type.ts';
import type { Json } from '../../source/node.ts';
import { type Shape, schemaOf } from '../vocabulary/shape.ts';

/** The shapes of part 2 by name. */
export type Shapes = (name: string) => Shape | undefined;

/** Shapes may consist of one another without end; nobody writes a longer chain of members. */
const deepest = 6;

/** The type of a value of a shape (language §G.1). */
export function typeOfShape(shape: Shape, shapes: Shapes): Type {
  return typeOfSchema(schemaOf(shape), shapes, 0);
}

function typeOfSchema(schema: Json, shapes: Shapes, depth: number): Type {
  if (depth > deepest || schema === null || typeof schema !== 'object' || Array.isArray(schema)) return any;
  const of = schema as { readonly [keyword: string]: Json };
  const inner = (one: Json): Type => typeOfSchema(one, shapes, depth + 1);
  if (typeof of['$ref'] === 'string') {
    const name = of['$ref'].slice('#/$defs/'.length);
    const named = shapes(name);
    return named ? withFieldsOf(name, inner(schemaOf(named))) : any;
  }
  if (Array.isArray(of['enum'])) {
    const values = of['enum'].filter((value: Json) => value !== null);
    if (values.length > 0 && values.every((value: Json) => typeof value === 'string'))
      return oneOf(values as string[]);
  }
  const kinds = [of['type']].flat().filter((kind: Json | undefined) => kind !== 'null');
  if (kinds.length !== 1) return any;
  if (kinds[0] === 'array') return list(inner(of['items'] ?? null), lengthOf(of['maxItems']));
  if (kinds[0] === 'object')
    return object(
      Object.entries(of['properties'] ?? {}).map(([name, one]) => [name, inner(one as Json)] as const),
      true,
      Object.keys(of['properties'] ?? {}).filter((name) => !isRequired(of, name)),
    );
  if (kinds[0] === 'string' && !['date-time', 'binary'].includes(String(of['format'])))
    return textOf(lengthOf(of['maxLength']));
  return typeNamed(kinds[0], of['format']);
}

function isRequired({ required }: { readonly [keyword: string]: Json }, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

function lengthOf(most: Json | undefined): number | undefined {
  return typeof most === 'number' ? most : undefined;
}

function typeNamed(name: Json | undefined, format: Json | undefined): Type {
  switch (name) {
    case 'string':
      return format === 'date-time' ? timestamp : format === 'binary' ? bytes : textType;
    case 'integer':
      return integer;
    case 'number':
      return number;
    case 'boolean':
      return bool;
    default:
      return any;
  }
}
