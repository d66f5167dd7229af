import type { Segment } from '../../specification/vocabulary/parts/endpoints.ts';

/**
 * Finds what stands at a path (language §4.1): segments compare exactly, in their decoded form; a literal goes
 * before a parameter; a parameter is never empty. The time it takes grows with the path's length alone.
 */
export class Router<T> {
  readonly #root = new Branch<T>();

  /** Puts a value at a path, and gives what stands there: the value, or one that was there before. */
  add(path: readonly Segment[], value: T): T {
    let branch = this.#root;
    for (const segment of path)
      branch = 'literal' in segment ? branch.literal(segment.literal) : branch.parameter();
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
  any: Branch<T> | undefined;
  leaf: Leaf<T> | undefined;

  literal(text: string): Branch<T> {
    const found = this.literals.get(text) ?? new Branch<T>();
    this.literals.set(text, found);
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
  const found = literal && walk(literal, segments, depth + 1, given);
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
