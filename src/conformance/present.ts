import type { Syntax } from '../expression/expression.ts';
import { type FunctionName, functionCalled } from '../expression/functions.ts';
import type { Template } from '../expression/template.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';

/**
 * Whether every item that is made has a value in a field, so that an answer with the item shows it: the service sets it
 * when it makes one, or works it out, and neither can come to null, which would be left out (language §2.2, §G.3).
 */
export function isAlwaysThere(field: Field): boolean {
  const { create, derived, shape, shown, writable } = field;
  const { type } = schemaOf(shape) as { readonly type?: string | readonly string[] };
  const isNullable = type === undefined || [type].flat().includes('null');
  if (shown.kind === 'stated' || isNullable) return false;
  const [set, workedOut] = [stated(create)?.template, stated(derived)?.template];
  if (workedOut !== undefined) return isNeverNull(workedOut);
  return set !== undefined && stated(writable) === false && isNeverNull(set);
}

/** Of what an expression is made whose value is never null: these functions, operators, and `now` (language §G.2, §G.4). */
const functions = new Set<FunctionName>(['uuid', 'random', 'sequence', 'unique', 'size']);
const operators = new Set<Syntax['op']>(['+', '-', '*', '==', '!=', '<', '<=', '>', '>=', '&&', '||', '!_']);

function isNeverNull(template: Template): boolean {
  if (template.kind === 'literal') return template.value !== null;
  if (template.kind === 'expression') return isValue(template.expression.syntax);
  return template.kind === 'text';
}

function isValue(syntax: Syntax): boolean {
  if (syntax.op === 'id') return syntax.args === 'now';
  const name = functionCalled(syntax);
  return name ? functions.has(name) : operators.has(syntax.op);
}
