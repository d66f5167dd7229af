import { once } from '../../source/once.ts';
import { Unknown, type Value } from '../value/value.ts';

/** A stored item. A change makes another one with the same handle. */
export interface Stored {
  readonly resource: string;
  /** Which item it is, for as long as it exists. Less than `theirs`: others use it, too. */
  readonly handle: number;
  /** By field. A field that is not there is absent; a reference is an `Item`. */
  readonly members: ReadonlyMap<string, Value>;
}

/** The item of this handle. */
export function storedAs(handle: number | null, items: readonly Stored[]): Stored | undefined {
  if (items.length < indexed) return items.find((stored) => stored.handle === handle);
  return byHandle(items).get(handle);
}

/** Of so many items, an index is worth its while. */
const indexed = 8;

const byHandle = once(
  (items: readonly Stored[]): ReadonlyMap<number | null, Stored> =>
    new Map(items.map((stored) => [stored.handle, stored])),
);

/** A changed item. What was unknown of it before stays unknown. */
export function withUnknown(changed: Stored, before: Stored): Stored {
  const unknowns = [...before.members].filter(([, value]) => value instanceof Unknown);
  return { ...changed, members: new Map([...changed.members, ...unknowns]) };
}
