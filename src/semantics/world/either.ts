import { areAlike, type Pairs } from '../value/alike.ts';
import { Forgotten, Range, type Value } from '../value/value.ts';
import type { Stored } from './stored.ts';
import type { Timer } from './timer.ts';

/** What is known of the items of a resource, whichever of two things happened. */
interface EitherItems {
  readonly items: readonly Stored[];
  /** The items that are there in one case only. */
  readonly doubtful: readonly Stored[];
}

/**
 * The items of a resource, whichever of two things happened: a member that differs is forgotten until an answer shows it.
 *
 * @param identifier the fields that tell one item from another
 * @returns null: one handle stands for two items
 */
export function eitherItems(
  some: readonly Stored[],
  others: readonly Stored[],
  identifier: readonly string[],
  pairs: Pairs,
): EitherItems | null {
  if (some === others) return { items: some, doubtful: [] };
  const beside = new Map(others.map((each) => [each.handle, each]));
  const items: Stored[] = [];
  const doubtful: Stored[] = [];
  for (const each of some) {
    const other = beside.get(each.handle);
    beside.delete(each.handle);
    const isOther = other && identifier.some((name) => !haveAlike(each, other, name, pairs));
    if (isOther) return null;
    items.push(other ? eitherItem(each, other, pairs) : each);
    if (!other) doubtful.push(each);
  }
  return { items: [...items, ...beside.values()], doubtful: [...doubtful, ...beside.values()] };
}

function eitherItem(one: Stored, other: Stored, pairs: Pairs): Stored {
  if (one === other) return one;
  const names = new Set([...one.members.keys(), ...other.members.keys()]);
  const members = [...names].map((name): [string, Value] => {
    const value = one.members.get(name);
    return [name, value !== undefined && haveAlike(one, other, name, pairs) ? value : new Forgotten()];
  });
  return { ...one, members: new Map(members) };
}

function haveAlike(one: Stored, other: Stored, name: string, pairs: Pairs): boolean {
  const [value, beside] = [one.members.get(name), other.members.get(name)];
  return value === undefined ? beside === undefined : areAlike(value, beside, pairs);
}

/** What items may do by themselves, whichever of two things happened. */
export function eitherTimers(some: readonly Timer[], others: readonly Timer[], pairs: Pairs): Timer[] {
  const left = new Set(others);
  const both = some.map((timer) => {
    const other = [...left].find((each) => isOfSame(each, timer, pairs));
    if (other === undefined) return inOne(timer);
    left.delete(other);
    return eitherTimer(timer, other);
  });
  return [...both, ...[...left].map(inOne)];
}

function isOfSame(one: Timer, other: Timer, pairs: Pairs): boolean {
  if (one === other) return true;
  const isOfItem = one.kind === other.kind && one.resource === other.resource && one.handle === other.handle;
  return isOfItem && one.move === other.move && areAlike(one.time, other.time, pairs);
}

function eitherTimer(one: Timer, other: Timer): Timer {
  if (one === other) return one;
  const [first = [], second = []] = [one.later, other.later];
  const [longer, shorter] = first.length >= second.length ? [first, second] : [second, first];
  const later = longer.map((due, place) => eitherTime(due, shorter[place] ?? due));
  const isOver = one.isPerhapsOver || other.isPerhapsOver || longer.length > shorter.length;
  return {
    ...one,
    due: eitherTime(one.due, other.due),
    ...(later.length > 0 && { later }),
    ...(isOver && isOfTime(one) && { isPerhapsOver: true }),
  };
}

function eitherTime(one: Range, other: Range): Range {
  return new Range(Math.min(one.least, other.least), Math.max(one.most, other.most));
}

/** A timer that is there in one case only may fire when it is due, and never after that. */
function inOne(timer: Timer): Timer {
  return isOfTime(timer) ? { ...timer, isPerhapsOver: true } : timer;
}

/** Whether it is ever over: what may happen at any time may always happen. */
const isOfTime = ({ kind }: Timer): boolean => kind !== 'work' && kind !== 'doubt';
