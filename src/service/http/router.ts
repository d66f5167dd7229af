import { fold } from '../../expression/fold.ts';
import type { Segment } from '../../specification/vocabulary/paths.ts';

/**
 * Finds what stands at a path (language §4.1): segments are compared in their decoded form; a literal goes before a
 * literal in another case, and both before a parameter; a parameter is never empty. The time it takes grows with the
 * path's length alone.
 */
export class Router<T> {
  readonly #root = new Branch<T>();
  #isCaseless = false;

  /**
   * Puts a value at a path, and gives what stands there: the value, or one that was there before.
   *
   * @param isCaseless whether literals match in any case. Default: false
   */
  add(path: readonly Segment[], value: T, isCaseless = false): T {
    let branch = this.#root;
    this.#isCaseless ||= isCaseless;
    for (const segment of path)
      if ('parameter' in segment) branch = branch.parameter();
      else branch = isCaseless ? branch.caseless(segment.literal) : branch.literal(segment.literal);
    branch.leaf ??= { value };
    return branch.leaf.value;
  }

  /** What stands there, and the parameters' values by the order of the path; undefined where nothing does. */
  find(segments: readonly string[]): { readonly value: T; readonly given: readonly string[] } | undefined {
    const given: string[] = [];
    const leaf = this.#isCaseless
      ? walkTogether([this.#root], segments, 0, given)
      : walk(this.#root, segments, 0, given);
    return leaf && { value: leaf.value, given };
  }
}

interface Leaf<T> {
  readonly value: T;
}

class Branch<T> {
  readonly literals = new Map<string, Branch<T>>();
  /** Literals that match in any case: by their folded text, and then as they are written. */
  readonly folded = new Map<unknown, Map<string, Branch<T>>>();
  any: Branch<T> | undefined;
  leaf: Leaf<T> | undefined;

  literal(text: string): Branch<T> {
    return within(this.literals, text);
  }

  caseless(text: string): Branch<T> {
    const alike = this.folded.get(fold(text)) ?? new Map<string, Branch<T>>();
    this.folded.set(fold(text), alike);
    return within(alike, text);
  }

  parameter(): Branch<T> {
    this.any ??= new Branch<T>();
    return this.any;
  }
}

function within<T>(branches: Map<string, Branch<T>>, text: string): Branch<T> {
  const found = branches.get(text) ?? new Branch<T>();
  branches.set(text, found);
  return found;
}

/** Walks where every literal matches exactly. */
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

/** Walks all branches together that match alike so far: of two paths the first segment that differs in rank decides. */
function walkTogether<T>(
  branches: readonly Branch<T>[],
  segments: readonly string[],
  depth: number,
  given: string[],
): Leaf<T> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return branches.find(({ leaf }) => leaf)?.leaf;
  const exact = branches.flatMap(({ literals }) => literals.get(segment) ?? []);
  const alike = branches.flatMap(({ folded }) => [...(folded.get(fold(segment)) ?? [])]);
  const written = alike.flatMap(([text, branch]) => (text === segment ? [branch] : []));
  const otherwise = alike.flatMap(([text, branch]) => (text === segment ? [] : [branch]));
  for (const next of [[...exact, ...written], otherwise]) {
    const leaf = next.length > 0 ? walkTogether(next, segments, depth + 1, given) : undefined;
    if (leaf) return leaf;
  }
  const any = branches.flatMap((branch) => branch.any ?? []);
  if (any.length === 0 || segment === '') return undefined;
  given.push(segment);
  const leaf = walkTogether(any, segments, depth + 1, given);
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
