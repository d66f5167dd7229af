import { type Json, setMember } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';

type Schema = Readonly<Record<string, Json>>;
type Members = Readonly<Record<string, unknown>>;

/**
 * What the members of a value are called by the clients of an older version (language §9.3, `was`). Within the
 * service they have the names of the newest, so that values are renamed as they come and as they go.
 */
export interface Renaming {
  /** A value as a client gave it. What is called so in the newest alone is no member that a client could have meant. */
  readonly takenIn: (value: unknown) => unknown;
  /** A value as a client is shown it. */
  readonly shown: (value: unknown) => unknown;
  /** The names that lead to a member within: as a client gives them, and as it is told of them. */
  readonly wayIn: (way: readonly string[]) => string[];
  readonly wayOut: (way: readonly string[]) => string[];
  /** The renaming of what stands at the end of a way, as a client gives it. */
  readonly at: (way: readonly string[]) => Renaming;
  /** The same schema in the names of the version, so far as it lists them itself. */
  readonly schema: (schema: Json) => Json;
}

/** Stands before a name that says nothing in this version: no text of a request holds this character (language §H.4). */
const unsaid = '\u0000';

/** Whether a member was given by a name that says nothing in the version of the request. */
export function isUnsaid(name: string): boolean {
  return name.startsWith(unsaid);
}

/** The renamings of a version's resources and shapes; null where nothing is called otherwise. */
export interface Renamings {
  /** Of a resource, or a shape, by its name. */
  readonly named: (name: string) => Renaming;
  readonly ofShape: (shape: Shape) => Renaming;
  /** What a field is called. */
  readonly nameOf: (field: Field) => string;
  /** The renaming within a field; null where nothing in it is called otherwise. */
  readonly within: (field: Field) => Renaming | null;
}

const compiled = new WeakMap<Specification, Renamings>();

export function renamingsOf(specification: Specification): Renamings | null {
  const { was } = specification;
  if (was === undefined || was.size === 0) return null;
  const found = compiled.get(specification) ?? compileRenamings(specification, was);
  compiled.set(specification, found);
  return found;
}

/** A failure as it is told to a client of the version. */
export function toldIn<F extends { readonly field: string }>(renaming: Renaming, failure: F): F {
  return { ...failure, field: renaming.wayOut(failure.field.split('.')).join('.') };
}

/** Members whose names differ, or within which some do. */
class Names implements Renaming {
  readonly members = new Map<string, { readonly name: string | null; readonly within: Names }>();
  items: Names | null = null;

  takenIn(value: unknown): unknown {
    if (Array.isArray(value)) return this.items ? value.map((one) => this.items?.takenIn(one)) : value;
    return this.#renamed(value, (name) => this.#in(name), 'takenIn');
  }
  shown(value: unknown): unknown {
    if (Array.isArray(value)) return this.items ? value.map((one) => this.items?.shown(one)) : value;
    return this.#renamed(value, (name) => this.name(name), 'shown');
  }
  #renamed(value: unknown, rename: (name: string) => string | null, way: 'takenIn' | 'shown'): unknown {
    if (typeof value !== 'object' || value === null || this.members.size === 0) return value;
    const renamed: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value as Members)) {
      const other = rename(name);
      if (other === null) continue;
      const { within } = this.members.get(way === 'takenIn' ? other : name) ?? {};
      setMember(renamed, other, within ? within[way](member) : member);
    }
    return renamed;
  }
  wayIn(way: readonly string[]): string[] {
    const [first, ...rest] = way;
    if (first === undefined) return [];
    const name = this.#isList(first) ? first : this.#in(first);
    return [name, ...this.#at(first, name).wayIn(rest)];
  }
  wayOut(way: readonly string[]): string[] {
    const [first, ...rest] = way;
    if (first === undefined) return [];
    const name = isUnsaid(first) ? first.slice(1) : (this.name(first) ?? first);
    return [name, ...this.#at(first, first).wayOut(rest)];
  }
  /** Whether what is named is an element. */
  #isList(name: string): boolean {
    return this.items !== null && /^(?:-|\d+)$/.test(name);
  }
  #at(given: string, member: string): Names {
    return (this.#isList(given) ? this.items : this.members.get(member)?.within) ?? none;
  }
  at(way: readonly string[]): Names {
    const [first, ...rest] = way;
    return first === undefined ? this : this.#at(first, this.#in(first)).at(rest);
  }
  name(member: string): string | null {
    const found = this.members.get(member);
    return found ? found.name : member;
  }
  #in(name: string): string {
    for (const [member, one] of this.members) if (one.name === name) return member;
    const own = this.members.get(name);
    return own && own.name !== name ? unsaid + name : name;
  }
  schema(schema: Json): Json {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
    const found: Record<string, Json> = { ...(schema as Schema) };
    if (Array.isArray(found['allOf'])) found['allOf'] = found['allOf'].map((one: Json) => this.schema(one));
    if (found['items'] !== undefined && this.items) found['items'] = this.items.schema(found['items']);
    const properties: Record<string, Json> = {};
    for (const [name, one] of Object.entries((found['properties'] ?? {}) as Schema)) {
      const then = this.name(name);
      if (then !== null) setMember(properties, then, (this.members.get(name)?.within ?? none).schema(one));
    }
    return found['properties'] === undefined ? found : { ...found, properties };
  }
}

const none = new Names();

function compileRenamings(specification: Specification, was: ReadonlyMap<Address, string | null>): Renamings {
  const known = new Map<string, Names>();
  const named = (name: string): Names => {
    const found = known.get(name);
    if (found) return found;
    const names = new Names();
    known.set(name, names);
    const resource = specification.resourcesByName.get(name);
    const entry = stated(stated(specification.resources)?.get(name));
    if (resource) ofFields(resource, names);
    else if (entry?.kind === 'shape') fill(schemaOf(entry.shape), names);
    return names;
  };
  const ofFields = (resource: Resource, into: Names): void => {
    for (const { name, address, shape, refers } of resource.fields.values()) {
      const then = was.get(address);
      // An item that is referred to stands there as its key.
      const within = stated(refers) ? none : made(schemaOf(shape));
      into.members.set(name, { name: then === undefined ? name : then, within });
    }
  };
  const made = (schema: Json): Names => {
    const reference = referenceIn(schema);
    if (reference !== null && Object.keys(schema as Schema).length === 1) return named(reference);
    const names = new Names();
    fill(schema, names);
    return names;
  };
  const fill = (schema: Json | undefined, into: Names): void => {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
    const all = schema as Schema;
    const reference = referenceIn(schema);
    if (reference !== null) {
      const other = named(reference);
      for (const [name, member] of other.members) into.members.set(name, member);
      into.items ??= other.items;
    }
    for (const [name, one] of Object.entries((all['properties'] ?? {}) as Schema)) {
      const then = was.get(addressOf(all, name) ?? '');
      into.members.set(name, { name: then === undefined ? name : then, within: made(one) });
    }
    if (all['items'] !== undefined) into.items = made(all['items']);
    for (const key of ['allOf', 'anyOf', 'oneOf'])
      for (const one of (all[key] ?? []) as readonly Json[]) fill(one, into);
    for (const key of ['if', 'then', 'else']) fill(all[key], into);
  };
  return {
    named,
    ofShape: (shape) => made(schemaOf(shape)),
    nameOf: ({ name, address }) => was.get(address) ?? name,
    within: ({ shape, refers }) => {
      const within = stated(refers) ? none : made(schemaOf(shape));
      return differs(within, new Set()) ? within : null;
    },
  };
}

function differs(names: Names, seen: Set<Names>): boolean {
  if (seen.has(names)) return false;
  seen.add(names);
  const own = [...names.members].some(([name, one]) => one.name !== name || differs(one.within, seen));
  return own || (names.items !== null && differs(names.items, seen));
}

/** Where a member of a shape with `fields` stands: the schema tells at what address its list is. */
function addressOf(schema: Schema, name: string): Address | undefined {
  const { address } = (schema['others'] ?? {}) as { readonly address?: string };
  return address === undefined ? undefined : step(step(address.replace(/\.others$/, ''), 'fields'), name);
}

function referenceIn(schema: Json): string | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return null;
  const reference = (schema as Schema)['$ref'];
  return typeof reference === 'string' ? reference.slice('#/$defs/'.length) : null;
}
