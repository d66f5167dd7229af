import { path, type Syntax } from '../expression/expression.ts';
import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Span } from '../source/text.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Address } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { type Lens, lensOf } from './lens.ts';

type Place = readonly (string | number)[];

/** Where an answer shows an item, and through what. */
export interface Showing {
  readonly path: Place;
  readonly lens: Lens;
  /** The members of the content that show fields, where they are drawn up one by one; null where a lens shows them. */
  readonly drawn: ReadonlyMap<string, string> | null;
}

/** Where in a body the item that `does` is about is shown, or the list of them: by `R(this)`, or member by member. */
export const showingOf = once(
  (
    said: { readonly address: Address; readonly at: Span },
    template: Template,
    of: Specification,
    resource: Resource,
  ): Showing | null => {
    const found = shownIn(template, of, resource);
    return found ? { ...found, drawn: null } : drawnIn(said, template, resource);
  },
);

function shownIn(
  template: Template,
  of: Specification,
  resource: Resource,
): { readonly path: Place; readonly lens: Lens } | null {
  if (template.kind === 'object' || template.kind === 'list')
    return within(template, (inner) => shownIn(inner, of, resource));
  if (template.kind !== 'expression') return null;
  const { syntax } = template.expression;
  if (syntax.op !== 'call') return null;
  const [name, [of_]] = syntax.args;
  const lens = lensOf(of, name);
  return lens?.resource === resource && of_ && isAtHand(of_) ? { path: [], lens } : null;
}

/** An object of which some members are fields of `this`: what it shows of the item, beside what else it says. */
function drawnIn(
  said: { readonly address: Address; readonly at: Span },
  template: Template,
  resource: Resource,
): Showing | null {
  if (template.kind !== 'object' && template.kind !== 'list') return null;
  const members = template.kind === 'object' ? [...template.members] : [];
  const own = members.flatMap(([name, value]): [string, Field][] => {
    const [first, field, ...further] =
      (value.kind === 'expression' && path(value.expression.syntax)) || ([] as string[]);
    const found = first === 'this' && further.length === 0 ? resource.fields.get(field ?? '') : undefined;
    return found ? [[name, found]] : [];
  });
  if (own.length === 0) return within(template, (inner) => drawnIn(said, inner, resource));
  const fields = new Map(own.map(([, field]) => [field.name, field]));
  const lens = {
    name: said.address,
    address: said.address,
    at: said.at,
    resource,
    view: null,
    isDrawn: true,
    fields,
  };
  return { path: [], lens, drawn: new Map(own.map(([name, field]) => [name, field.name])) };
}

/** The first of the members, or elements, in which something is found. */
function within<T extends { readonly path: Place }>(
  template: Extract<Template, { kind: 'object' | 'list' }>,
  look: (inner: Template) => T | null,
): T | null {
  const entries = template.kind === 'object' ? template.members : template.items.entries();
  for (const [step, inner] of entries as Iterable<readonly [string | number, Template]>) {
    const found = look(inner);
    if (found) return { ...found, path: [step, ...found.path] };
  }
  return null;
}

/** What stands where an item is shown, by the names of its fields. */
export function shownAt({ path: at, drawn }: Showing, under: string | undefined, json: Json | undefined) {
  const found = dig(json, under === undefined ? at : [under, ...at]);
  if (drawn === null || typeof found !== 'object' || found === null || Array.isArray(found)) return found;
  const members = Object.entries(found).flatMap(([name, value]) => {
    const field = drawn.get(name);
    return field === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(members);
}

/** What the answers of an operation show its item through; null where none shows it. */
export function lensShown(of: Specification, { response }: Operation, resource: Resource): Lens | null {
  for (const { body } of stated(response) ?? []) {
    const found = body.kind === 'stated' && showingOf(body, body.value.template, of, resource);
    if (found) return found.lens;
  }
  return null;
}

/** Whether an answer of an operation shows the item that it is about. */
export function showsItem({ of }: { of: Specification }, operation: Operation, resource: Resource): boolean {
  return lensShown(of, operation, resource) !== null;
}

/** Whether any answer shows a field: that of an operation, or of one by which items are read or listed. */
export function isShownBy(
  of: Specification,
  operation: Operation,
  resource: Resource,
  field: Field,
): boolean {
  const seen = of.operations.filter(
    (one) => one.subject === resource && ['read', 'list'].includes(stated(one.does)?.verb ?? ''),
  );
  return [operation, ...seen].some((one) => lensShown(of, one, resource)?.fields.get(field.name) === field);
}

/** `this`, or `page.items`. */
function isAtHand(syntax: Syntax): boolean {
  if (syntax.op === 'id') return syntax.args === 'this';
  if (syntax.op !== '.') return false;
  const [over, name] = syntax.args;
  return over.op === 'id' && over.args === 'page' && name === 'items';
}

export function dig(value: Json | undefined, at: Place): Json | undefined {
  return at.reduce<Json | undefined>(
    (here, step) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, step)
        ? (here as { readonly [step: string | number]: Json })[step]
        : undefined,
    value,
  );
}
