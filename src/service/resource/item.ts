import type { Frame, Item, Run } from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Key, Row } from '../store/store.ts';
import type { KeptItem, KeptResource, Members } from './kept.ts';
import { readsOf } from './reads.ts';

/** Where the values of an item come from: a row, or a change that is being made. */
export interface Source {
  /** The kept value; undefined where there is none. */
  readonly value: (name: string) => unknown;
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
  const references = new Map<string, (key: unknown, frame: () => Frame) => KeptItem>();
  const secrets = new Set<string>();
  for (const { name, refers, secret } of resource.fields.values()) {
    const to = stated(refers);
    if (to) references.set(name, (key, frame) => reference(to.resource, to.field, key, resources, frame));
    if (stated(secret)) secrets.add(name);
  }
  const single = singleOf(keyFields);
  const { name } = resource;
  return (source, frame) => {
    const { row, clear } = source;
    const member = (name: string): unknown => {
      const run = derived.get(name);
      if (run) return run({ ...frame(), names: { ...frame().names, this: self } });
      const value = secrets.has(name) ? clear?.[name] : source.value(name);
      if (value === undefined || value === null) return null;
      return references.get(name)?.(value, frame) ?? value;
    };
    const has = (name: string): boolean => derived.has(name) || source.value(name) !== undefined;
    const same = (other: Item): boolean => isSame(self, other);
    const toJSON = (): unknown => self.key;
    let self: KeptItem;
    if (row) {
      // A list makes ever so many items of rows, and an accessor costs more than all the rest of one.
      const key = single === null ? row.key : row.key[0];
      self = { resource: name, by: single, clear, row, key, member, has, same, toJSON };
    } else
      self = {
        resource: name,
        by: single,
        clear,
        row,
        get key() {
          return single === null ? keyFields.map(source.value) : source.value(single);
        },
        member,
        has,
        same,
        toJSON,
      };
    return self;
  };
}

/** The item that a field refers to: it is looked for when more of it is asked than its key. */
function reference(
  resource: string,
  field: string | null,
  key: unknown,
  resources: Resources,
  frame: () => Frame,
): KeptItem {
  const target = resources(resource);
  const by = field === null ? (target?.keyFields ?? []) : [field];
  let found: KeptItem | null | undefined;
  const follow = (): KeptItem | null => {
    if (found !== undefined) return found;
    const row = target ? findBy(target, by, key, frame()) : null;
    found = row && target ? target.item(row, frame) : null;
    return found;
  };
  const own = (name: string): unknown =>
    by.length === 1
      ? by[0] === name
        ? key
        : undefined
      : Array.isArray(key)
        ? key[by.indexOf(name)]
        : undefined;
  const self: KeptItem = {
    resource,
    by: singleOf(by),
    key,
    clear: undefined,
    get row() {
      return follow()?.row ?? null;
    },
    member: (name) => {
      const value = own(name);
      if (value === undefined) return follow()?.member(name) ?? null;
      // What is known of it is part of its key, but that may be a reference in its turn.
      const to = stated(target?.resource.fields.get(name)?.refers);
      return to ? reference(to.resource, to.field, value, resources, frame) : value;
    },
    has: (name) => own(name) !== undefined || follow()?.has(name) === true,
    same: (other) => isSame(self, other),
    toJSON: () => key,
  };
  return self;
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

function isKept(value: unknown): value is KeptItem {
  return typeof value === 'object' && value !== null && 'by' in value && 'key' in value && 'member' in value;
}
