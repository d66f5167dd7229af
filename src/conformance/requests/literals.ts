import { children, isFault, namesIn, type Syntax } from '../../expression/expression.ts';
import { expressionsIn, parseText } from '../../expression/template.ts';
import type { Json, Node } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
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

/** What may be taken for what. */
export interface Siblings {
  /** By each text that is one of few that a field may hold, the others: of a list of values, or of states. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** By the name of each field, those that hold values of the same kind, wherever a resource has a field of this name. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

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
  const texts = new Map([...found].map(([text, others]) => [text, [...others]]));
  return { texts, fields: fieldsAlike([...resourcesByName.values()]) };
});

/** So many fields are taken for another one at the most: those that are stated next to it. */
const mostAlike = 2;

function fieldsAlike(resources: readonly Resource[]): ReadonlyMap<string, readonly string[]> {
  const names = new Set(resources.flatMap(({ fields }) => [...fields.keys()]));
  return new Map(
    [...names].map((name) => {
      const [first, ...others] = resources
        .filter(({ fields }) => fields.has(name))
        .map((each) => alikeIn(each, name));
      return [
        name,
        (first ?? []).filter((other) => others.every((list) => list.includes(other))).slice(0, mostAlike),
      ];
    }),
  );
}

/**
 * The fields of a resource that hold values of the same kind as one of them, the nearest first. None is worked out of others:
 * it might be worked out of itself.
 */
function alikeIn({ fields }: Resource, name: string): readonly string[] {
  const all = [...fields.values()];
  const place = all.findIndex((field) => field.name === name);
  const kind = kindOfField(all[place] as Field);
  return all
    .map((field, at) => ({ field, apart: Math.abs(at - place) }))
    .filter(
      ({ field, apart }) =>
        apart > 0 && kind !== null && field.derived.kind !== 'stated' && kindOfField(field) === kind,
    )
    .toSorted((a, b) => a.apart - b.apart)
    .map(({ field }) => field.name);
}

/** To what a field refers, or its type and format; null: it is of no single type, or nobody may compare it. */
function kindOfField({ refers, shape, secret }: Field): string | null {
  if (secret.kind === 'stated') return null;
  const to = stated(refers);
  if (to) return to.resource;
  const { type, format = '' } = schemaOf(shape) as { readonly type?: unknown; readonly format?: string };
  const [only, ...more] = [type].flat().filter((each) => each !== 'null');
  if (typeof only !== 'string' || more.length > 0 || only === 'object' || only === 'array') return null;
  return `${only === 'integer' ? 'number' : only} ${format}`;
}
