import type { Syntax } from './expression.ts';
import {
  and,
  asked,
  type Comparison,
  choice,
  compare,
  field,
  type ItemKey,
  literal,
  type Node,
  not,
  or,
  type Parameter,
  type Path,
  type Source,
  type Table,
  type ValueKind,
} from './query.ts';
import type { Type } from './type.ts';

/** What a translation has to know of the resources. */
export interface Model {
  /** Where the items of a resource are kept; undefined where there is no such resource. */
  readonly table: (resource: string) => Table | undefined;
  /** Undefined where the field is not described. */
  readonly field: (resource: string, name: string) => ModelField | undefined;
}

export interface ModelField {
  readonly type: Type;
  /** What it refers to: the resource, and the fields of it that make up the key. */
  readonly refers: { readonly resource: string; readonly by: readonly string[] } | null;
  /** What it is derived by; `more`: what a store cannot work out. */
  readonly derived: Syntax | 'more' | null;
}

/** What an expression comes to before it is known what is done with it: an item is compared by its key. */
export interface Operand {
  readonly node: () => Node;
  readonly member: (name: string, type: Type) => Operand;
  readonly item: ItemOperand | null;
  /** What it is as the key of an item. */
  readonly key: (key: ItemKey) => Node;
  /** The two of which it is one, where either may be an item. */
  readonly either?: { readonly test: Node; readonly yes: Operand; readonly no: Operand };
}

interface ItemOperand {
  readonly resource: string;
  /** The fields by which it is known here; null: they are not known beforehand. */
  readonly by: readonly string[] | null;
  /** A row itself; a reference, which may be null; or what is handed over. */
  readonly kind: 'row' | 'reference' | 'parameter';
}

/** What cannot be asked of a store: the service works it out itself. */
export class NotAsked extends Error {}

export function kindOf(type: Type): ValueKind {
  switch (type.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'duration':
      return type.kind;
    case 'integer':
      return 'number';
    case 'timestamp':
      return 'time';
    default:
      return 'unknown';
  }
}

/** Of what kind the values of a field are as they are kept: a reference as its key. */
export function kindOfField(model: Model, resource: string, name: string): ValueKind {
  const found = model.field(resource, name);
  if (found?.refers?.by.length === 1)
    return kindOfField(model, found.refers.resource, found.refers.by[0] as string);
  return found && !found.refers ? kindOf(found.type) : 'unknown';
}

export function ofNode(node: Node): Operand {
  return { node: () => node, member: () => ofNode(literal(null)), item: null, key: () => node };
}

export function ofParameter(parameter: () => Parameter, resource: string | null): Operand {
  return {
    node: parameter,
    member: () => {
      throw new NotAsked();
    },
    item: resource === null ? null : { resource, by: null, kind: 'parameter' },
    key: (item) => ({ ...parameter(), item }),
  };
}

/** A value within a row. */
export function ofField(of: Source, path: Path, type: Type): Operand {
  return {
    ...ofNode(field(of, path, kindOf(type))),
    member: (name, inner) => ofField(of, [...path, name], inner),
  };
}

export function ofChoice(test: Node, yes: Operand, no: Operand): Operand {
  const item = yes.item ?? no.item;
  return {
    node: () => choice(test, yes.node(), no.node()),
    member: (name, type) => ofChoice(test, yes.member(name, type), no.member(name, type)),
    item,
    key: (key) => choice(test, yes.key(key), no.key(key)),
    ...(item && { either: { test, yes, no } }),
  };
}

/** What another query gives of an operand: null where it finds no row. */
function within(query: (of: Node) => Node, operand: Operand): Operand {
  return {
    node: () => query(operand.node()),
    member: (name, type) => within(query, operand.member(name, type)),
    item: operand.item,
    key: (item) => query(operand.key(item)),
  };
}

/** Gives the operand of a field's derivation, for a row. */
export type Derive = (derived: Syntax, row: Operand) => Operand;

/** A row of a resource's table. */
export function ofRow(
  model: Model,
  source: { readonly table: Table },
  resource: string,
  derive: Derive,
): Operand {
  const by = source.table.keyFields;
  const row: Operand = {
    node: () => field(source, by[0] as string, kindOfField(model, resource, by[0] as string)),
    item: { resource, by, kind: 'row' },
    key: (key) => row.member(key.field, { kind: 'any' }).node(),
    member: (name) => {
      const found = model.field(resource, name);
      if (found === undefined) return ofField(source, [name], { kind: 'any' });
      if (found.derived === 'more') throw new NotAsked();
      if (found.derived) return derive(found.derived, row);
      if (found.refers === null) return ofField(source, [name], found.type);
      const { resource: other, by: fields } = found.refers;
      const part = partOf(model, source, name, found.refers);
      const whole = fields.length === 1 ? part(0) : field(source, name);
      return ofReference(model, other, fields, whole, part, derive);
    },
  };
  return row;
}

interface Target {
  readonly source: { readonly table: Table };
  readonly found: Node;
}

/** Where the item is that a key belongs to, and by what it is found there. */
function target(
  model: Model,
  resource: string,
  by: readonly string[],
  part: (index: number) => Node,
): Target {
  const table = model.table(resource);
  if (table === undefined) throw new NotAsked();
  const source = { table };
  const found = by.map((name, index) =>
    compare('matches', field(source, name, kindOfField(model, resource, name)), part(index)),
  );
  return { source, found: and(...found) };
}

/** The row that a field of a row refers to; undefined where it refers to none that is kept. */
export function referred(
  model: Model,
  from: Source,
  resource: string,
  name: string,
): (Target & { readonly resource: string }) | undefined {
  const refers = model.field(resource, name)?.refers;
  if (!refers || model.table(refers.resource) === undefined) return undefined;
  const part = partOf(model, from, name, refers);
  return { ...target(model, refers.resource, refers.by, part), resource: refers.resource };
}

/** A part of the key that a field holds. */
function partOf(
  model: Model,
  from: Source,
  name: string,
  { resource, by }: { readonly resource: string; readonly by: readonly string[] },
): (index: number) => Node {
  return (index) =>
    field(from, by.length === 1 ? name : [name, index], kindOfField(model, resource, by[index] as string));
}

/** An item that a row refers to. It is looked for when something of it is read but its key. */
function ofReference(
  model: Model,
  resource: string,
  by: readonly string[],
  whole: Node,
  part: (index: number) => Node,
  derive: Derive,
): Operand {
  const { source, found } = target(model, resource, by, part);
  const row = ofRow(model, source, resource, derive);
  const followed = within((of) => asked(source, { kind: 'value', of }, found), row);
  const keyOf = (name: string): Node | undefined => (by.includes(name) ? part(by.indexOf(name)) : undefined);
  return {
    node: () => whole,
    item: { resource, by, kind: 'reference' },
    key: (key) => keyOf(key.field) ?? followed.key(key),
    member: (name, type) => {
      const own = model.field(resource, name)?.refers ? undefined : keyOf(name);
      return own ? ofNode(own) : followed.member(name, type);
    },
  };
}

/**
 * Whether two operands are equal: items by which they are, an item and a text or number by its key (language §G.3),
 * all else by value.
 */
export function same(a: Operand, b: Operand): Node {
  if (a.either) return choice(a.either.test, same(a.either.yes, b), same(a.either.no, b));
  if (b.either) return same(b, a);
  const [one, other] = [a.item, b.item];
  if (one && other && one.resource !== other.resource) return literal(false);
  // A reference is compared by what is kept in it, so that what it refers to need not be looked for.
  const known = [one, other].filter((item) => item?.by);
  const item = known.find((of) => of?.kind !== 'row') ?? known[0];
  if (!item?.by) return compare('==', a.node(), b.node());
  const itemOnly = item.by.length > 1;
  if (itemOnly && !(one && other) && isValue(one ? b : a)) return compare('==', a.node(), b.node());
  const keys = item.by.map((field) => ({ resource: item.resource, field, itemOnly }));
  const by = (op: Comparison): Node => and(...keys.map((key) => compare(op, a.key(key), b.key(key))));
  const kinds = [one?.kind, other?.kind];
  // A row is never null, so that an index on what refers to it serves.
  if (kinds.includes('row')) return by('matches');
  if (known.length < 2 || one?.by?.join() === other?.by?.join()) return by('==');
  // What has no such key may be null, or refer to nothing.
  const none = literal(null);
  return or(and(compare('==', a.node(), none), compare('==', b.node(), none)), by('matches'));
}

function isValue(operand: Operand): boolean {
  return operand.node().kind !== 'parameter';
}

export function differ(a: Operand, b: Operand): Node {
  return not(same(a, b));
}
