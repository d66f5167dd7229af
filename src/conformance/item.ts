import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { isAsked, stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { Unreached } from './check.ts';
import { type Item, item } from './partly.ts';
import type { Random } from './random.ts';
import { type Names, workOut } from './solve.ts';
import { unify, withLearned } from './unify.ts';
import type { Values } from './values.ts';

/**
 * What an answer tells of an item: the members that it shows, and those that it gives away elsewhere. A derived
 * member or a header field in which one thing is unknown tells that thing: `service.url + '/' + this.id`.
 *
 * @param shown the item as shown; undefined where the answer does not show it
 * @param before what was known of it: of this, the members that are never shown still hold
 * @param headers what else was stated and received: header fields, the body as a whole
 * @param fields what the item is shown through: its own fields, or those of a view
 * @param given the request's body: members that a client may write and never sees are known from it alone
 */
export function itemSeen(
  resource: Resource,
  shown: Json | undefined,
  before: Item | undefined,
  names: Names,
  headers: readonly (readonly [Template, Json])[],
  given?: Json,
  through: ReadonlyMap<string, Field> = resource.fields,
): Item {
  const fields = [...new Set([...resource.fields.values(), ...through.values()])];
  const members = membersOf(shown);
  const isShown = members !== undefined;
  const isPlain = (field: Field): boolean =>
    isReadable(field) && field.derived.kind === 'open' && field.shown.kind !== 'stated';
  const own = [...resource.fields.values()];
  const hidden = own.filter((field) => !isPlain(field) || through.get(field.name) !== field);
  const kept = isShown ? new Set(hidden.map((field) => field.name)) : new Set(resource.fields.keys());
  const known = [...(before?.known ?? [])].filter(([name]) => kept.has(name));
  // A member that is taken in otherwise than it is given is not known from what was given.
  for (const field of hidden.filter((one) => stated(one.writable) === true && !stated(one.taken))) {
    const value = membersOf(given)?.[field.name];
    if (value !== undefined) known.push([field.name, value]);
  }
  const plain = own.filter((field) => isShown && !hidden.includes(field));
  for (const { name } of plain)
    if (members && Object.hasOwn(members, name)) known.push([name, members[name] as Json]);
  const missing = plain
    .filter(({ name }) => members && !Object.hasOwn(members, name))
    .map(({ name }) => name);
  let found = item(resource, known, isShown ? missing : (before?.absent ?? []), before?.foreseen);
  const learn = (template: Template, observed: Json | undefined): void => {
    if (observed === undefined) return;
    const { truth, learned } = unify(workOut(template, new Map(names).set('this', found)), observed);
    const own = learned.filter((one) => one.of === found);
    if (truth.value === true) found = withLearned(found, own);
  };
  for (const field of fields)
    if (field.derived.kind === 'stated') learn(field.derived.value.template, membersOf(shown)?.[field.name]);
  for (const [template, received] of headers) learn(template, received);
  return found;
}

export type Members = { readonly [member: string]: Json };

/** The members of an object; undefined for any other value. */
export function membersOf(value: Json | undefined): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

export function isReadable(field: Field): boolean {
  return stated(field.readable) === true && !isAsked(field.shown);
}

/** What tells an item from every other; undefined while a part of it is unknown. */
export function identityOf({ resource, known }: Item): string | undefined {
  const names = stated(resource.identifier);
  if (names === undefined || !names.every((name) => known.has(name.text))) return undefined;
  return JSON.stringify(names.map((name) => known.get(name.text)));
}

/** An item that nobody has made: its identifier is made up, and fits its shape; so are the fields by which a path finds it. */
export function keyOf(fresh: Fresh, resource: Resource, bound: readonly string[] = []): Item {
  const names = [...new Set([...(stated(resource.identifier) ?? []).map((name) => name.text), ...bound])];
  return item(
    resource,
    names.map((name) => [name, freshValue(fresh, resource.fields.get(name))] as const),
    [],
  );
}

/** A value for a part of an identifier that this run has not used, and that is unlikely to be taken. */
export function freshValue({ values, random, used }: Fresh, field: Field | undefined): Json {
  const schema = field ? schemaOf(field.shape) : {};
  const { minimum, type } = schema;
  // Small numbers are likely to be taken: identifiers that count begin there.
  const low = Math.max(random.whole(10 ** 8, 2 * 10 ** 9), typeof minimum === 'number' ? minimum : 0);
  for (let i = 0; i < 20; i++) {
    const large = type === 'integer' ? values.valid({ ...schema, minimum: low + i }, 'most') : undefined;
    const value = large ?? values.valid(schema, 'most') ?? random.letters(12);
    if (used.has(JSON.stringify(value))) continue;
    used.add(JSON.stringify(value));
    return value;
  }
  throw new Unreached(`no value for ${field?.name ?? 'the identifier'} is left that was not used`);
}

/** A key for a request that may come again, which no other one has had (language §4.4). */
export function freshKey({ random, used }: Fresh): string {
  const key = `key-${random.letters(20)}`;
  used.add(JSON.stringify(key));
  return key;
}

/** Makes what must not have been used before: identifiers that a client gives. Each run has its own. */
export interface Fresh {
  readonly values: Values;
  readonly random: Random;
  readonly used: Set<string>;
}
