import type { Json, Members } from '../document.ts';
import { map } from '../document.ts';

/** Whether a value says nothing: it is absent, or it is asked (language §B). */
export function isOpen(value: Json | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.startsWith('(open)'));
}

/** Where it matters whether something is asked, or is nothing, and not only absent. */
const marked = ['readable', 'writable', 'others', 'does', 'to'];

/**
 * What a document states: without what is open, or stated to be nothing, but where that itself says something.
 * A field that is named, and of which all else is open, may have any value (language §2).
 */
export function stated(value: Json, within = ''): Json {
  if (Array.isArray(value)) return value.map((one) => stated(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (isOpen(inner) && within === 'fields') return [[name, {}]];
      if (inner === '(none)' && within === 'versioning' && name === 'default') return [[name, inner]];
      if ((isOpen(inner) || inner === '(none)') && !marked.includes(name)) return [];
      return [[name, stated(inner, name)]];
    }),
  );
}

/** The way to an address (language §C). */
export function way(address: string): string[] {
  return [...address.matchAll(/\[("(?:[^"\\]|\\.)*"|\d+)\]|([^.[\]]+)/g)].map(([, bracketed, plain]) =>
    bracketed === undefined ? (plain as string) : String(JSON.parse(bracketed)),
  );
}

export function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, name) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, name)
        ? (here as Members)[name]
        : undefined,
    value,
  );
}

/** What stands at an address, also where notation moves it there (language §E.1, §E.2, §E.15). */
export function standsAt(document: Members, address: string): Json | undefined {
  const path = way(address);
  const found = at(document, path);
  if (found !== undefined || path[0] !== 'endpoints') return found;
  const [, key = '', first, last] = path;
  const endpoint = map(map(document['endpoints'])[key]);
  if (first === 'response' && last === 'status' && typeof endpoint['response'] !== 'object')
    return endpoint['response'];
  return first === 'request' && last === 'others' ? map(document['endpoints'])['others'] : undefined;
}
