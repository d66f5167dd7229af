import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { equal } from '../value/compare.ts';
import { Made, theirs, Unknown, unknown, type Value } from '../value/value.ts';

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

/** Somebody else's item, of which only these values are known. */
export function ofOthers(
  resource: string,
  { resourcesByName }: Specification,
  fields: ReadonlyMap<string, Value>,
): Stored {
  const identifier = stated(resourcesByName.get(resource)?.identifier) ?? [];
  const unseen = identifier.map(({ text }): [string, Value] => [text, unknown([])]);
  return { resource, handle: theirs, members: new Map([...unseen, ...fields]) };
}

/** A changed item. What was unknown of it before stays unknown. */
export function withUnknown(changed: Stored, before: Stored): Stored {
  const unknowns = [...before.members].filter(([, value]) => value instanceof Unknown);
  return { ...changed, members: new Map([...changed.members, ...unknowns]) };
}

/**
 * Whether the service made one of these values for one of these items. A number of a sequence, or a text that nobody can guess, it
 * makes for no other (language §G.4).
 */
export function wereMadeFor(items: readonly Stored[], fields: ReadonlyMap<string, Value>): boolean {
  const isOnce = (held: Value | undefined): held is Made =>
    held instanceof Made && ['integer', 'fresh'].includes(held.form);
  return items.some(({ members }) =>
    [...fields].some(([name, value]) => {
      const held = members.get(name);
      return isOnce(held) && equal(held, value) === true;
    }),
  );
}
