import { isItem } from '../../expression/values.ts';
import { setMember } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { KeptItem, KeptResource } from '../resource/kept.ts';

/** The functions that the operator gives, by name (language §I). */
export type Handlers = Readonly<Record<string, (given: never) => unknown>>;

type Resources = ReadonlyMap<string, KeptResource>;
type Worked = (names: Readonly<Record<string, unknown>>) => unknown;

/** The functions as they stand for expressions: pure, and answering at once. They see items as plain values. */
export function compileWorked(handlers: Handlers, resources: Resources): ReadonlyMap<string, Worked> {
  return new Map(
    Object.entries(handlers).map(([name, handler]) => {
      const worked: Worked = (names) => {
        const seen: Record<string, unknown> = {};
        for (const [key, value] of Object.entries(names)) setMember(seen, key, plain(value, resources));
        const result = (handler as Worked)(seen);
        if (result instanceof Promise)
          throw new TypeError(`${name} stands for an expression, and so cannot be waited for`);
        return result ?? null;
      };
      return [name, worked];
    }),
  );
}

/** A value as a handler sees it: an item has its members, each read when it is asked for; a reference is its key. */
export function plain(value: unknown, resources: Resources): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(one, resources));
  if (typeof value !== 'object' || value === null || value instanceof Promise) return value;
  if (isItem(value)) return view(value as KeptItem, resources);
  const members: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) setMember(members, name, plain(one, resources));
  return members;
}

function view(item: KeptItem, resources: Resources): unknown {
  const members = {};
  for (const { name, secret } of resources.get(item.resource)?.resource.fields.values() ?? []) {
    if (stated(secret) !== undefined) continue;
    const get = (): unknown => {
      const value = item.member(name);
      return isItem(value) ? (value as KeptItem).key : value;
    };
    Object.defineProperty(members, name, { get, enumerable: true });
  }
  return members;
}
