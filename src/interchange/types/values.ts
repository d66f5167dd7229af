import { staticType } from '../../expression/check.ts';
import { path, type Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Type } from '../../expression/type.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { each, type Member, type Named, typeOfLiteral, typeOfMembers, union } from './schema.ts';

/** What is known of the values that a template comes to. */
export interface Values {
  readonly of: Specification;
  readonly named: Named;
  /** The type of a resource's identifier. */
  readonly key: (resource: string) => string;
  /** A field of an item as it is kept. */
  readonly member: (resource: string, field: string) => Pick<Member, 'type' | 'isOptional'> | undefined;
}

type Value = Pick<Member, 'type' | 'isOptional'>;

/** The type of what a template comes to, and whether it may be left out (language §G.3, §H.3). */
export function typeOfValue(template: Template, values: Values): Value {
  const certain = (type: string): Value => ({ type, isOptional: false });
  switch (template.kind) {
    case 'literal':
      return certain(typeOfLiteral(template.value));
    case 'text':
      return certain('string');
    case 'handled':
      return certain('unknown');
    case 'marker':
      return { type: template.marker === 'any' ? 'unknown' : 'never', isOptional: true };
    case 'expression':
      return typeOfExpression(template.expression.syntax, values);
    case 'list':
      return certain(`[${template.items.map((item) => typeOfValue(item, values).type).join(', ')}]`);
    case 'object': {
      const members = [...template.members]
        .filter(([, item]) => item.kind !== 'marker' || item.marker === 'any')
        .map(([name, item]) => ({ name, ...typeOfValue(item, values) }));
      return certain(typeOfMembers(members, false));
    }
  }
}

function typeOfExpression(syntax: Syntax, values: Values): Value {
  if (syntax.op === 'value') {
    const value = typeof syntax.args === 'bigint' ? Number(syntax.args) : syntax.args;
    const isLiteral = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return { type: isLiteral ? typeOfLiteral(value as string) : 'unknown', isOptional: false };
  }
  if (syntax.op === '?:') {
    const sides = syntax.args.slice(1).map((side) => typeOfExpression(side, values));
    return { type: union(sides.map((one) => one.type)), isOptional: sides.some((one) => one.isOptional) };
  }
  if (syntax.op === 'call') {
    const [name, [argument]] = syntax.args;
    if (name === 'absent') return { type: 'never', isOptional: true };
    if (argument && isShow(name, values.of)) return shownBy(name, argument, values);
  }
  const chain = path(syntax);
  if (chain) return typeOfPath(syntax, chain, values);
  return { type: typeOfType(staticType(syntax), values), isOptional: false };
}

/** What `R(x)` comes to: one, a list of them, or null (language §G.4). */
function shownBy(name: string, argument: Syntax, values: Values): Value {
  const type = values.named(name);
  const { kind } = staticType(argument);
  if (kind === 'list' || kind === 'items') return { type: each(type), isOptional: false };
  if (kind !== 'item') return { type: union([type, each(type), 'null']), isOptional: false };
  const isAtHand = argument.op === 'id';
  return { type: isAtHand ? type : union([type, 'null']), isOptional: false };
}

/** A member of null, and one that is not there, are null, and in a payload left out (language §G.3). */
function typeOfPath(syntax: Syntax, chain: readonly string[], values: Values): Value {
  const type = staticType(syntax);
  if (chain.length === 1) return { type: typeOfType(type, values), isOptional: false };
  if (syntax.op === '.') {
    const over = staticType(syntax.args[0]);
    const member = over.kind === 'item' ? values.member(over.resource, syntax.args[1]) : undefined;
    if (member && chain.length === 2) return member;
    if (member) return { type: union([member.type, 'null']), isOptional: true };
  }
  return { type: union([typeOfType(type, values), 'null']), isOptional: true };
}

function isShow(name: string, of: Specification): boolean {
  const kind = stated(stated(of.resources)?.get(name))?.kind;
  return of.resourcesByName.has(name) || kind === 'view';
}

export function typeOfType(type: Type, values: Values): string {
  switch (type.kind) {
    case 'null':
    case 'boolean':
    case 'number':
      return type.kind;
    case 'integer':
      return 'number';
    case 'timestamp':
    case 'duration':
      return 'string';
    case 'text':
      return type.values ? union(type.values.map(typeOfLiteral)) : 'string';
    case 'list':
      return each(typeOfType(type.of, values));
    case 'item':
      return values.key(type.resource);
    case 'items':
      return each(values.key(type.resource));
    case 'object': {
      const members = [...type.members].map(([name, of]) => ({
        name,
        type: union([typeOfType(of, values), 'null']),
        isOptional: true,
      }));
      return typeOfMembers(members, type.more);
    }
    default:
      return 'unknown';
  }
}
