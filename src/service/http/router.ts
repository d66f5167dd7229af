import { fold } from '../../expression/fold.ts';
import type { Segment } from '../../specification/vocabulary/paths.ts';

/**
 * Finds what stands at a path (language §4.1): segments are compared in their decoded form; a literal goes before a
 * literal in another case, and both before a parameter; a parameter is never empty. The time it takes grows with the
 * path's length alone.
 */
export class Router<T> {
  readonly #root = new Branch<T>();

  /**
   * Puts a value at a path, and gives what stands there: the value, or one that was there before.
   *
   * @param isCaseless whether literals match in any case. Default: false
   */
  add(path: readonly Segment[], value: T, isCaseless = false): T {
    let branch = this.#root;
    for (const segment of path)
      if ('parameter' in segment) branch = branch.parameter();
      else branch = isCaseless ? branch.caseless(segment.literal) : branch.literal(segment.literal);
    branch.leaf ??= { value };
    return branch.leaf.value;
  }

  /** What stands there, and the parameters' values by the order of the path; undefined where nothing does. */
  find(segments: readonly string[]): { readonly value: T; readonly given: readonly string[] } | undefined {
    const given: string[] = [];
    const leaf = walk(this.#root, segments, 0, given);
    return leaf && { value: leaf.value, given };
  }
}

interface Leaf<T> {
  readonly value: T;
}

class Branch<T> {
  readonly literals = new Map<string, Branch<T>>();
  /** Literals that match in any case, folded; only where there are any. */
  folded: Map<unknown, Branch<T>> | undefined;
  any: Branch<T> | undefined;
  leaf: Leaf<T> | undefined;

  literal(text: string): Branch<T> {
    const found = this.literals.get(text) ?? new Branch<T>();
    this.literals.set(text, found);
    return found;
  }

  caseless(text: string): Branch<T> {
    this.folded ??= new Map();
    const found = this.folded.get(fold(text)) ?? new Branch<T>();
    this.folded.set(fold(text), found);
    return found;
  }

  parameter(): Branch<T> {
    this.any ??= new Branch<T>();
    return this.any;
  }
}

function walk<T>(
  branch: Branch<T>,
  segments: readonly string[],
  depth: number,
  given: string[],
): Leaf<T> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return branch.leaf;
  const literal = branch.literals.size > 0 ? branch.literals.get(segment) : undefined;
  let found = literal && walk(literal, segments, depth + 1, given);
  if (found === undefined && branch.folded !== undefined) {
    const alike = branch.folded.get(fold(segment));
    found = alike && walk(alike, segments, depth + 1, given);
  }
  if (found || branch.any === undefined || segment === '') return found;
  given.push(segment);
  const leaf = walk(branch.any, segments, depth + 1, given);
  if (leaf === undefined) given.pop();
  return leaf;
}

/** The decoded segments of a request's path; null where its coding is broken (RFC 3986 §2.1). `/` has none. */
export function segmentsOf(path: string): readonly string[] | null {
  if (path === '/' || path === '') return [];
  const written = path.slice(1).split('/');
  if (!path.includes('%')) return written;
  try {
    const decoded = written.map(decodeURIComponent);
    return decoded.some((segment) => segment.includes('\u0000')) ? null : decoded;
  } catch {
    return null;
  }
}
