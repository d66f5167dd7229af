import type { Follow, Frame, Item, Run } from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import type { Label } from '../../expression/query.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { readsOf } from '../store/reads.ts';
import type { Key, Row } from '../store/store.ts';
import { binaryFields, readBytes } from './bytes.ts';
import type { KeptItem, KeptResource, Members } from './kept.ts';

/** Where the values of an item come from: a row, or a change that is being made. */
export interface Source {
  /** The kept value; undefined where there is none. */
  readonly value: (name: string) => unknown;
  /** The same as JSON text, where it is kept as such. */
  readonly text?: (name: string) => string | undefined;
  readonly row: Row | null;
  /** Secrets as the service made them, by field; only while the change is made and answered (language §2.2). */
  readonly clear?: Members | undefined;
}

/** Makes an item of what it consists of. */
export type Over = (source: Source, frame: () => Frame) => KeptItem;

/** Finds a resource by its name, when an item is followed to it. */
export type Resources = (name: string) => KeptResource | undefined;

/** How items of a resource answer to their members (language §G.3). */
export function compileItem(
  resource: Resource,
  keyFields: readonly string[],
  derived: ReadonlyMap<string, Run>,
  resources: Resources,
): Over {
  const references = new Map<string, Refer>();
  const secrets = new Set<string>();
  const binaries = new Set(binaryFields(resource));
  for (const { name, refers, secret } of resource.fields.values()) {
    const to = stated(refers);
    let of: Reference | undefined;
    if (to)
      references.set(name, (key, frame, row) => {
        // Resources refer to one another, so that each is looked up when it is needed.
        of ??= referenceTo(to.resource, to.field, resources);
        return new Referred(of, key, frame, row);
      });
    if (stated(secret)) secrets.add(name);
  }
  const of: Kind = {
    name: resource.name,
    by: singleOf(keyFields),
    keyFields,
    derived,
    references,
    secrets,
    binaries,
  };
  return (source, frame) => new Whole(of, source, frame);
}

/** Makes an item of the key that refers to it; of the row as well, or of null for none, where that was told already. */
type Refer = (key: unknown, frame: () => Frame, row: Row | null | undefined) => KeptItem;

/** What all items of a resource have in common. */
interface Kind {
  readonly name: string;
  readonly by: string | null;
  readonly keyFields: readonly string[];
  readonly derived: ReadonlyMap<string, Run>;
  readonly references: ReadonlyMap<string, Refer>;
  readonly secrets: ReadonlySet<string>;
  /** The fields that are bytes. */
  readonly binaries: ReadonlySet<string>;
}

/** An item at hand: a class, since many are made for a list, and what each can do is there once. */
class Whole implements KeptItem {
  readonly #of: Kind;
  readonly #source: Source;
  readonly #frame: () => Frame;

  constructor(of: Kind, source: Source, frame: () => Frame) {
    this.#of = of;
    this.#source = source;
    this.#frame = frame;
  }
  get resource(): string {
    return this.#of.name;
  }
  get by(): string | null {
    return this.#of.by;
  }
  get clear(): Members | undefined {
    return this.#source.clear;
  }
  get row(): Row | null {
    return this.#source.row;
  }
  get key(): unknown {
    const { by, keyFields } = this.#of;
    return by === null ? keyFields.map((name) => this.#source.value(name)) : this.#source.value(by);
  }
  member(name: string): unknown {
    const { derived, secrets, references, binaries } = this.#of;
    const run = derived.get(name);
    if (run) return run(withThis(this.#frame(), this));
    const value = secrets.has(name) ? this.#source.clear?.[name] : this.#source.value(name);
    if (value === undefined || value === null) return null;
    if (binaries.has(name)) return readBytes(this.#of.name, name, value, () => this.key, this.#source.row);
    const refer = references.get(name);
    return refer ? refer(value, this.#frame, this.told(name) as Row | null | undefined) : value;
  }
  told(label: Label): unknown {
    return this.#source.row?.besides?.get(label);
  }
  has(name: string): boolean {
    return this.#of.derived.has(name) || this.#source.value(name) !== undefined;
  }
  text(name: string): string | undefined {
    const { derived, secrets, references, binaries } = this.#of;
    if ([derived, secrets, references, binaries].some((all) => all.has(name))) return undefined;
    return this.#source.text?.(name);
  }
  same(other: Item): boolean {
    return isSame(this, other);
  }
  toJSON(): unknown {
    return this.key;
  }
}

/** A frame in which `this` is the item. */
export function withThis(frame: Frame, item: Item): Frame {
  const { names, makers, reads, handlers } = frame;
  return names['this'] === item ? frame : { names: { ...names, this: item }, makers, reads, handlers };
}

/** How a key that a request brings is followed to its item (language §G.3). */
export function compileFollow(resources: Resources): Follow {
  return ({ resource, by = null }, key, frame) =>
    new Referred(referenceTo(resource, by, resources), key, () => frame);
}

/** What references by one field have in common. */
interface Reference {
  readonly resource: string;
  readonly target: KeptResource | undefined;
  /** The fields by which the item is known without its row. */
  readonly by: readonly string[];
  readonly resources: Resources;
}

function referenceTo(resource: string, field: string | null, resources: Resources): Reference {
  const target = resources(resource);
  return { resource, target, by: field === null ? (target?.keyFields ?? []) : [field], resources };
}

/** The item that a field refers to: it is looked for when more of it is asked than its key. */
class Referred implements KeptItem {
  readonly key: unknown;
  readonly clear = undefined;
  readonly #of: Reference;
  readonly #frame: () => Frame;
  readonly #told: Row | null | undefined;
  #found: KeptItem | null | undefined;

  constructor(of: Reference, key: unknown, frame: () => Frame, told?: Row | null) {
    this.key = key;
    this.#of = of;
    this.#frame = frame;
    this.#told = told;
  }
  get resource(): string {
    return this.#of.resource;
  }
  get by(): string | null {
    return singleOf(this.#of.by);
  }
  get row(): Row | null {
    return this.#follow()?.row ?? null;
  }
  member(name: string): unknown {
    const value = this.#own(name);
    if (value === undefined) return this.#follow()?.member(name) ?? null;
    // What is known of it is part of its key, but that may be a reference in its turn.
    const { target, resources } = this.#of;
    const to = stated(target?.resource.fields.get(name)?.refers);
    return to ? new Referred(referenceTo(to.resource, to.field, resources), value, this.#frame) : value;
  }
  has(name: string): boolean {
    return this.#own(name) !== undefined || this.#follow()?.has(name) === true;
  }
  told(label: Label): unknown {
    return this.#found?.told?.(label);
  }
  same(other: Item): boolean {
    return isSame(this, other);
  }
  toJSON(): unknown {
    return this.key;
  }
  #own(name: string): unknown {
    const { by } = this.#of;
    if (by.length === 1) return by[0] === name ? this.key : undefined;
    return Array.isArray(this.key) ? (this.key[by.indexOf(name)] as unknown) : undefined;
  }
  #follow(): KeptItem | null {
    if (this.#found !== undefined) return this.#found;
    const { target, by } = this.#of;
    const isAsked = this.#told === undefined && target !== undefined;
    const row = isAsked ? findBy(target, by, this.key, this.#frame()) : (this.#told ?? null);
    this.#found = row && target ? target.item(row, this.#frame) : null;
    return this.#found;
  }
}

function singleOf(names: readonly string[]): string | null {
  const [only = null, second] = names;
  return second === undefined ? only : null;
}

/** Whether two items are one. Those that are not referred to by the same field are looked for. */
function isSame(one: KeptItem, other: Item): boolean {
  if (one.resource !== other.resource) return false;
  const another = other as KeptItem;
  if (one.by === another.by) return equal(one.key, another.key);
  return one.row !== null && equal(one.row.key, another.row?.key ?? null);
}

/** The row that a key belongs to, by the identifier or by a unique field; null where it is nobody's. */
export function findBy(target: KeptResource, by: readonly string[], key: unknown, frame: Frame): Row | null {
  const { keyFields, name, uniques } = target;
  const parts = by.length === 1 ? [key] : key;
  if (keyFields.length === 0 || !Array.isArray(parts) || parts.length !== by.length) return null;
  if (by.every((one, index) => one === keyFields[index]) && by.length === keyFields.length)
    return isKey(parts) ? readsOf(frame).find(name, parts) : null;
  if (typeof key === 'object') return null;
  const unique = uniques.find(({ fields }) => fields.length === 1 && fields[0] === by[0]);
  return unique?.find(readsOf(frame), { [by[0] as string]: key }) ?? null;
}

function isKey(parts: readonly unknown[]): parts is Key {
  return parts.every((one) => typeof one === 'string' || typeof one === 'number');
}

/** An item as it is kept where it is referred to: by its key (language §G.3). */
export function keyOf(value: unknown): unknown {
  return isKept(value) ? value.key : value;
}

/** The same for a field that refers by this one: the item may be known by another (language §2.2, rule 7). */
export function keyBy(field: string | null, value: unknown): unknown {
  if (field === null || !isKept(value) || value.by === field) return keyOf(value);
  return keyOf(value.member(field)) ?? value.key;
}

function isKept(value: unknown): value is KeptItem {
  return typeof value === 'object' && value !== null && 'by' in value && 'key' in value && 'member' in value;
}
