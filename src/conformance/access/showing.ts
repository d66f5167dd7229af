import { path, type Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { lensOf } from '../lens.ts';
import { dig } from '../shown-in.ts';

type Place = readonly (string | number)[];

/** What a place of an answer shows: a credential that is issued there, or a field of the item. */
type Sought = { readonly scheme: string } | { readonly field: string };

/** Where the answers of an operation show it. */
export function placesOf(of: Specification, operation: Operation, sought: Sought): readonly Place[] {
  return (stated(operation.response) ?? []).flatMap(({ body, under }) => {
    const member = stated(under);
    if (body.kind !== 'stated') return [];
    return inTemplate(of, body.value.template, sought).map((place) =>
      member === undefined ? place : [member, ...place],
    );
  });
}

/** What stands there in an answer; undefined where it does not. */
export function shownIn(
  of: Specification,
  operation: Operation,
  sought: Sought,
  json: Json | undefined,
): string | undefined {
  for (const place of placesOf(of, operation, sought)) {
    const found = dig(json, place);
    if (typeof found === 'string' || typeof found === 'number') return String(found);
  }
  return undefined;
}

function inTemplate(of: Specification, template: Template, sought: Sought): readonly Place[] {
  switch (template.kind) {
    case 'object':
      return [...template.members].flatMap(([name, inner]) =>
        inTemplate(of, inner, sought).map((place) => [name, ...place]),
      );
    case 'list':
      return template.items.flatMap((inner, index) =>
        inTemplate(of, inner, sought).map((place) => [index, ...place]),
      );
    case 'expression':
      return inExpression(of, template.expression.syntax, sought);
    default:
      return [];
  }
}

function inExpression(of: Specification, syntax: Syntax, sought: Sought): readonly Place[] {
  if (isIt(syntax, sought)) return [[]];
  if (syntax.op !== 'call') return [];
  const [name, [shown]] = syntax.args;
  const lens = lensOf(of, name);
  // What is shown of an item that the answer is not about is another's.
  if (lens === null || shown?.op !== 'id' || shown.args !== 'this') return [];
  return [...lens.fields].flatMap(([field, { derived }]): readonly Place[] => {
    const template = stated(derived)?.template;
    if (template === undefined) return 'field' in sought && sought.field === field ? [[field]] : [];
    return inTemplate(of, template, sought).map((place) => [field, ...place]);
  });
}

function isIt(syntax: Syntax, sought: Sought): boolean {
  if ('field' in sought) {
    const [root, field, further] = path(syntax) ?? [];
    return root === 'this' && field === sought.field && further === undefined;
  }
  if (syntax.op !== 'call' || syntax.args[0] !== 'issue') return false;
  const [scheme, item] = syntax.args[1];
  return scheme?.op === 'value' && scheme.args === sought.scheme && item?.op === 'id' && item.args === 'this';
}
