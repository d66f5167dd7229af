import { path } from '../../expression/expression.ts';
import { equal } from '../../expression/functions.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Change, isAboutResource } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { identityOf } from '../item.ts';
import {
  type Item,
  isAbsent,
  isHole,
  isItem,
  isMixed,
  isReference,
  isWorld,
  type Partly,
  type Reference,
  type World,
  world,
  worldName,
} from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import { type Move, moveNamed, movesAskedBy } from '../states/machines.ts';
import type { Judged } from './conditions.ts';
import { type Foreseen, foreseeChange, plainly } from './foresee.ts';
import { thereName } from './present.ts';

/** What a change that follows another should do to one item: before or after is null where there is none. */
export interface Effect {
  readonly of: Also;
  readonly resource: string;
  readonly before: Item | null;
  readonly after: Item | null;
}

/** A change that follows another, and where it stands (language §H.2, `also`). */
export interface Also {
  readonly change: Change;
  readonly address: Address;
  readonly at: Change['at'];
  /** It is what the operation does, and `this` is each item that it is about. */
  readonly isDoes?: true;
}

/** All that follows a change, as far as it can be foreseen. */
export interface Following {
  readonly effects: readonly Effect[];
  /** The changes that are carried out; of those that are not, `when` is not true, or `for` is empty. */
  readonly done: ReadonlyMap<Also, readonly Effect[]>;
  /** The resources of which it cannot be told what becomes. */
  readonly unknown: ReadonlySet<string>;
  readonly judged: readonly Judged[];
}

/** The items of each resource, as far as they are known; undefined where they are not. */
export type Kept = (resource: string) => readonly Item[] | undefined;

/** The changes that follow what an operation does: those of the transitions that it makes, then its own. */
export function alsoOf(operation: Operation, moves: readonly Move[]): readonly Also[] {
  const said = [...moves.map(({ transition }) => transition.also), operation.endpoint.also];
  return said.flatMap((one) => listed(one));
}

const listed = once((said: Operation['endpoint']['also']): readonly Also[] => {
  return (stated(said) ?? []).map((change, index) => ({
    change,
    address: step(said.address, index),
    at: change.at,
  }));
});

/** What an operation does to every item, as one that follows: it is followed through in the same way. */
export const doesAsFollowing = once((operation: Operation): readonly Also[] => {
  const { does } = operation;
  if (does.kind !== 'stated' || does.value.subject.kind !== 'every') return [];
  return [
    { change: does.value, address: step(does.address, does.value.verb), at: does.value.at, isDoes: true },
  ];
});

/** Every change that may follow a request to an operation, whatever it comes to. */
export function alsoAny(of: Specification, operation: Operation, moves: readonly Move[]): readonly Also[] {
  const own = alsoOf(operation, moves);
  const nested = own.flatMap(({ change }) => {
    const resource = of.resourcesByName.get(change.subject.name ?? '');
    const move = resource && moveNamed(of, resource, change.verb);
    return move ? listed(move.transition.also) : [];
  });
  return [...own, ...nested];
}

/** The resources of which items may be made, changed or removed besides what an operation is about. */
export const touchedBy = once((of: Specification, operation: Operation): readonly string[] => {
  const names = alsoAny(of, operation, movesAskedBy(of, operation)).map(({ change }) =>
    change.subject.kind === 'one' || change.subject.kind === 'every' ? change.subject.name : null,
  );
  // What an expression names may be of any kind.
  const all = names.includes(null) ? [...of.resourcesByName.keys()] : names.filter((name) => name !== null);
  return [...new Set(all)];
});

/** The names that a change which follows may read: what `does` was about, as it is now and as it was (language §G.2). */
export function namesAfter(operation: Operation, names: Names, { before, after, outcome }: Foreseen): Names {
  const found = new Map(names);
  const subject = after ?? before;
  if (subject) found.set('this', subject);
  found.set('old', before);
  if (outcome) found.set('outcome', outcome);
  const bound = stated(stated(operation.does)?.qualifiers.as);
  if (bound && subject) found.set(bound.text, subject);
  return found;
}

/** Follows a change through: what else is made, changed and removed, in order (language §H.2). */
export function follow(of: Specification, changes: readonly Also[], names: Names, kept: Kept): Following {
  const effects: Effect[] = [];
  const done = new Map<Also, Effect[]>();
  const unknown = new Set<string>();
  const judged: Judged[] = [];
  const now = new Map<string, readonly Item[] | undefined>();
  const current: Kept = (name) => (now.has(name) ? now.get(name) : kept(name));
  const at = new Map(names).set(worldName, worldBy(current, names.get(worldName)));
  /** An item as it is by now, after what was done to it before. */
  const asNow = (item: Item): Item =>
    effects.findLast(({ before, after }) => after && before && isSame(before, item))?.after ?? item;
  const carryOut = (one: Also, seen: Names): void => {
    const targets = targetsOf(of, one.change, seen, current);
    if (targets === undefined) return void unknown.add(one.change.subject.name ?? '');
    for (const { resource, item } of targets) {
      const about = of.resourcesByName.get(resource);
      if (about === undefined) continue;
      const own = one.change.qualifiers.as;
      const before = item && asNow(item);
      const within = new Map(seen);
      within.delete(thereName);
      if (item && own.kind === 'stated') within.set(own.value.text, item);
      if (item && one.isDoes) within.set('this', item);
      const there = item === null && twin(of, one.change, about, within, current(resource));
      if (there === undefined) unknown.add(resource);
      if (there) within.set(thereName, there);
      const found = foreseeChange(of, one.change, about, before, within, plainly);
      judged.push(...found.judged);
      const effect = { of: one, resource, before: found.before, after: found.after };
      effects.push(effect);
      done.set(one, [...(done.get(one) ?? []), effect]);
      now.set(resource, changed(current(resource), effect));
      const bound = found.after ?? found.before;
      if (own.kind === 'stated' && bound) at.set(own.value.text, bound);
      for (const { transition } of found.moves)
        for (const next of listed(transition.also)) each(next, namesOf(seen, found));
    }
  };
  const each = (one: Also, seen: Names): void => {
    const { qualifiers } = one.change;
    const times = stated(qualifiers.for);
    const list = times ? workOut(times.template, seen) : [null];
    if (!Array.isArray(list)) {
      if (!isNothing(list)) unknown.add(one.change.subject.name ?? '');
      return;
    }
    for (const value of list as readonly Partly[]) {
      const inner = times ? new Map(seen).set('value', value) : seen;
      const when = stated(qualifiers.when);
      const holds = when ? workOut(when.template, inner) : true;
      if (isHole(holds) || isMixed(holds)) unknown.add(one.change.subject.name ?? '');
      else if (holds === true) carryOut(one, inner);
    }
  };
  for (const one of changes) each(one, at);
  return { effects, done, unknown, judged };
}

/** All that is kept, as it is by then; of resources of which not all is known, what else is known of them. */
function worldBy(current: Kept, otherwise: Partly | undefined): World {
  const around = isWorld(otherwise) ? otherwise : null;
  return world(
    (name, field, key) => {
      const items = current(name);
      if (items === undefined) return around?.find(name, field, key) ?? null;
      return items.find((one) => one.known.has(field) && equal(one.known.get(field), key)) ?? null;
    },
    (name) => current(name) ?? around?.all(name) ?? null,
  );
}

function namesOf(names: Names, { before, after }: Foreseen): Names {
  return new Map(names).set('this', after ?? before).set('old', before);
}

function isNothing(value: Partly): boolean {
  return value === null || isAbsent(value);
}

/** The items that a change is about, of which one that is to be made is null; undefined where that cannot be told. */
function targetsOf(
  of: Specification,
  change: Change,
  names: Names,
  kept: Kept,
): readonly { readonly resource: string; readonly item: Item | null }[] | undefined {
  const { subject, verb, qualifiers } = change;
  if (verb === 'create') return subject.name === null ? undefined : [{ resource: subject.name, item: null }];
  if (!isAboutResource(change)) {
    const value =
      subject.kind === 'expression' ? workOut(subject.item.template, names) : names.get(subject.name);
    const item = isReference(value) ? referred(of, subject, value, names, kept) : value;
    return isItem(item) && identityOf(item) !== undefined
      ? [{ resource: item.resource.name, item }]
      : undefined;
  }
  const items = kept(change.subject.name);
  const where = stated(qualifiers.where);
  if (items === undefined || (where === undefined && subject.kind !== 'every')) return undefined;
  if (of.resourcesByName.get(change.subject.name) === undefined) return undefined;
  const judged = items.map((item) => ({
    item,
    holds: where ? workOut(where.template, new Map(names).set('this', item)) : true,
  }));
  if (judged.some(({ holds }) => isHole(holds) || isMixed(holds))) return undefined;
  return judged
    .filter(({ holds }) => holds === true)
    .map(({ item }) => ({ resource: change.subject.name, item }));
}

/** The item that `this.f` refers to, as it was before the request. */
function referred(
  of: Specification,
  subject: Change['subject'],
  { key, field, item }: Reference,
  names: Names,
  kept: Kept,
): Item | null {
  if (item) return kept(item.resource.name)?.find((one) => isSame(one, item)) ?? item;
  const template = subject.kind === 'expression' ? subject.item.template : null;
  const [first, name] = (template?.kind === 'expression' && path(template.expression.syntax)) || [];
  const owner = names.get(first ?? '');
  const to = isItem(owner) ? stated(owner.resource.fields.get(name ?? '')?.refers) : undefined;
  const items = to && of.resourcesByName.has(to.resource) ? kept(to.resource) : undefined;
  return items?.find((one) => one.known.has(field) && equal(one.known.get(field), key)) ?? null;
}

/** The item that is there already where one is to be made (language §H.2, `present`); undefined where that cannot be told. */
function twin(
  of: Specification,
  change: Change,
  resource: Resource,
  names: Names,
  items: readonly Item[] | undefined,
): Item | null | undefined {
  if (change.verb !== 'create' || stated(change.qualifiers.present) === undefined) return null;
  const { after } = foreseeChange(of, change, resource, null, names, plainly);
  const identity = after && identityOf(after);
  if (items === undefined || !identity) return undefined;
  return items.find((one) => identityOf(one) === identity) ?? null;
}

export function isSame(a: Item, b: Item): boolean {
  const identity = identityOf(a);
  return a === b || (identity !== undefined && a.resource === b.resource && identity === identityOf(b));
}

function changed(items: readonly Item[] | undefined, { before, after }: Effect): readonly Item[] | undefined {
  if (items === undefined) return undefined;
  const others = before ? items.filter((one) => !isSame(one, before)) : items;
  return after ? [...others, after] : others;
}
