import {
  compileTemplate,
  type Environment,
  type Frame,
  type Item,
  type Run,
} from '../../expression/compile.ts';
import { callsMade } from '../../expression/expression.ts';
import { equal, functionCalled } from '../../expression/functions.ts';
import { expressionsIn } from '../../expression/template.ts';
import { type Json, ownMember, setMember } from '../../source/node.ts';
import { credentialFields } from '../../specification/model/holders.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { mayBeUuid, picksNumber } from '../../specification/rules/choice.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { compileMade, counting, uniquely } from '../content/made.ts';
import type { Key } from '../store/rows.ts';
import { keyBy, type Over } from './item.ts';
import type { AtHand, Brought, Changed, Members } from './kept.ts';
import { digestOf, hashedNow } from './secrets.ts';

/** Works a value out for an item at hand; `key`: null of a new one. */
type Making = (self: Item, frame: Frame, key: Key | null) => unknown;

/** How a field gets its value, as far as that is stated. */
interface Rule {
  readonly field: Field;
  readonly isSecret: boolean;
  readonly taken: Run | undefined;
  /** What the service sets on creation: the state in which a machine begins is one such value (language §3.1). */
  readonly create: Making | undefined;
  readonly update: Making | undefined;
  readonly fallback: Json | undefined;
}

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

/** Whether another item than the one at hand has this text in a field. */
export type TakenIn = (field: string, text: string, own: AtHand, frame: Frame) => boolean;

export function compileMaker(
  specification: Specification,
  resource: Resource,
  keyFields: readonly string[],
  over: Over,
  environment: Environment,
  isTaken: TakenIn,
  clear: Clear,
): Maker {
  const rules = new Map<string, Rule>();
  const run = (said: Said<PlacedTemplate> | undefined, field: Field): Making | undefined => {
    const placed = said && stated(said);
    if (said === undefined || placed === undefined) return undefined;
    const work = compileMade(placed.template, said.address, environment);
    if (!expressionsIn(placed.template).some(({ syntax }) => callsMade(syntax).includes('unique')))
      return (self, frame) => work(at(frame, self));
    return (self, frame, key) => {
      const own: AtHand = { member: (name) => self.member(name), key };
      return work(uniquely(at(frame, self), (text) => isTaken(field.name, text, own, frame)));
    };
  };
  for (const field of resource.fields.values()) {
    if (stated(field.derived)) continue;
    const machine = stated(stated(specification.states)?.get(`${resource.name}.${field.name}`));
    const taken = stated(field.taken);
    rules.set(field.name, {
      field,
      isSecret: stated(field.secret) === 'hashed',
      taken: taken && compileTemplate(taken.template, environment),
      create: run(field.create, field) ?? run(machine?.initial, field) ?? pick(field),
      update: run(field.update, field),
      fallback: stated(field.default),
    });
  }
  const credentials = credentialFields(specification, resource.name);
  const [first = '', another] = keyFields;
  const freshKey = another === undefined && makesUuid(resource.fields.get(first)) ? first : null;
  const updates = [...rules.values()].filter(({ update }) => update !== undefined);
  const secrets = [...rules.values()].filter(({ isSecret }) => isSecret).map(({ field }) => field.name);

  const keyIn = (name: string, value: unknown): unknown =>
    keyBy(stated(rules.get(name)?.field.refers)?.field ?? null, value);
  const taken = (name: string, value: unknown, self: Item, frame: Frame): unknown => {
    const take = rules.get(name)?.taken;
    return keyIn(
      name,
      take ? take({ ...at(frame, self), names: { ...frame.names, this: self, value } }) : value,
    );
  };
  /** The form in which a value is kept. */
  const sealed = (name: string, value: unknown, { makers }: Frame): unknown => {
    if (!secrets.includes(name) || value === null || value === undefined) return value;
    // By a credential its item is found, so that it has one form (language §F.1).
    return credentials.has(name) ? digestOf(value) : (makers.hashed ?? hashedNow)(value);
  };
  const standing = (members: Members, frame: Frame): Item => {
    const value = (name: string): unknown => own(members, name);
    return over({ value, row: null, clear: clear.get(members) }, () => frame);
  };
  /** What the service makes is told in the answer of the operation that made it, and kept otherwise. */
  const ownMade = (made: Members, name: string, value: unknown): unknown => {
    if (!secrets.includes(name) || value === null || value === undefined) return value;
    setMember(made, name, value);
    return digestOf(value);
  };
  return {
    standing,
    taken,
    create: ({ given, set = {}, made: isMade = none }, frame) => {
      const made: Members = {};
      const value = lazily((name) => {
        const rule = rules.get(name);
        if (Object.hasOwn(set, name))
          return isMade.includes(name)
            ? ownMade(made, name, set[name])
            : sealed(name, keyIn(name, set[name]), frame);
        if (Object.hasOwn(given, name)) return sealed(name, taken(name, given[name], item, frame), frame);
        if (rule?.create) return ownMade(made, name, keyIn(name, rule.create(item, frame, null)));
        return sealed(name, copied(rule?.fallback), frame);
      });
      const item: Item = over({ value, row: null, clear: made }, () => frame);
      const whole = (): Whole | { readonly missing: Field } => {
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
      };
      return { item, whole };
    },
    change: (
      before,
      { given, set = {}, made: isMade = none, gone = [], reset = [] },
      frame,
      isAnyway = false,
    ) => {
      const made: Members = {};
      const old = standing(before, frame);
      const members: Members = { ...before };
      for (const name of gone) delete members[name];
      for (const name of reset) {
        const fallback = rules.get(name)?.fallback;
        if (fallback === undefined) delete members[name];
        else setMember(members, name, sealed(name, copied(fallback), frame));
      }
      for (const [name, value] of Object.entries(given))
        setMember(members, name, sealed(name, taken(name, value, old, frame), frame));
      for (const [name, value] of Object.entries(set))
        setMember(
          members,
          name,
          isMade.includes(name) ? ownMade(made, name, value) : sealed(name, keyIn(name, value), frame),
        );
      const changed = isAnyway || !equal(before, members);
      if (Object.keys(made).length > 0) clear.set(members, made);
      const bare = () => ({ members, item: standing(members, frame), changed });
      if (!changed || updates.length === 0) return { ...bare(), fault: null };
      const within: Frame = { ...frame, names: { ...frame.names, old } };
      const key = keyFields.map((name) => ownMember(before, name)) as Key;
      const value = lazily((name) => {
        const update = Object.hasOwn(set, name) ? undefined : rules.get(name)?.update;
        return update ? ownMade(made, name, keyIn(name, update(item, within, key))) : own(members, name);
      });
      const item: Item = over({ value, row: null, clear: made }, () => frame);
      const after: Members = { ...members };
      try {
        for (const { field } of updates) setMember(after, field.name, value(field.name) ?? null);
      } catch (error) {
        return { ...bare(), fault: { error } };
      }
      if (Object.keys(made).length > 0) clear.set(after, made);
      return { members: after, item, changed, fault: null };
    },
  };
}

const none: readonly string[] = [];

/** Whether the service makes the value of a field so that no other item can have it. */
function makesUuid(field: Field | undefined): boolean {
  const template = field && stated(field.create)?.template;
  if (template?.kind !== 'expression') return field !== undefined && picksUuid(field);
  const { syntax } = template.expression;
  return functionCalled(syntax) === 'uuid';
}

function copied(value: Json | undefined): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** A value that the service picks where any will do: a new UUID, or the next number (language §F.1). */
function pick(field: Field): Making | undefined {
  if (picksUuid(field)) return (_self, { makers }) => makers.uuid(4);
  if (!picksNumber(field)) return undefined;
  return (_self, frame) => counting(frame, field.create.address).makers.sequence?.([]);
}

function picksUuid(field: Field): boolean {
  return field.create.kind === 'any' && mayBeUuid(field);
}

function at(frame: Frame, self: Item): Frame {
  return { ...frame, names: { ...frame.names, this: self } };
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
