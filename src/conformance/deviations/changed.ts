import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Said } from '../../specification/reading/said.ts';

/** What stands only where something was written, and what says nothing about a request. */
const apart: ReadonlySet<string> = new Set([
  'at',
  'node',
  'tree',
  'points',
  'places',
  'older',
  'was',
  'completeness',
]);

/** The parts of a specification, each with all that it is a part of. */
interface Parts {
  readonly holders: ReadonlyMap<object, ReadonlySet<object>>;
  readonly statements: readonly Said<unknown>[];
}

/** The points of a specification that are stated, in the order of the parts. */
export function statementsOf(specification: Specification): readonly Said<unknown>[] {
  return partsOf(specification).statements;
}

/**
 * A specification that says something else at some points, and the same at all others. What does not hold these points is
 * shared with the first one.
 *
 * @param others what is said in place of each point
 */
export function changed(
  specification: Specification,
  others: ReadonlyMap<Said<unknown>, Said<unknown>>,
): Specification {
  const { holders } = partsOf(specification);
  const around = new Set<object>();
  const widen = (part: object): void => {
    if (around.has(part)) return;
    around.add(part);
    for (const holder of holders.get(part) ?? []) widen(holder);
  };
  for (const said of others.keys()) widen(said);
  const copies = new Map<object, object>(others);
  const copy = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null || !around.has(part)) return part;
    const known = copies.get(part);
    if (known) return known;
    const made = copied(part, copy);
    copies.set(part, made);
    return made;
  };
  return copy(specification) as Specification;
}

function copied(part: object, copy: (inner: unknown) => unknown): object {
  if (part instanceof Map) return new Map([...part].map(([key, value]) => [key, copy(value)]));
  if (Array.isArray(part)) return part.map(copy);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, isApart(key, value) ? value : copy(value)]),
  );
}

const partsOf = once((specification: Specification): Parts => {
  const holders = new Map<object, Set<object>>();
  const statements: Said<unknown>[] = [];
  const visit = (part: object): void => {
    if (isStated(part)) statements.push(part);
    for (const inner of within(part)) {
      const known = holders.get(inner);
      if (known) known.add(part);
      else {
        holders.set(inner, new Set([part]));
        visit(inner);
      }
    }
  };
  visit(specification);
  return { holders, statements };
});

function within(part: object): object[] {
  if ('template' in part) return [];
  const inner = part instanceof Map ? [...part.values()] : Array.isArray(part) ? part : membersOf(part);
  return inner.filter((value): value is object => typeof value === 'object' && value !== null);
}

function membersOf(part: object): unknown[] {
  return Object.entries(part).flatMap(([key, value]) => (isApart(key, value) ? [] : [value]));
}

/** A transition has a statement that is called `at`: any other `at` is a place in the text. */
function isApart(key: string, value: unknown): boolean {
  return apart.has(key) && !(typeof value === 'object' && value !== null && 'address' in value);
}

export function isStated(part: object): part is Said<unknown> & { readonly kind: 'stated' } {
  return 'kind' in part && part.kind === 'stated' && 'address' in part;
}
