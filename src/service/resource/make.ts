import { compileTemplate, type Frame, type Item, type Run, type Show } from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import { type Json, setMember } from '../../source/node.ts';
import { mayBeUuid } from '../../specification/choice.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';
import { keyOf, type Over } from './item.ts';
import type { Brought, Changed, Made, Members } from './kept.ts';

/** How a field gets its value, as far as that is stated. */
interface Making {
  readonly field: Field;
  readonly taken: Run | undefined;
  /** What the service sets on creation: the state that a machine begins in is one such value (language §3.1). */
  readonly create: Run | undefined;
  readonly update: Run | undefined;
  readonly fallback: Json | undefined;
}

/** A change before it is known what is wrong with it. */
type Draft<T> = Omit<T, 'checked'>;

/** How items of a resource are made and changed (language §2, `taken`, `set`, `default`). */
export interface Maker {
  readonly create: (
    brought: Brought,
    frame: Frame,
  ) => Draft<Exclude<Made, { missing: Field }>> | { missing: Field };
  readonly change: (before: Members, brought: Brought, frame: Frame) => Draft<Changed>;
}

export function compileMaker(
  specification: Specification,
  resource: Resource,
  keyFields: readonly string[],
  over: Over,
  show: Show,
): Maker {
  const makings = new Map<string, Making>();
  const run = (said: Said<PlacedTemplate>): Run | undefined => {
    const template = stated(said);
    return template && compileTemplate(template.template, show);
  };
  for (const field of resource.fields.values()) {
    if (stated(field.derived)) continue;
    const machine = stated(stated(specification.states)?.get(`${resource.name}.${field.name}`));
    makings.set(field.name, {
      field,
      taken: run(field.taken),
      create: run(field.create) ?? (machine && run(machine.initial)) ?? pick(field),
      update: run(field.update),
      fallback: stated(field.default),
    });
  }
  const updates = [...makings].flatMap(([name, { update }]) => (update ? [[name, update] as const] : []));
  const taken = (name: string, value: unknown, self: Item, frame: Frame): unknown => {
    const take = makings.get(name)?.taken;
    return keyOf(take ? take(at(frame, self, { value })) : value);
  };
  return {
    create: ({ given, set = {} }, frame) => {
      const make = (name: string, self: Item): unknown => {
        if (Object.hasOwn(set, name)) return keyOf(set[name]);
        if (Object.hasOwn(given, name)) return taken(name, given[name], self, frame);
        const making = makings.get(name);
        if (making?.create) return keyOf(making.create(at(frame, self)));
        return structuredClone(making?.fallback);
      };
      const made = lazily(make, over, frame);
      const members: Members = {};
      for (const name of new Set([...makings.keys(), ...Object.keys(given), ...Object.keys(set)])) {
        const value = made.value(name);
        if (value !== undefined) setMember(members, name, value);
        else if (keyFields.includes(name)) return { missing: makings.get(name)?.field as Field };
      }
      return { members };
    },
    change: (before, { given, set = {}, gone = [], reset = [] }, frame) => {
      const old = overMembers(before, over, frame);
      const members: Members = { ...before };
      for (const name of gone) delete members[name];
      for (const name of reset) {
        const fallback = makings.get(name)?.fallback;
        if (fallback === undefined) delete members[name];
        else setMember(members, name, structuredClone(fallback));
      }
      for (const [name, value] of Object.entries(given))
        setMember(members, name, taken(name, value, old, frame));
      for (const [name, value] of Object.entries(set)) setMember(members, name, keyOf(value));
      const changed = !equal(before, members);
      if (!changed || updates.length === 0) return { members, changed };
      const own = new Map(updates);
      const make = (name: string, self: Item): unknown => {
        const update = own.get(name);
        if (update && !Object.hasOwn(set, name)) return keyOf(update(at(frame, self, { old })));
        return Object.hasOwn(members, name) ? members[name] : undefined;
      };
      const after = lazily(make, over, frame);
      for (const [name] of updates) setMember(members, name, after.value(name) ?? null);
      return { members, changed };
    },
  };
}

/** A value that the service picks where any will do: a new UUID (language §F.1). */
function pick(field: Field): Run | undefined {
  if (field.create.kind !== 'any' || !mayBeUuid(field)) return undefined;
  return ({ makers }) => makers.uuid(4);
}

function at(frame: Frame, self: Item, more: Readonly<Record<string, unknown>> = {}): Frame {
  return { ...frame, names: { ...frame.names, ...more, this: self } };
}

/** An item whose values are worked out as they are asked for: one may read another, whichever is written first. */
function lazily(
  make: (name: string, self: Item) => unknown,
  over: Over,
  frame: Frame,
): { readonly value: (name: string) => unknown } {
  const found = new Map<string, unknown>();
  const value = (name: string): unknown => {
    if (!found.has(name)) {
      found.set(name, undefined);
      found.set(name, make(name, self));
    }
    return found.get(name);
  };
  const self = over({ value, row: () => null }, () => frame);
  return { value };
}

/** An item that has these members. */
export function overMembers(members: Members, over: Over, frame: Frame): Item {
  const value = (name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined);
  return over({ value, row: () => null }, () => frame);
}
