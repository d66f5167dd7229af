import { staticType } from '../../expression/check.ts';
import { path, type Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Type } from '../../expression/type.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import {
  listOf,
  type Member,
  named,
  orNull,
  type Schema,
  schemaOfLiteral,
  schemaOfMembers,
  tupleOf,
  union,
} from './schema.ts';

/** What is known of the values that a template comes to. */
export interface Values {
  readonly of: Specification;
  /** The schema of a resource's identifier. */
  readonly key: (resource: string) => Schema;
  /** A field of an item as it is kept. */
  readonly member: (resource: string, field: string) => Value | undefined;
  /** What `event.body` comes to, in what is put around it. Default: anything */
  readonly eventBody?: Schema;
}

export type Value = Pick<Member, 'schema' | 'isOptional'>;

/** The schema of what a template comes to, and whether it may be left out (language §G.3, §H.3). */
export function schemaOfValue(template: Template, values: Values): Value {
  switch (template.kind) {
    case 'literal':
      return certain(schemaOfLiteral(template.value));
    case 'text':
      return certain({ type: 'string' });
    case 'handled':
      return certain(true);
    case 'marker':
      return { schema: template.marker === 'any', isOptional: true };
    case 'expression':
      return schemaOfExpression(template.expression.syntax, values);
    case 'list':
      return certain(tupleOf(template.items.map((item) => schemaOfValue(item, values).schema)));
    case 'object': {
      const members = [...template.members]
        .filter(([, item]) => item.kind !== 'marker' || item.marker === 'any')
        .map(([name, item]) => ({ name, ...schemaOfValue(item, values) }));
      return certain(schemaOfMembers(members, false));
    }
  }
}

function certain(schema: Schema): Value {
  return { schema, isOptional: false };
}

function schemaOfExpression(syntax: Syntax, values: Values): Value {
  if (syntax.op === 'value') {
    const value = typeof syntax.args === 'bigint' ? Number(syntax.args) : syntax.args;
    const isLiteral = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return certain(isLiteral ? schemaOfLiteral(value as string) : true);
  }
  if (syntax.op === '?:') {
    const sides = syntax.args.slice(1).map((side) => schemaOfExpression(side, values));
    return {
      schema: union(sides.map(({ schema }) => schema)),
      isOptional: sides.some(({ isOptional }) => isOptional),
    };
  }
  if (syntax.op === 'call') {
    const [name, [argument]] = syntax.args;
    if (name === 'absent') return { schema: false, isOptional: true };
    if (argument && isShow(name, values.of)) return certain(shownBy(name, argument));
  }
  const chain = path(syntax);
  if (chain) return schemaOfPath(syntax, chain, values);
  return certain(schemaOfType(staticType(syntax), values));
}

/** What `R(x)` comes to: an item, a list of them, or null (language §G.4). */
function shownBy(name: string, argument: Syntax): Schema {
  const schema = named(name);
  const { kind } = staticType(argument);
  if (kind === 'list' || kind === 'items') return listOf(schema);
  if (kind !== 'item') return union([schema, listOf(schema), { type: 'null' }]);
  const isAtHand = argument.op === 'id';
  return isAtHand ? schema : orNull(schema);
}

/** A member of null, and one that is not there, are null, and in a payload left out (language §G.3). */
function schemaOfPath(syntax: Syntax, chain: readonly string[], values: Values): Value {
  const type = staticType(syntax);
  if (values.eventBody !== undefined && chain.join('.') === 'event.body') return certain(values.eventBody);
  if (chain.length === 1) return certain(schemaOfType(type, values));
  if (syntax.op === '.') {
    const over = staticType(syntax.args[0]);
    const member = over.kind === 'item' ? values.member(over.resource, syntax.args[1]) : undefined;
    if (member && chain.length === 2) return member;
    if (member) return { schema: orNull(member.schema), isOptional: true };
  }
  return { schema: orNull(schemaOfType(type, values)), isOptional: true };
}

function isShow(name: string, of: Specification): boolean {
  const kind = stated(stated(of.resources)?.get(name))?.kind;
  return of.resourcesByName.has(name) || kind === 'view';
}

export function schemaOfType(type: Type, values: Values): Schema {
  switch (type.kind) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'integer':
      return { type: type.kind };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'duration':
      return { type: 'string', format: 'duration' };
    case 'text':
      return { type: 'string', ...(type.values && { enum: [...type.values] }) };
    case 'list':
      return listOf(schemaOfType(type.of, values));
    case 'item':
      return values.key(type.resource);
    case 'items':
      return listOf(values.key(type.resource));
    case 'object': {
      const members = [...type.members].map(([name, of]) => ({
        name,
        schema: orNull(schemaOfType(of, values)),
        isOptional: true,
      }));
      return schemaOfMembers(members, type.more);
    }
    default:
      return true;
  }
}
