import { children, type Syntax } from '../../expression/expression.ts';
import { functionCalled } from '../../expression/functions.ts';
import type { Template } from '../../expression/template.ts';
import { uuidForm } from '../vocabulary/agreement.ts';

/**
 * Whether a value that the service makes by this template may be the given text (language §G.4); true where that
 * cannot be told.
 */
export function mayMake(template: Template, text: string): boolean {
  if (template.kind === 'text') {
    const [first] = template.pieces;
    return typeof first !== 'string' || text.startsWith(first);
  }
  return template.kind !== 'expression' || mayCome(template.expression.syntax, text);
}

function mayCome(syntax: Syntax, text: string): boolean {
  if (syntax.op === '+') {
    const [first] = children(syntax) as [Syntax];
    return first.op === '+' ? mayCome(first, text) : beginsWith(first, text);
  }
  if (syntax.op !== 'call') return true;
  const [, [length]] = syntax.args;
  const name = functionCalled(syntax);
  if (name === 'uuid') return uuidForm.test(text);
  if (name === 'sequence') return /^\d+$/.test(text);
  return name !== 'random' || length?.op !== 'value' || text.length === Number(length.args);
}

function beginsWith(syntax: Syntax, text: string): boolean {
  return syntax.op !== 'value' || typeof syntax.args !== 'string' || text.startsWith(syntax.args);
}
