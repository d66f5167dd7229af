import { once } from '../../source/once.ts';
import { equal } from '../value/compare.ts';
import { Item, theirs } from '../value/value.ts';
import type { Stored } from './stored.ts';

/** The items of a resource by the item to which a field of them refers. */
interface Referring {
  readonly byHandle: ReadonlyMap<number, readonly Stored[]>;
  /** Those of which it is not known to which item they refer, if to any. */
  readonly unsure: ReadonlySet<Stored>;
}

/** @param others the items of the resource to which the field refers: what a reference leads to may change with them */
const referringIn = once(
  (items: readonly Stored[], others: readonly Stored[], field: string, by: string): Referring => {
    const keys = new Map(others.map(({ handle, members }) => [handle, members.get(by)]));
    const [byHandle, unsure] = [new Map<number, Stored[]>(), new Set<Stored>()];
    for (const stored of items) {
      const value = stored.members.get(field);
      if (value === null || value === undefined) continue;
      const handle = value instanceof Item && value.by === by ? value.handle : null;
      const key = keys.get(handle ?? theirs);
      if (handle === null || handle < 0 || key === undefined || equal(key, (value as Item).key) !== true)
        unsure.add(stored);
      else byHandle.set(handle, [...(byHandle.get(handle) ?? []), stored]);
    }
    return { byHandle, unsure };
  },
);

/**
 * The items that refer to one by a field, and those of which that is not known, in their order.
 *
 * @param unsettled the handles of those of which it is not known to which they refer, whatever is stored
 */
export function referringTo(
  { handle, by }: Item,
  items: readonly Stored[],
  others: readonly Stored[],
  field: string,
  unsettled: readonly number[],
): readonly Stored[] {
  const { byHandle, unsure } = referringIn(items, others, field, by ?? '');
  const sure = byHandle.get(handle ?? -1) ?? [];
  if (unsure.size === 0 && unsettled.length === 0) return sure;
  const found = new Set(sure);
  return items.filter(
    (stored) => found.has(stored) || unsure.has(stored) || unsettled.includes(stored.handle),
  );
}
