import { find, steps } from '../reading/address.ts';
import { isOpenMarker, type Said } from '../reading/said.ts';
import type { Specification } from './specification.ts';

type Of = Pick<Specification, 'tree' | 'completeness'>;

/**
 * Whether what could stand here is stated not to: it is `(none)`, or it is absent from a list that is closed. What is
 * `(open)`, itself or as part of something, or could not be read, is not denied (language §D.2, §D.4).
 *
 * @param list the address of the list, or of the map, that would hold it
 */
export function isDenied(of: Of, said: Said<unknown>, list: string): boolean {
  if (said.kind === 'none') return true;
  return said.kind === 'open' && of.completeness.closed(list) !== undefined && !isWritten(of, said);
}

/** Whether anything stands at the address of a point, or an `(open)` that it is part of. */
export function isWritten({ tree }: Pick<Of, 'tree'>, { address }: Said<unknown>): boolean {
  const path = steps(address) ?? [];
  return path.some((_, depth) => {
    const found = find(tree, path.slice(0, depth + 1));
    return found !== undefined && (depth === path.length - 1 || isOpenMarker(found));
  });
}
