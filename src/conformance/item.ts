import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { type Item, item } from './partly.ts';
import type { Random } from './random.ts';
import type { Schemas } from './schema.ts';
import { type Names, workOut } from './solve.ts';
import { unify, withLearned } from './unify.ts';
import type { Values } from './values.ts';

/**
 * What an answer tells of an item: the members that it shows, and those that it gives away elsewhere. A derived
 * member or a header field in which one thing is unknown tells that thing: `service.url + '/' + this.id`.
 *
 * @param shown the item as shown; undefined where the answer does not show it
 * @param before what was known of it: of this, the members that are never shown still hold
 * @param headers header fields, as stated and as received
 * @param given the request's body: members that are never shown are known from it alone
 */
export function itemSeen(
  resource: Resource,
  shown: Json | undefined,
  before: Item | undefined,
  names: Names,
  headers: readonly (readonly [Template, string])[],
  given?: Json,
): Item {
  const fields = [...resource.fields.values()];
  const members = membersOf(shown);
  const isShown = members !== undefined;
  const hidden = fields.filter((field) => !isReadable(field));
  const kept = isShown ? new Set(hidden.map((field) => field.name)) : new Set(resource.fields.keys());
  const known = [...(before?.known ?? [])].filter(([name]) => kept.has(name));
  for (const field of hidden) {
    const value = membersOf(given)?.[field.name];
    if (value !== undefined) known.push([field.name, value]);
  }
  const plain = fields.filter((field) => isShown && isReadable(field) && field.derived.kind === 'open');
  for (const { name } of plain)
    if (members && Object.hasOwn(members, name)) known.push([name, members[name] as Json]);
  const missing = plain
    .filter(({ name }) => members && !Object.hasOwn(members, name))
    .map(({ name }) => name);
  let found = item(resource, known, isShown ? missing : (before?.absent ?? []));
  const learn = (template: Template, observed: Json | undefined): void => {
    if (observed === undefined) return;
    const { truth, learned } = unify(workOut(template, new Map(names).set('this', found)), observed);
    if (truth.value === true) found = withLearned(found, learned);
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
  return stated(field.readable) === true;
}

/** What tells an item from every other; undefined while a part of it is unknown. */
export function identityOf({ resource, known }: Item): string | undefined {
  const names = stated(resource.identifier);
  if (names === undefined || !names.every((name) => known.has(name.text))) return undefined;
  return JSON.stringify(names.map((name) => known.get(name.text)));
}

/** An item that nobody has made: its identifier is made up, and fits its shape. */
export function keyOf(
  { tools, random }: { readonly tools: Schemas & Values; readonly random: Random },
  resource: Resource,
): Item {
  const names = (stated(resource.identifier) ?? []).map((name) => name.text);
  const made = names.flatMap((name) => {
    const field = resource.fields.get(name);
    const schema = field ? schemaOf(field.shape) : {};
    // Small numbers are likely to be taken: identifiers that count begin there.
    const large = random.whole(10 ** 9, 2 * 10 ** 9);
    const isNumber = schema['type'] === 'integer' && tools.failures(schema, large).length === 0;
    return [[name, isNumber ? large : (tools.valid(schema, 'most') ?? random.letters(12))] as const];
  });
  return item(resource, made, []);
}
