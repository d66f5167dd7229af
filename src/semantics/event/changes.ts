import { type Item, type Snapshot, Unknown, type Value } from '../value/value.ts';
import type { Stored } from '../world/stored.ts';
import { type Moved, snapshot, type World } from '../world/world.ts';

/** An item that changed. */
export interface ItemChange {
  /** After the change; a deleted item as it was. Null: it was no item. */
  readonly item: Item | null;
  /** Before the change; null: there was none. */
  readonly old: Value;
}

/** What an operation did, as far as events tell of it. */
export interface Done {
  /** The name of the operation. */
  readonly by: string;
  /** The items that `does` changed. Unknown: the language does not say which. */
  readonly changes: readonly ItemChange[] | Unknown;
  /** What is emitted if `does` changed none, and something else was changed. */
  readonly otherwise: ItemChange;
  /** How many moves `does` made. */
  readonly moves: number;
}

/** A change that kinds of events may name, as `by` names it. */
export interface NamedChange extends ItemChange {
  readonly by: string;
}

/**
 * What a transaction did, in order, as events tell of it (language §6.1, rules 1 to 3). Each group is one change: a move
 * that `does` asks for is one with its operation.
 *
 * @param done null: no operation did it, but a timer
 */
export function changesIn(
  done: Done | null,
  before: World,
  world: World,
): readonly (readonly NamedChange[])[] | Unknown {
  const { moves } = world;
  if (done === null) return moves.map((move) => [move]);
  if (done.changes instanceof Unknown) return done.changes;
  const isElse = done.changes.length === 0 && world.isWritten(before);
  const own = (isElse ? [done.otherwise] : done.changes).map(({ item, old }) => ({
    by: done.by,
    item: item && latest(item, world),
    old,
  }));
  const taken = new Set<NamedChange>();
  const ofDoes = moves.slice(0, done.moves).map((move): readonly NamedChange[] => {
    const operation = own.find((each) => !taken.has(each) && isSameItem(each.item, move.item));
    if (operation === undefined) return [move];
    taken.add(operation);
    return [operation, move];
  });
  const others = own.filter((each) => !taken.has(each)).map((each) => [each]);
  return [...ofDoes, ...others, ...moves.slice(done.moves).map((move: Moved) => [move])];
}

/** The item as the transaction left it: what follows in `also` is part of the operation (rule 4). */
function latest(item: Item, world: World): Item {
  const resource = world.specification.resourcesByName.get(item.resource);
  const gone = ({ handle }: Stored): boolean => handle === item.handle;
  const stored = world.stored(item) ?? world.former(item.resource).findLast(gone);
  return stored && resource ? (snapshot(stored, resource) satisfies Snapshot) : item;
}

function isSameItem(one: Item | null, other: Item | null): boolean {
  return one !== null && other !== null && one.resource === other.resource && one.handle === other.handle;
}
