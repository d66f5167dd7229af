import { compileTemplate, type Frame, type Item, type Run } from '../../expression/compile.ts';
import { type Json, setMember } from '../../source/node.ts';
import { mayBeUuid } from '../../specification/choice.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { isAsked, type Said, stated } from '../../specification/said.ts';
import { type Others, schemaOf } from '../../specification/shape.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Key, Row } from '../store/store.ts';

type Members = Record<string, unknown>;
type Schema = Record<string, Json>;

/** A resource, compiled: how items are made, kept, read and shown (language §2). */
export interface KeptResource {
  readonly name: string;
  readonly resource: Resource;
  /** The names of the identifier's fields. */
  readonly keyFields: readonly string[];
  /** The members of a new item, from what the client gave; `frame` is that of `set`. */
  readonly create: (given: Members, frame: (known: Item) => Frame) => Made;
  /** All kept members of an item, its identifier's too, in the order of the fields. */
  readonly members: (row: Row) => Members;
  readonly row: (members: Members) => Row;
  readonly item: (row: Row, frame: () => Frame) => Item;
  /** The item as JSON text: what `R(x)` shows. */
  readonly write: (item: Item, frame: Frame) => string;
}

/** A new item; or the field of its identifier to which nobody gave a value. */
type Made = { readonly members: Members } | { readonly missing: Field };

/** An item that stands for a kept row. */
export interface RowItem extends Item {
  readonly row: Row;
}

export function compileResource(resource: Resource): KeptResource {
  const fields = [...resource.fields.values()];
  const keyFields = (stated(resource.identifier) ?? []).map((name) => name.text);
  const derived = new Map<string, Run>();
  for (const field of fields) {
    const template = stated(field.derived);
    if (template)
      derived.set(
        field.name,
        compileTemplate(template.template, () => undefined),
      );
  }
  const kept = fields.filter((field) => !derived.has(field.name));
  const set = creators(kept);

  const members = (row: Row): Members => {
    const others = JSON.parse(row.text) as Members;
    const found: Members = {};
    for (const [index, name] of keyFields.entries()) setMember(found, name, row.key[index]);
    for (const [name, value] of Object.entries(others)) setMember(found, name, value);
    return found;
  };
  const item = (row: Row, frame: () => Frame): RowItem => {
    let parsed: Members | undefined;
    const all = (): Members => {
      parsed ??= members(row);
      return parsed;
    };
    const self: RowItem = {
      resource: resource.name,
      row,
      member: (name) => {
        const index = keyFields.indexOf(name);
        if (index !== -1) return row.key[index];
        const run = derived.get(name);
        if (run) return run({ ...frame(), names: { ...frame().names, this: self } });
        return Object.hasOwn(all(), name) ? all()[name] : null;
      },
      has: (name) => keyFields.includes(name) || derived.has(name) || Object.hasOwn(all(), name),
    };
    return self;
  };
  return {
    name: resource.name,
    resource,
    keyFields,
    create: (given, frame) => {
      const found = new Map<string, unknown>();
      const memberOf = (name: string): unknown => {
        if (!found.has(name)) {
          found.set(name, undefined);
          const creator = set.get(name);
          found.set(name, creator ? creator(given, () => frame(self)) : own(given, name));
        }
        return found.get(name);
      };
      // One value that is set may read another (language §2, `set`), whichever is written first.
      const self: Item = {
        resource: resource.name,
        member: (name) => memberOf(name) ?? null,
        has: (name) => memberOf(name) !== undefined,
      };
      const made: Members = {};
      for (const field of kept) {
        const value = memberOf(field.name);
        if (value !== undefined) setMember(made, field.name, value);
        else if (keyFields.includes(field.name)) return { missing: field };
      }
      for (const [name, value] of Object.entries(given))
        if (!resource.fields.has(name)) setMember(made, name, value);
      return { members: made };
    },
    members,
    row: (all) => {
      const others: Members = {};
      for (const [name, value] of Object.entries(all))
        if (!keyFields.includes(name)) setMember(others, name, value);
      return { key: keyFields.map((name) => all[name]) as Key, text: JSON.stringify(others) };
    },
    item,
    write: writer(resource, fields, keyFields, derived),
  };
}

type Creator = (given: Members, frame: () => Frame) => unknown;

/** What each field is on creation: what was given, else what the service sets, else the default, else not there. */
function creators(fields: readonly Field[]): ReadonlyMap<string, Creator> {
  const found = new Map<string, Creator>();
  for (const field of fields) {
    const template = stated(field.create);
    const run = template === undefined ? pick(field) : compileTemplate(template.template, () => undefined);
    const fallback = stated(field.default);
    const { name } = field;
    found.set(name, (given, frame) => {
      if (Object.hasOwn(given, name)) return given[name];
      return run ? run(frame()) : structuredClone(fallback);
    });
  }
  return found;
}

/** A value that the service picks where any will do: a new UUID (language §F.1). */
function pick(field: Field): Run | undefined {
  if (field.create.kind !== 'any' || !mayBeUuid(field)) return undefined;
  return ({ makers }) => makers.uuid(4);
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/**
 * Writes an item. Members that are kept and shown as they are come out of the store as text; only what is
 * hidden among them makes it necessary to take the text apart. The order of members is a choice (language §F.1).
 */
function writer(
  resource: Resource,
  fields: readonly Field[],
  keyFields: readonly string[],
  derived: ReadonlyMap<string, Run>,
): KeptResource['write'] {
  const readable = (name: string): boolean => {
    const field = resource.fields.get(name);
    if (field === undefined) return true;
    // While it is asked who may see a member, or in what form, nobody does.
    return !isAsked(field.readable) && !isAsked(field.shown) && stated(field.readable) !== false;
  };
  const keys = keyFields.flatMap((name, index) =>
    readable(name) ? [{ name: JSON.stringify(name), index }] : [],
  );
  const hidden = fields.filter(
    (f) => !derived.has(f.name) && !keyFields.includes(f.name) && !readable(f.name),
  );
  const shown = [...derived].flatMap(([name, run]) =>
    readable(name) ? [{ name: JSON.stringify(name), run }] : [],
  );
  return (item, frame) => {
    const { row } = item as RowItem;
    const before = keys.map(({ name, index }) => `${name}:${JSON.stringify(row.key[index])}`);
    const between = (hidden.length === 0 ? row.text : without(row.text, hidden)).slice(1, -1);
    const after: string[] = [];
    if (shown.length > 0) {
      const isAtHand = frame.names['this'] === item;
      const inner: Frame = isAtHand ? frame : { names: { ...frame.names, this: item }, makers: frame.makers };
      for (const { name, run } of shown) after.push(`${name}:${JSON.stringify(run(inner)) ?? 'null'}`);
    }
    return `{${[...before, ...(between === '' ? [] : [between]), ...after].join(',')}}`;
  };
}

function without(text: string, hidden: readonly Field[]): string {
  const members = JSON.parse(text) as Members;
  for (const field of hidden) delete members[field.name];
  return JSON.stringify(members);
}

/** The named shapes of a specification as definitions; names that part 2 leaves open admit anything. */
export function definitions(specification: Specification, rule: OthersRule | null): Schema {
  const found: Schema = {};
  for (const [name, said] of stated(specification.resources) ?? []) {
    const entry = stated(said);
    setMember(found, name, entry?.kind === 'shape' ? withRule(schemaOf(entry.shape), rule) : {});
  }
  for (const [name, said] of stated(specification.resources) ?? []) {
    const entry = stated(said);
    const uses = entry?.kind === 'shape' ? entry.shape.uses : [];
    const fields = entry?.kind === 'resource' ? [...entry.fields.values()].flatMap((f) => f.shape.uses) : [];
    for (const use of [...uses, ...fields])
      if (!Object.hasOwn(found, use.name)) setMember(found, use.name, {});
    void name;
  }
  return found;
}

/** Whether a client may write a field, so far as that does not depend on the item. */
export function isWritable(field: Field): boolean {
  return stated(field.writable) !== false;
}

/** What a client may give of a resource (language §E.4), as a schema. */
export function writableSchema(
  resource: Resource,
  options: {
    readonly required: boolean;
    /** Fields that the path binds: they are given there, and are no members of the body. */
    readonly bound: readonly string[];
    readonly rule: OthersRule;
    /** Whether keywords about the whole object hold: not for an update, which gives only a part of it. */
    readonly whole: boolean;
  },
): Schema {
  const properties: Schema = {};
  const known: string[] = [];
  for (const field of resource.fields.values()) {
    if (!isWritable(field) || options.bound.includes(field.name)) continue;
    known.push(field.name);
    setMember(properties, field.name, withRule(schemaOf(field.shape), options.rule));
  }
  // A field that `required` alone names is a field all the same, of which any value is taken (language §H.1).
  for (const { name } of stated(resource.required) ?? [])
    if (!resource.fields.has(name) && !options.bound.includes(name)) known.push(name);
  const required = (stated(resource.required) ?? [])
    .map((use) => use.name)
    .filter((name) => known.includes(name));
  const rule = stated(resource.others) ?? options.rule.rule;
  return {
    ...(options.whole ? schemaOf(resource.further) : {}),
    type: 'object',
    properties,
    required: options.required ? required : [],
    others: { known, rule, address: options.rule.address },
  };
}

/** What a request's specification says of members that nobody stated. */
export interface OthersRule {
  /** Null while that is open. */
  readonly rule: Others | null;
  /** The point that has it. */
  readonly address: string;
}

/** The rule that is stated, null while it is open; where any will do, this is one (language §F.1). */
export function ruleOf(said: Said<unknown>): Others | null {
  return said.kind === 'any' ? 'ignore' : ((stated(said) ?? null) as Others | null);
}

/** Lays the request's rule about members that nobody stated into shapes that have none of their own. */
export function withRule(schema: Json, rule: OthersRule | null): Json {
  if (Array.isArray(schema)) return schema.map((item: Json) => withRule(item, rule));
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Schema = {};
  for (const [key, value] of Object.entries(schema as Schema)) {
    const own = key === 'others' && typeof value === 'object' && value !== null && 'known' in value;
    if (own)
      setMember(result, key, (value as Schema)['rule'] === null && rule ? { ...value, ...rule } : value);
    else
      setMember(
        result,
        key,
        ['enum', 'const', 'default', 'examples'].includes(key) ? value : withRule(value, rule),
      );
  }
  return result;
}
