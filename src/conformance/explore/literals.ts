import { children, isFault, namesIn, type Syntax } from '../../expression/expression.ts';
import { expressionsIn, parseText } from '../../expression/template.ts';
import type { Json, Node } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';

/** The expressions of a document, wherever they stand. */
const expressionsOf = once((specification: Specification): readonly Syntax[] => {
  const found: Syntax[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'map') for (const { value } of node.entries.values()) visit(value);
    else if (node.kind === 'list') node.items.forEach(visit);
    else found.push(...inText(node.written));
  };
  visit(specification.tree);
  return found;
});

function inText(written: string): readonly Syntax[] {
  if (!written.includes('${')) return [];
  const parsed = parseText(written);
  return isFault(parsed) ? [] : expressionsIn(parsed).map(({ syntax }) => syntax);
}

/** Texts and numbers that expressions of a document name, and the numbers beside them: where behaviour may turn. */
export const literalsOf = once((specification: Specification): readonly Json[] => [
  ...new Set(expressionsOf(specification).flatMap(inSyntax)),
]);

/** The numbers in expressions of a document that count items of a resource, as far as they can be told. */
export function sizesIn(specification: Specification, resource: string): readonly number[] {
  return expressionsOf(specification)
    .filter((syntax) => [resource, 'size'].every((name) => namesIn(syntax).includes(name)))
    .flatMap(inSyntax)
    .filter((literal) => typeof literal === 'number');
}

function inSyntax(syntax: Syntax): Json[] {
  if (syntax.op !== 'value') return children(syntax).flatMap(inSyntax);
  const value: unknown = syntax.args;
  if (typeof value === 'string') return [value];
  const number = Number(value);
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  return isNumber && Number.isSafeInteger(number) ? [number - 1, number, number + 1] : [];
}

/** By each text that is one of few that a field may hold, the others: of a list of values, or of states. */
export type Siblings = ReadonlyMap<string, readonly string[]>;

export const siblingsIn = once(({ resourcesByName, states }: Specification): Siblings => {
  const machines = [...(stated(states)?.values() ?? [])].map((said) => {
    const machine = stated(said);
    return machine ? (stated(machine.states) ?? []).map(({ text }) => text) : [];
  });
  const enums = [...resourcesByName.values()]
    .flatMap(({ fields }) => [...fields.values()])
    .map(({ shape }) => (schemaOf(shape).enum ?? []) as readonly Json[]);
  const found = new Map<string, Set<string>>();
  for (const list of [...machines, ...enums]) {
    const texts = list.filter((value) => typeof value === 'string');
    for (const text of texts)
      found.set(text, new Set([...(found.get(text) ?? []), ...texts.filter((other) => other !== text)]));
  }
  return new Map([...found].map(([text, others]) => [text, [...others]]));
});
