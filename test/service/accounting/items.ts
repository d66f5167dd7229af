import { type Json, list, type Members, map } from '../document.ts';
import type { Kept } from './kept.ts';
import { type Form, fill, notDue, type Scope } from './working.ts';

/** An item as expressions see it: a reference is the item that it refers to, and an item's text is its key. */
export type Item = Readonly<Record<string, unknown>>;

type Judge = (item: Item) => unknown;

export interface Items {
  readonly of: (name: string) => readonly Item[];
  /** An item that is not among those kept, such as one that was deleted. */
  readonly link: (name: string, members: Members) => Item;
  /** The names that expressions have for resources and views: a function that shows, and the set of all items. */
  readonly names: Scope;
}

/** Everything that is kept, as expressions see it. */
export function itemsOf(document: Members, kept: Kept, url: string, subject: string): Items {
  const resources = map(document['resources']);
  const linked = new Map<string, readonly Item[]>();
  const of = (name: string): readonly Item[] => {
    const found = linked.get(name) ?? (kept[name] ?? []).map((members) => link(name, members));
    linked.set(name, found);
    return found;
  };
  const link = (name: string, members: Members): Item => {
    const item: Record<string, unknown> = { ...members };

    const { identifier, fields } = map(resources[name]);
    for (const [field, one] of Object.entries(map(fields))) {
      const [to, by = list(map(resources[referred(one)])['identifier'])[0] ?? ''] = String(
        map(one)['refers'] ?? '',
      ).split('.') as [string, string?];
      const key = members[field];
      const secret = map(map(one)['set'])['create'];
      if (map(one)['secret'] !== undefined && secret !== undefined) item[field] = fill(secret, {});
      if (to !== '' && typeof key !== 'undefined')
        Object.defineProperty(item, field, {
          enumerable: true,
          get: () => of(to).find((other) => key !== null && String(other[by]) === String(key)) ?? key,
        });
      else if (map(one)['derived'] !== undefined)
        Object.defineProperty(item, field, {
          get: () => fill(map(one)['derived'], { ...names, self: item, service: { url } }),
        });
    }
    Object.defineProperty(item, 'toString', { value: () => String(members[list(identifier)[0] ?? '']) });
    Object.defineProperty(item, 'resource', { value: name });
    return item;
  };
  const shown = (name: string, item: Item): Record<string, unknown> => {
    const entry = map(resources[name]);
    const own = map(entry['fields']);
    const inner = entry['of'] === undefined ? {} : map(map(resources[String(entry['of'])])['fields']);
    const listed = entry['shows'] === undefined ? Object.keys({ ...inner }) : list(entry['shows']);
    const omitted = list(entry['omits']);
    const under = entry['of'] === undefined ? resources[name] : resources[String(entry['of'])];
    const all =
      entry['of'] === undefined
        ? [...new Set([...list(entry['identifier']), ...list(entry['required']), ...Object.keys(own)])]
        : [...listed.filter((field) => !omitted.includes(field)), ...Object.keys(own)];
    return Object.fromEntries(
      all.flatMap((field) => {
        const shape = map(own[field] ?? map(map(under)['fields'])[field]);
        if (!isReadable(shape)) return [];
        const value =
          shape['derived'] === undefined
            ? item[field]
            : fill(shape['derived'], { ...names, self: item, service: { url } });
        return value === undefined ? [] : [[field, value]];
      }),
    );
  };
  const names = Object.fromEntries(
    Object.entries({ ...(subject !== '' && { [subject]: {} }), ...resources }).flatMap(([name, entry]) => {
      const show = (what: unknown): unknown => {
        if (what === pageItems) return pageOf(of(subject), (item) => shown(name, item));
        if (Array.isArray(what)) return what.map((one) => shown(name, one as Item));
        return what === null || what === undefined ? what : shown(name, what as Item);
      };
      const set = map(entry)['of'] === undefined ? of(name) : [];
      const loops = {
        filter: (judge: Judge) => set.filter(judge),
        some: (judge: Judge) => set.some(judge),
        every: (judge: Judge) => set.every(judge),
      };
      return [[name, Object.assign(show, loops)]];
    }),
  );
  return { of, link, names };
}

/** Stands for the items of a page, of which only those kept, and each once, may be shown. */
export const pageItems = 'the items of the page';

function pageOf(items: readonly Item[], show: (item: Item) => unknown): Form {
  return {
    fits: (found) => {
      const left = items.map(show);
      const takes = (one: Json): boolean => {
        const place = left.findIndex((due) => notDue(due, one).length === 0);
        if (place >= 0) left.splice(place, 1);
        return place >= 0;
      };
      return Array.isArray(found) && found.every(takes);
    },
  };
}

function referred(field: Json | undefined): string {
  return String(map(field)['refers'] ?? '').split('.')[0] as string;
}

/** Language §E.8, §E.9; where it is asked, not shown (§2.2). */
function isReadable(shape: Members): boolean {
  if (shape['readable'] !== undefined) return shape['readable'] === true;
  return shape['writeOnly'] !== true && shape['secret'] === undefined;
}

/** Whether clients may write a field at all. */
export function isWritable(shape: Members, isState: boolean): boolean {
  if (shape['writable'] !== undefined)
    return shape['writable'] === true || shape['writable'] === 'once' || shape['writable'] === 'same';
  if (shape['readOnly'] === true || shape['derived'] !== undefined) return false;
  return map(shape['set'])['create'] === undefined && !isState;
}
