import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { isList, isObject, type Value } from '../value/value.ts';

type Schema = Readonly<Record<string, Json>>;

/** A member by its name in the newest version, which expressions read, and by its name in the version of a request. */
interface Member {
  readonly member: string;
  /** Null: the version has no such member. */
  readonly name: string | null;
  readonly schema: Json | undefined;
}

/** Stands before a name that names nothing in this version, though the newest has such a member. No JSON has it. */
const unsaid = '\u0000';

/** What a field is called in a version (language §9.3, `was`); null: the version has no such field. */
export function nameIn({ was }: Specification, { name, address }: Field): string | null {
  return was?.has(address) ? (was.get(address) ?? null) : name;
}

/** A value of a schema with the names of the newest version, as a client of this version gave it (language §9.3, rule 15). */
export function takenIn(value: Value, schema: Json | undefined, version: Specification): Value {
  if (!differs(version)) return value;
  if (isList(value)) return value.map((element) => takenIn(element, itemsOf(schema, version), version));
  if (!isObject(value)) return value;
  const members = membersOf(schema, version);
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const found = members.find((member) => member.name === name);
      if (found) return [found.member, takenIn(given, found.schema, version)];
      return [members.some(({ member }) => member === name) ? unsaid + name : name, given];
    }),
  );
}

/** A value of a schema with the names of the version, as a client of this version is shown it. */
export function shownIn(value: Value, schema: Json | undefined, version: Specification): Value {
  if (!differs(version)) return value;
  if (isList(value)) return value.map((element) => shownIn(element, itemsOf(schema, version), version));
  if (!isObject(value)) return value;
  const members = membersOf(schema, version);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const found = members.find(({ member }) => member === name);
      if (found === undefined) return [[name, held]];
      return found.name === null ? [] : [[found.name, shownIn(held, found.schema, version)]];
    }),
  );
}

/** The names that lead to a member, with dots, as the version has them (language §7.2, rule 17). */
export function pathIn(path: string, schema: Json | undefined, version: Specification): string {
  if (!differs(version)) return path;
  const [first = '', ...rest] = path.split('.');
  const found = membersOf(schema, version).find(({ member }) => member === first);
  const name = found?.name ?? first.replace(unsaid, '');
  const inner = found?.schema ?? (/^\d+$/.test(first) ? itemsOf(schema, version) : undefined);
  return rest.length === 0 ? name : `${name}.${pathIn(rest.join('.'), inner, version)}`;
}

/** Whether a member was given by a name that names nothing in the version of the request. */
export function isUnsaid(name: string): boolean {
  return name.startsWith(unsaid);
}

/** Whether something within a value of a schema has another name in a version. */
export function isRenamed(
  schema: Json | undefined,
  version: Specification,
  within: readonly Json[] = [],
): boolean {
  if (!differs(version) || schema === undefined || within.includes(schema)) return false;
  const further = [...within, schema];
  return (
    membersOf(schema, version).some(
      ({ member, name, schema: inner }) => name !== member || isRenamed(inner, version, further),
    ) || isRenamed(itemsOf(schema, version), version, further)
  );
}

/** A schema of all fields of a resource, for the names of their members. */
export const schemaOfFields = once(({ fields, others }: Resource): Json => {
  const properties = [...fields.values()].map((field): [string, Json] => [field.name, schemaOfField(field)]);
  return { properties: Object.fromEntries(properties), others: { address: others.address } };
});

/** The schema of what a field stores. A reference is the key of an item. */
export function schemaOfField({ refers, shape }: Field): Json {
  return stated(refers) ? {} : (schemaOf(shape) as Schema);
}

function differs({ was }: Specification): boolean {
  return was !== undefined && was.size > 0;
}

/** The members that a schema states: its own, and those of schemas that it applies in the same place. */
function membersOf(schema: Json | undefined, version: Specification): readonly Member[] {
  return inPlace(schema, version).flatMap((each) =>
    Object.entries((each['properties'] ?? {}) as Schema).map(([member, inner]): Member => {
      const { address } = (each['others'] ?? {}) as { readonly address?: string };
      const list = address?.replace(/\.others$/, '.fields');
      const at = list === undefined ? undefined : step(list, member);
      const isOther = at !== undefined && version.was?.has(at);
      return { member, name: isOther ? (version.was?.get(at) ?? null) : member, schema: inner };
    }),
  );
}

function itemsOf(schema: Json | undefined, version: Specification): Json | undefined {
  const items = inPlace(schema, version).flatMap((each) => each['items'] ?? []);
  return items.length > 1 ? { allOf: items } : items[0];
}

/** A schema, and the schemas that it applies to the same value. */
function inPlace(schema: Json | undefined, version: Specification): readonly Schema[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  const own = schema as Schema;
  const name = typeof own['$ref'] === 'string' ? own['$ref'].slice('#/$defs/'.length) : undefined;
  const named = name === undefined ? undefined : stated(stated(version.resources)?.get(name));
  const further = [
    named?.kind === 'shape' ? schemaOf(named.shape) : undefined,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => (own[key] ?? []) as readonly Json[]),
    ...['if', 'then', 'else'].map((key) => own[key]),
  ];
  return [own, ...further.flatMap((each) => inPlace(each as Json | undefined, version))];
}
