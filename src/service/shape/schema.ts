import { type Json, setMember } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { type Others, schemaOf } from '../../specification/vocabulary/shape.ts';

type Schema = Record<string, Json>;

/**
 * The named shapes of a specification as definitions; names that part 2 leaves open admit anything. They are made once for
 * each rule, and for nobody to change.
 */
export function definitions(specification: Specification, rule: OthersRule | null): Schema {
  return rule === null ? plain(specification) : ruled(specification, rule.rule, rule.address);
}

const plain = once((specification: Specification) => definitionsBy(specification, null));
const ruled = once((specification: Specification, rule: Others | null, address: string) =>
  definitionsBy(specification, { rule, address }),
);

function definitionsBy(specification: Specification, rule: OthersRule | null): Schema {
  const found: Schema = {};
  for (const [name, said] of stated(specification.resources) ?? []) {
    const entry = stated(said);
    setMember(found, name, entry?.kind === 'shape' ? withRule(schemaOf(entry.shape), rule) : {});
  }
  for (const said of stated(specification.resources)?.values() ?? []) {
    const entry = stated(said);
    const uses = entry?.kind === 'shape' ? entry.shape.uses : [];
    const fields = entry?.kind === 'resource' ? [...entry.fields.values()].flatMap((f) => f.shape.uses) : [];
    for (const use of [...uses, ...fields])
      if (!Object.hasOwn(found, use.name)) setMember(found, use.name, {});
  }
  return found;
}

/** Whether a client may write a field, so far as that does not depend on the item. */
export function isWritable(field: Field): boolean {
  return stated(field.writable) !== false;
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
    else setMember(result, key, literals.includes(key) ? value : withRule(value, rule));
  }
  return result;
}

/** Of a schema what a client may give: members that it may not write are such as nobody stated (language §H.1). */
export function writableOnly(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(writableOnly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Schema = {};
  for (const [key, value] of Object.entries(schema as Schema))
    setMember(result, key, literals.includes(key) ? value : writableOnly(value));
  const { others } = result as {
    readonly others?: { readonly known?: string[]; readonly unwritable?: string[] };
  };
  const barred = others?.unwritable ?? [];
  if (barred.length === 0) return result;
  const stays = (name: string): boolean => !barred.includes(name);
  const properties = Object.entries((result['properties'] ?? {}) as Schema).filter(([name]) => stays(name));
  return {
    ...result,
    properties: Object.fromEntries(properties),
    required: ((result['required'] ?? []) as string[]).filter(stays),
    others: { ...others, known: (others?.known ?? []).filter(stays) },
  };
}

/** Keywords whose values are no schemas. */
const literals: readonly string[] = ['enum', 'const', 'default', 'examples'];
