import { children, isFault, type Syntax } from '../../expression/expression.ts';
import { expressionsIn, parseText } from '../../expression/template.ts';
import type { Json, Node } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';

/** Texts and numbers that expressions of a document name, and the numbers beside them: where behaviour may turn. */
export const literalsOf = once((specification: Specification): readonly Json[] => {
  const found = new Set<Json>();
  const visit = (node: Node): void => {
    if (node.kind === 'map') for (const { value } of node.entries.values()) visit(value);
    else if (node.kind === 'list') node.items.forEach(visit);
    else for (const literal of inText(node.written)) found.add(literal);
  };
  visit(specification.tree);
  return [...found];
});

function inText(written: string): Json[] {
  if (!written.includes('${')) return [];
  const parsed = parseText(written);
  if (isFault(parsed)) return [];
  return expressionsIn(parsed).flatMap(({ syntax }) => inSyntax(syntax));
}

function inSyntax(syntax: Syntax): Json[] {
  if (syntax.op !== 'value') return children(syntax).flatMap(inSyntax);
  const value: unknown = syntax.args;
  if (typeof value === 'string') return [value];
  const number = Number(value);
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  return isNumber && Number.isSafeInteger(number) ? [number - 1, number, number + 1] : [];
}
