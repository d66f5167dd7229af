import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import type { Schema } from './schema.ts';

/**
 * Whether a value that was shown is the one that was given: as JSON values, but times by their instant, since
 * their text is the service's to choose (language §F.1, G.6).
 */
export function alike(schema: Schema, given: Json, shown: Json | undefined): boolean {
  if (shown === undefined) return false;
  if (schema['format'] === 'date-time' && typeof given === 'string' && typeof shown === 'string')
    return given === shown || Date.parse(given) === Date.parse(shown);
  const { items, properties } = schema as { items?: Schema; properties?: Record<string, Schema> };
  if (Array.isArray(given) && Array.isArray(shown) && typeof items === 'object')
    return (
      given.length === shown.length &&
      given.every((one: Json, index) => alike(items, one, shown[index] as Json))
    );
  if (properties && isObject(given) && isObject(shown)) {
    const names = new Set([...Object.keys(given), ...Object.keys(shown)]);
    return [...names].every(
      (name) =>
        Object.hasOwn(given, name) &&
        Object.hasOwn(shown, name) &&
        alike(properties[name] ?? {}, given[name] as Json, shown[name]),
    );
  }
  return equal(given, shown);
}

function isObject(value: Json): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is in one list and not in the other, entry by entry, in whatever order they stand (language §F.1). */
export function difference(
  before: readonly Json[],
  after: readonly Json[],
): { readonly gone: readonly Json[]; readonly come: readonly Json[] } {
  // Most stand where they stood.
  let from = 0;
  while (from < before.length && from < after.length && isSame(before[from] as Json, after[from] as Json))
    from += 1;
  const left = Map.groupBy(after.slice(from), spelled);
  const gone = before.slice(from).filter((entry) => left.get(spelled(entry))?.pop() === undefined);
  return { gone, come: [...left.values()].flat() };
}

function isSame(one: Json, other: Json): boolean {
  return one === other || equal(one, other);
}

/** A value in one spelling, whatever the order of its members. */
function spelled(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
