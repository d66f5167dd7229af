import type { Segment } from '../vocabulary/paths.ts';
import { isMatching, type Operation, pathsOf } from './operation.ts';

/**
 * How a request spells the path of its operation, if not as the document does: in other letter case, with a slash more, or as
 * the further path with this number, from 1 (language §4.1, rules 6 and 7).
 */
export type PathSpelling = 'case' | 'slash' | number;

/** The path that a request spells so. Default: the operation's own. Undefined: it has no such path. */
export function spelledPath(operation: Operation, spelling?: PathSpelling): readonly Segment[] | undefined {
  const own = operation.path;
  if (spelling === undefined) return own;
  if (spelling === 'slash') return [...own, { literal: '' }];
  if (spelling === 'case')
    return own.map((segment) => ('literal' in segment ? { literal: swapped(segment.literal) } : segment));
  return pathsOf(operation)[spelling]?.path;
}

/** The ways in which a request may spell the path of an operation, beside the document's own. */
export function spellingsOf(operation: Operation): readonly PathSpelling[] {
  const isWorded = operation.path.some((segment) => 'literal' in segment && /\p{L}/u.test(segment.literal));
  return [
    ...(isMatching(operation, 'caseless') && isWorded ? (['case'] as const) : []),
    ...(isMatching(operation, 'slash') ? (['slash'] as const) : []),
    ...pathsOf(operation).flatMap((_, place) => (place === 0 ? [] : [place])),
  ];
}

function swapped(text: string): string {
  const lower = text.toLowerCase();
  return text === lower ? text.toUpperCase() : lower;
}
