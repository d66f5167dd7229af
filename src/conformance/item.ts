import { pathsIn, type Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import { isAsked, stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { Unreached } from './check.ts';
import { type Around, breaksHolds, valuesToHold } from './holding.ts';
import { type Item, item } from './partly.ts';
import type { Random } from './random.ts';
import { type Names, workOut } from './solve.ts';
import { unify, withLearned } from './unify.ts';
import { large, merged, type Values } from './values.ts';

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
  const { plain, hidden, asGiven, telling } = shownThrough(resource, through);
  const members = membersOf(shown);
  const kept = members ? hidden : resource.fields;
  const known = [...(before?.known ?? [])].filter(([name]) => kept.has(name));
  for (const name of asGiven) {
    const value = membersOf(given)?.[name];
    if (value !== undefined) known.push([name, value]);
  }
  const missing: string[] = [];
  for (const name of members ? plain : [])
    if (Object.hasOwn(members as Members, name)) known.push([name, members?.[name] as Json]);
    else missing.push(name);
  let found = item(resource, known, members ? missing : (before?.absent ?? []), before?.foreseen);
  const learn = (template: Template, observed: Json | undefined): void => {
    if (observed === undefined) return;
    const { truth, learned } = unify(workOut(template, new Map(names).set('this', found)), observed);
    const own = learned.filter((one) => one.of === found);
    if (truth.value === true) found = withLearned(found, own);
  };
  for (const [name, template] of members ? telling : []) learn(template, members?.[name]);
  for (const [template, received] of headers) learn(template, received);
  return found;
}

/** What members that are shown through some fields tell of an item of a resource. */
const shownThrough = once((resource: Resource, through: ReadonlyMap<string, Field>) => {
  const isPlain = (field: Field): boolean =>
    isReadable(field) &&
    field.derived.kind === 'open' &&
    field.shown.kind !== 'stated' &&
    through.get(field.name) === field;
  const own = [...resource.fields.values()];
  const all = [...new Set([...own, ...through.values()])];
  const hidden = own.filter((field) => !isPlain(field));
  // A member that is taken in otherwise than it is given is not known from what was given.
  const asGiven = hidden.filter((one) => stated(one.writable) === true && !stated(one.taken));
  return {
    plain: own.filter(isPlain).map(({ name }) => name),
    hidden: new Set(hidden.map(({ name }) => name)),
    asGiven: asGiven.map(({ name }) => name),
    telling: all.flatMap(({ name, derived }): [string, Template][] =>
      derived.kind === 'stated' && readsOf(derived.value.template, hidden)
        ? [[name, derived.value.template]]
        : [],
    ),
  };
});

/** Whether what is worked out reads one of these fields of the item. */
function readsOf(template: Template, fields: readonly Field[]): boolean {
  return pathsIn(template).some(
    ([first, name]) => first === 'this' && fields.some((field) => field.name === name),
  );
}

/** Whether an item that is shown through these fields is known from that alone, whatever else was asked. */
export function tellsAll(resource: Resource, through: ReadonlyMap<string, Field>): boolean {
  return shownThrough(resource, through).telling.length === 0;
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
export const identityOf = once(({ resource, known }: Item): string | undefined => {
  const names = stated(resource.identifier);
  if (names === undefined || !names.every((name) => known.has(name.text))) return undefined;
  return JSON.stringify(names.map((name) => known.get(name.text)));
});

/** An item that nobody has made: its identifier is made up, and fits its shape; so are the fields by which a path finds it. */
export function keyOf(fresh: Fresh, resource: Resource, bound: readonly string[] = []): Item {
  const names = [...new Set([...(stated(resource.identifier) ?? []).map((name) => name.text), ...bound])];
  return item(
    resource,
    names.map((name) => [name, freshValue(fresh, resource.fields.get(name))] as const),
    [],
  );
}

/**
 * A value for a part of an identifier that this run has not used, and that is unlikely to be taken. It does not break what
 * should hold of its field, where such a value is found.
 */
export function freshValue(fresh: Fresh, field: Field | undefined, around: Around | null = null): Json {
  const { used } = fresh;
  const breaks = (value: Json): boolean => field !== undefined && breaksHolds(field, value, around);
  let best: Json | undefined;
  let broken: Json | undefined;
  let tries = 0;
  for (const value of candidates(fresh, field, around)) {
    tries++;
    if (used.has(markOf(value))) continue;
    if (breaks(value)) broken ??= value;
    // Short texts are likely to be taken, too.
    else if (best === undefined || lengthOf(value) > lengthOf(best)) best = value;
    if (best !== undefined && (lengthOf(best) >= longEnough || tries >= 10)) break;
  }
  const found = best ?? broken;
  if (found === undefined)
    throw new Unreached(`no value for ${field?.name ?? 'the identifier'} is left that was not used`);
  used.add(markOf(found));
  return found;
}

/** Values that the shape of a field admits: by chance first, then as what should hold of it says. */
function* candidates(
  { values, random }: Fresh,
  field: Field | undefined,
  around: Around | null,
): Iterable<Json> {
  const schema = field ? schemaOf(field.shape) : {};
  // Small numbers are likely to be taken: identifiers that count begin there.
  const counting = schema['type'] === 'integer' ? merged(schema, large) : undefined;
  for (let tries = 0; tries < 20; tries++) {
    const far = counting && values.valid(counting, 'most');
    yield far ?? values.valid(schema, 'most') ?? random.letters(12);
  }
  if (field?.holds.kind !== 'stated') return;
  for (let tries = 0; tries < 20; tries++)
    yield* [values.valid(schema, 'most')].filter((one) => one !== undefined);
  yield* valuesToHold(values, random, field, around);
}

/** From so many characters on, two texts that are made by chance are hardly alike. */
const longEnough = 6;

function lengthOf(value: Json): number {
  return typeof value === 'string' ? value.length : longEnough;
}

/** Two values have one mark that may be alike to an implementation: texts are where case does not count. */
function markOf(value: Json): string {
  return JSON.stringify(value).toLowerCase();
}

/** A key for a request that may come again, which no other one has had (language §4.4). */
export function freshKey({ random, used }: Fresh): string {
  const key = `key-${random.letters(20)}`;
  used.add(markOf(key));
  return key;
}

/** Makes what must not have been used before: identifiers that a client gives. Each run has its own. */
export interface Fresh {
  readonly values: Values;
  readonly random: Random;
  readonly used: Set<string>;
}
