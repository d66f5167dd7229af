import type { Environment, Frame, Item } from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import { type Json, ownMember, setMember } from '../../source/node.ts';
import { credentialFields } from '../../specification/model/holders.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Key } from '../store/rows.ts';
import { at, type FieldRule, fieldRulesOf, makesUuid, type TakenIn } from './field-rules.ts';
import { keyBy, type Over } from './item.ts';
import type { Brought, Changed, Members } from './kept.ts';
import { digestOf, hashedNow } from './secrets.ts';

/** An item as a change leaves it. */
export interface Draft {
  readonly members: Members;
  readonly item: Item;
}

interface Whole extends Draft {
  /** Whether its identifier was made for it, so that no other item can have it. */
  readonly isFresh: boolean;
  /** Whether the request gives its identifier. */
  readonly isGiven: boolean;
}

/** How items of a resource are made and changed (language §2.2, `taken`, `set`, `default`). */
export interface Maker {
  /** A new item, worked out as it is asked for; `whole` is undefined where its identifier lacks a part. */
  readonly create: (
    brought: Brought,
    frame: Frame,
  ) => { readonly item: Item; readonly whole: () => Whole | { readonly missing: Field } };
  readonly change: (
    before: Members,
    brought: Brought,
    frame: Frame,
    /** Whether it is a change to leave every value as it was (language §H.2, `same`). */
    isAnyway?: boolean,
  ) => Draft & Pick<Changed, 'changed' | 'fault'>;
  /** The item as it is. */
  readonly standing: (members: Members, frame: Frame) => Item;
  /** A value that a client gives, as it is taken in. */
  readonly taken: (name: string, value: unknown, self: Item, frame: Frame) => unknown;
}

/** Secrets as the service made them, by the members that hold them in the form that is kept. */
export type Clear = WeakMap<object, Members>;

/** What is stated of how items of a resource are made, compiled. */
interface Recipe {
  readonly rules: ReadonlyMap<string, FieldRule>;
  /** The rules of fields that the service sets at each change. */
  readonly updates: readonly FieldRule[];
  readonly keyFields: readonly string[];
  /** The field of the identifier that the service makes so that no other item can have it; null: there is none. */
  readonly freshKey: string | null;
  readonly secrets: readonly string[];
  /** The fields of credentials, by which items are found. */
  readonly credentials: { readonly has: (name: string) => boolean };
  readonly over: Over;
  readonly clear: Clear;
}

export function compileMaker(
  specification: Specification,
  resource: Resource,
  keyFields: readonly string[],
  over: Over,
  environment: Environment,
  isTaken: TakenIn,
  clear: Clear,
): Maker {
  const rules = fieldRulesOf(specification, resource, environment, isTaken);
  const all = [...rules.values()];
  const [first = '', another] = keyFields;
  const recipe: Recipe = {
    rules,
    updates: all.filter(({ update }) => update !== undefined),
    keyFields,
    freshKey: another === undefined && makesUuid(resource.fields.get(first)) ? first : null,
    secrets: all.filter(({ isSecret }) => isSecret).map(({ field }) => field.name),
    credentials: credentialFields(specification, resource.name),
    over,
    clear,
  };
  return {
    standing: (members, frame) => standing(recipe, members, frame),
    taken: (name, value, self, frame) => taken(recipe, name, value, self, frame),
    create: (brought, frame) => create(recipe, brought, frame),
    change: (before, brought, frame, isAnyway = false) => change(recipe, before, brought, frame, isAnyway),
  };
}

function standing({ over, clear }: Recipe, members: Members, frame: Frame): Item {
  const value = (name: string): unknown => own(members, name);
  return over({ value, row: null, clear: clear.get(members) }, () => frame);
}

function keyIn({ rules }: Recipe, name: string, value: unknown): unknown {
  return keyBy(stated(rules.get(name)?.field.refers)?.field ?? null, value);
}

function taken(recipe: Recipe, name: string, value: unknown, self: Item, frame: Frame): unknown {
  const take = recipe.rules.get(name)?.taken;
  const found = take ? take({ ...at(frame, self), names: { ...frame.names, this: self, value } }) : value;
  return keyIn(recipe, name, found);
}

/** The form in which a value is kept. */
function sealed({ secrets, credentials }: Recipe, name: string, value: unknown, { makers }: Frame): unknown {
  if (!secrets.includes(name) || value === null || value === undefined) return value;
  // By a credential its item is found, so that it has one form (language §F.1).
  return credentials.has(name) ? digestOf(value) : (makers.hashed ?? hashedNow)(value);
}

/** What the service makes is told in the answer of the operation that made it, and kept otherwise. */
function ownMade({ secrets }: Recipe, made: Members, name: string, value: unknown): unknown {
  if (!secrets.includes(name) || value === null || value === undefined) return value;
  setMember(made, name, value);
  return digestOf(value);
}

/** A value that the document sets, as it is kept; `isMade`: those that it makes. */
function setTo(
  recipe: Recipe,
  { set = {}, made: isMade = none }: Brought,
  made: Members,
  name: string,
  frame: Frame,
): unknown {
  return isMade.includes(name)
    ? ownMade(recipe, made, name, set[name])
    : sealed(recipe, name, keyIn(recipe, name, set[name]), frame);
}

function create(recipe: Recipe, brought: Brought, frame: Frame): ReturnType<Maker['create']> {
  const { rules, over } = recipe;
  const { given, set = {} } = brought;
  const made: Members = {};
  const value = lazily((name) => {
    const rule = rules.get(name);
    if (Object.hasOwn(set, name)) return setTo(recipe, brought, made, name, frame);
    if (Object.hasOwn(given, name))
      return sealed(recipe, name, taken(recipe, name, given[name], item, frame), frame);
    if (rule?.create) return ownMade(recipe, made, name, keyIn(recipe, name, rule.create(item, frame, null)));
    return sealed(recipe, name, copied(rule?.fallback), frame);
  });
  const item: Item = over({ value, row: null, clear: made }, () => frame);
  return { item, whole: () => wholeOf(recipe, brought, { item, value, made }) };
}

/** A new item whose values are worked out as they are asked for, and the secrets that were made for it. */
interface New {
  readonly item: Item;
  readonly value: (name: string) => unknown;
  readonly made: Members;
}

function wholeOf(
  { rules, keyFields, freshKey, secrets, clear }: Recipe,
  { given, set = {} }: Brought,
  { item, value, made }: New,
): Whole | { readonly missing: Field } {
  const members: Members = {};
  for (const [name, { field }] of rules) {
    const found = value(name);
    if (found !== undefined) setMember(members, name, found);
    else if (keyFields.includes(name)) return { missing: field };
  }
  for (const brought of [given, set])
    for (const name of Object.keys(brought)) {
      const found = rules.has(name) ? undefined : value(name);
      if (found !== undefined) setMember(members, name, found);
    }
  if (secrets.length > 0 && Object.keys(made).length > 0) clear.set(members, made);
  const isFresh = freshKey !== null && !Object.hasOwn(set, freshKey) && !Object.hasOwn(given, freshKey);
  const isGiven = keyFields.every((name) => Object.hasOwn(set, name) || Object.hasOwn(given, name));
  return { members, item, isFresh, isGiven };
}

function change(
  recipe: Recipe,
  before: Members,
  brought: Brought,
  frame: Frame,
  isAnyway: boolean,
): ReturnType<Maker['change']> {
  const { updates, clear } = recipe;
  const made: Members = {};
  const old = standing(recipe, before, frame);
  const members = broughtTo(recipe, before, brought, { old, made, frame });
  const changed = isAnyway || !equal(before, members);
  if (Object.keys(made).length > 0) clear.set(members, made);
  const bare = () => ({ members, item: standing(recipe, members, frame), changed });
  if (!changed || updates.length === 0) return { ...bare(), fault: null };
  try {
    return { ...updated(recipe, before, brought, { members, old, made, frame }), changed, fault: null };
  } catch (error) {
    return { ...bare(), fault: { error } };
  }
}

/** The item before a change, the secrets that are made by it, and where it is worked out. */
interface Changing {
  readonly old: Item;
  readonly made: Members;
  readonly frame: Frame;
}

/** The members as the request, and what the document sets, leave them. */
function broughtTo(
  recipe: Recipe,
  before: Members,
  brought: Brought,
  { old, made, frame }: Changing,
): Members {
  const { given, set = {}, gone = [], reset = [] } = brought;
  const members: Members = { ...before };
  for (const name of gone) delete members[name];
  for (const name of reset) {
    const fallback = recipe.rules.get(name)?.fallback;
    if (fallback === undefined) delete members[name];
    else setMember(members, name, sealed(recipe, name, copied(fallback), frame));
  }
  for (const [name, value] of Object.entries(given))
    setMember(members, name, sealed(recipe, name, taken(recipe, name, value, old, frame), frame));
  for (const name of Object.keys(set)) setMember(members, name, setTo(recipe, brought, made, name, frame));
  return members;
}

/** The item with what the service sets at each change. */
function updated(
  recipe: Recipe,
  before: Members,
  { set = {} }: Brought,
  { members, old, made, frame }: Changing & { readonly members: Members },
): Draft {
  const { rules, updates, keyFields, over, clear } = recipe;
  const within: Frame = { ...frame, names: { ...frame.names, old } };
  const key = keyFields.map((name) => ownMember(before, name)) as Key;
  const value = lazily((name) => {
    const update = Object.hasOwn(set, name) ? undefined : rules.get(name)?.update;
    if (!update) return own(members, name);
    return ownMade(recipe, made, name, keyIn(recipe, name, update(item, within, key)));
  });
  const item: Item = over({ value, row: null, clear: made }, () => frame);
  const after: Members = { ...members };
  for (const { field } of updates) setMember(after, field.name, value(field.name) ?? null);
  if (Object.keys(made).length > 0) clear.set(after, made);
  return { members: after, item };
}

const none: readonly string[] = [];

function copied(value: Json | undefined): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Values that are worked out as they are asked for: one may read another, whichever is written first. */
function lazily(make: (name: string) => unknown): (name: string) => unknown {
  const found = new Map<string, unknown>();
  return (name) => {
    if (!found.has(name)) {
      found.set(name, undefined);
      found.set(name, make(name));
    }
    return found.get(name);
  };
}
