import type { Json } from '../../source/node.ts';

type Schema = Readonly<Record<string, Json>>;
type Conceal = (value: unknown) => void;

/**
 * A function that takes out of a value the members that its shape does not show, at any depth (language §H.1,
 * `readable`); undefined where there are none. The value is changed in place.
 */
export function concealer(schema: Json, definitions: Schema): Conceal | undefined {
  if (!hides(schema, definitions, new Set())) return undefined;
  const seen = new Map<Schema, { conceal: Conceal | undefined }>();
  const visit = (of: Json | undefined): Conceal | undefined => {
    const found = resolved(of, definitions);
    if (found === undefined) return undefined;
    const known = seen.get(found);
    if (known) return known.conceal ?? ((value) => known.conceal?.(value));
    const entry: { conceal: Conceal | undefined } = { conceal: undefined };
    seen.set(found, entry);
    const members = Object.entries((found['properties'] ?? {}) as Schema).flatMap(([name, inner]) => {
      const conceal = visit(inner);
      return conceal ? [[name, conceal] as const] : [];
    });
    const { unreadable = [] } = (found['others'] ?? {}) as { readonly unreadable?: readonly string[] };
    const [items, further] = [visit(found['items']), visit(found['additionalProperties'])];
    const places = Array.isArray(found['prefixItems']) ? found['prefixItems'].map(visit) : [];
    const alike = ['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
      (Array.isArray(found[key]) ? (found[key] as Json[]) : []).flatMap((one) => visit(one) ?? []),
    );
    for (const key of ['if', 'then', 'else']) alike.push(...[visit(found[key])].flatMap((one) => one ?? []));
    const isSilent = [members, unreadable, places.filter(Boolean), alike].every((list) => list.length === 0);
    if (isSilent && !items && !further) return undefined;
    entry.conceal = (value) => {
      if (Array.isArray(value))
        for (const [index, item] of value.entries()) (index < places.length ? places[index] : items)?.(item);
      else if (typeof value === 'object' && value !== null) {
        const object = value as Record<string, unknown>;
        for (const name of unreadable) delete object[name];
        for (const [name, conceal] of members) if (Object.hasOwn(object, name)) conceal(object[name]);
        const named = Object.keys((found['properties'] ?? {}) as Schema);
        if (further)
          for (const [name, member] of Object.entries(object)) if (!named.includes(name)) further(member);
      }
      for (const conceal of alike) conceal(value);
    };
    return entry.conceal;
  };
  return visit(schema);
}

/** Whether a schema, or one that it names, bars a member from being shown. */
function hides(schema: Json | undefined, definitions: Schema, seen: Set<Json>): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if ('unreadable' in schema) return true;
  const named = Array.isArray(schema) ? undefined : resolved(schema, definitions);
  const inner = named === schema || named === undefined ? Object.values(schema) : [named];
  return inner.some((one) => hides(one as Json, definitions, seen));
}

function resolved(schema: Json | undefined, definitions: Schema): Schema | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined;
  const reference = (schema as Schema)['$ref'];
  if (typeof reference !== 'string') return schema as Schema;
  return resolved(definitions[reference.slice('#/$defs/'.length)], definitions);
}
