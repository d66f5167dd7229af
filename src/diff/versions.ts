import { get } from '../source/node.ts';
import { canonical, isUnder, step } from '../specification/reading/address.ts';
import type { Context } from './rule.ts';

/**
 * The statement of part 9 by which older versions keep what stood at an address, where the change came with a
 * version of its own (language §9, `differs`); undefined where there is none.
 */
export function keptBy(address: string, { before, after }: Context): string | undefined {
  const was = get(get(before, 'versioning'), 'versions');
  const is = get(get(after, 'versioning'), 'versions');
  if (was?.kind !== 'map' || is?.kind !== 'map') return undefined;
  const isNew = [...is.entries.keys()].some((name) => !was.entries.has(name));
  if (!isNew) return undefined;
  for (const [name, { value }] of is.entries) {
    const differs = get(value, 'differs');
    if (!was.entries.has(name) || differs?.kind !== 'map') continue;
    const old = get(get(was, name), 'differs');
    for (const above of differs.entries.keys())
      if (isUnder(address, canonical(above) ?? above) && get(old, above) === undefined)
        return step(`versioning.versions${step('', name)}.differs`, above);
  }
  return undefined;
}
