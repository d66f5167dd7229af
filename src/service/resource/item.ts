import type { Frame, Item, Run } from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Key, Row } from '../store/store.ts';
import type { KeptItem, KeptResource } from './kept.ts';
import { readsOf } from './reads.ts';

/** Where the values of an item come from: a row, or a change that is being made. */
export interface Source {
  /** The kept value; undefined where there is none. */
  readonly value: (name: string) => unknown;
  readonly row: () => Row | null;
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
  const [first = null, second] = keyFields;
  const by = second === undefined ? first : null;
  const references = new Map<string, (key: unknown, frame: () => Frame) => KeptItem>();
  for (const { name, refers } of resource.fields.values()) {
    const to = stated(refers);
    if (to) references.set(name, (key, frame) => reference(to.resource, to.field, key, resources, frame));
  }
  const secrets = new Set(
    [...resource.fields.values()].flatMap((field) => (stated(field.secret) ? [field.name] : [])),
  );
  return (source, frame) => {
    const self: KeptItem = {
      resource: resource.name,
      by,
      get row() {
        return source.row();
      },
      get key() {
        return by === null ? keyFields.map(source.value) : source.value(by);
      },
      member: (name) => {
        const run = derived.get(name);
        if (run) return run({ ...frame(), names: { ...frame().names, this: self } });
        const value = secrets.has(name) ? undefined : source.value(name);
        if (value === undefined || value === null) return null;
        return references.get(name)?.(value, frame) ?? value;
      },
      has: (name) => derived.has(name) || source.value(name) !== undefined,
      same: (other) => isSame(self, other),
      toJSON: () => self.key,
    };
    return self;
  };
}

/** The item that a field refers to: it is looked for when something of it is asked but its key. */
function reference(
  resource: string,
  field: string | null,
  key: unknown,
  resources: Resources,
  frame: () => Frame,
): KeptItem {
  const target = resources(resource);
  const [only = null, second] = target?.keyFields ?? [];
  const by = field ?? (second === undefined ? only : null);
  let found: KeptItem | null | undefined;
  const follow = (): KeptItem | null => {
    if (found !== undefined) return found;
    const row = target ? findBy(target, by, key, frame()) : null;
    found = row && target ? target.item(row, frame) : null;
    return found;
  };
  const self: KeptItem = {
    resource,
    by,
    key,
    get row() {
      return follow()?.row ?? null;
    },
    member: (name) => (name === by && !isReference(target, name) ? key : (follow()?.member(name) ?? null)),
    has: (name) => name === by || follow()?.has(name) === true,
    same: (other) => isSame(self, other),
    toJSON: () => key,
  };
  return self;
}

function isReference(target: KeptResource | undefined, name: string): boolean {
  return stated(target?.resource.fields.get(name)?.refers) !== undefined;
}

/** The row that a key belongs to, by the identifier or by a unique field; null where it is nobody's. */
export function findBy(target: KeptResource, by: string | null, key: unknown, frame: Frame): Row | null {
  if (target.keyFields.length === 0) return null;
  const [only, second] = target.keyFields;
  if (by === null || (by === only && second === undefined)) {
    const parts = by === null ? key : [key];
    return isKey(parts, target.keyFields.length) ? readsOf(frame).find(target.name, parts) : null;
  }
  const unique = target.uniques.find(({ fields }) => fields.length === 1 && fields[0] === by);
  return unique?.find(readsOf(frame), { [by]: key }) ?? null;
}

function isKey(parts: unknown, length: number): parts is Key {
  const isPart = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number';
  return Array.isArray(parts) && parts.length === length && parts.every(isPart);
}

/** Whether two items are one. Those that are not referred to by the same field are looked for. */
function isSame(one: KeptItem, other: Item): boolean {
  const { resource, by, key, row } = other as KeptItem;
  if (one.resource !== resource) return false;
  if (one.by === by) return equal(one.key, key);
  return row !== null && equal(one.row?.key ?? null, row.key);
}

/** An item as it is kept where it is referred to: by its key (language §G.3). */
export function keyOf(value: unknown): unknown {
  const isItem = typeof value === 'object' && value !== null && 'same' in value && 'key' in value;
  return isItem && typeof (value as KeptItem).same === 'function' ? (value as KeptItem).key : value;
}
