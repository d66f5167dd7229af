import { fold } from '../../expression/fold.ts';
import { type Around, byLength, type Segment } from '../../specification/vocabulary/paths.ts';

/**
 * Finds what stands at a path (language §4.1): segments are compared in their decoded form; a literal goes before a
 * literal in another case, both before a parameter with literal text around it, and that before a parameter alone; a
 * parameter is never empty. The time it takes grows with the path's length, and with the texts around parameters.
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
      if ('parameter' in segment) branch = branch.parameter(segment.around);
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
  /** Parameters with literal text around them, in the order in which they are asked. */
  around: readonly Surrounded<T>[] = [];
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

  parameter(text?: Around): Branch<T> {
    if (text) return this.#surrounded(text);
    this.any ??= new Branch<T>();
    return this.any;
  }

  #surrounded(text: Around): Branch<T> {
    const known = this.around.find(({ before, after }) => before === text.before && after === text.after);
    if (known) return known.branch;
    const made = { ...text, branch: new Branch<T>() };
    this.around = [...this.around, made].toSorted(byLength);
    return made.branch;
  }
}

interface Surrounded<T> extends Around {
  readonly branch: Branch<T>;
}

/** The value between two texts; null: it does not stand between them, or is empty. */
function between({ before, after }: Around, segment: string): string | null {
  const isLong = segment.length > before.length + after.length;
  if (!isLong || !segment.startsWith(before) || !segment.endsWith(after)) return null;
  return segment.slice(before.length, segment.length - after.length);
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
  if (found || segment === '') return found;
  const through = (next: Branch<T>, value: string): Leaf<T> | undefined => {
    given.push(value);
    const leaf = walk(next, segments, depth + 1, given);
    if (leaf === undefined) given.pop();
    return leaf;
  };
  for (const one of branch.around) {
    const value = between(one, segment);
    const leaf = value === null ? undefined : through(one.branch, value);
    if (leaf) return leaf;
  }
  return branch.any && through(branch.any, segment);
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
  if (segment === '') return undefined;
  const through = (next: readonly Branch<T>[], value: string): Leaf<T> | undefined => {
    given.push(value);
    const leaf = next.length > 0 ? walkTogether(next, segments, depth + 1, given) : undefined;
    if (leaf === undefined) given.pop();
    return leaf;
  };
  const around = branches.flatMap((branch) => branch.around).toSorted(byLength);
  for (const alike of Map.groupBy(around, ({ before, after }) => JSON.stringify([before, after])).values()) {
    const value = between(alike[0] as Surrounded<T>, segment);
    const leaf =
      value === null
        ? undefined
        : through(
            alike.map(({ branch }) => branch),
            value,
          );
    if (leaf) return leaf;
  }
  return through(
    branches.flatMap((branch) => branch.any ?? []),
    segment,
  );
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
