import { fold } from '../../expression/fold.ts';
import { once } from '../../source/once.ts';
import { isMatching, type Operation, pathsMatched } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import {
  type Around,
  byLength,
  type ParameterSegment,
  type Segment,
  withoutNames,
} from '../../specification/vocabulary/paths.ts';

/** An operation at a path, with the texts of its parameters. */
export interface Route {
  readonly operation: Operation;
  readonly given: Readonly<Record<string, string>>;
}

/** What stands at a path. */
export type Routed =
  /** The operations that a request may mean, in the order in which they are asked. */
  | { readonly kind: 'routes'; readonly routes: readonly Route[] }
  /** The methods that stand there. */
  | { readonly kind: 'method not allowed'; readonly methods: readonly string[] }
  | { readonly kind: 'unknown path' }
  /** The coding of the path is broken. */
  | { readonly kind: 'malformed' };

/** A path of an operation, with `base` before it. */
interface Form {
  readonly operation: Operation;
  readonly path: readonly Segment[];
}

/** Finds the operations of a path and a method (language §4.1, rules 2 to 10). */
export function routed(specification: Specification, method: string, path: string): Routed {
  const segments = segmentsOf(path);
  return segments === null ? { kind: 'malformed' } : routedBy(specification, method, segments);
}

/** The same by the segments of the path, which are decoded. */
export function routedBy(specification: Specification, method: string, segments: readonly string[]): Routed {
  const fitting = formsOf(specification)
    .filter((form) => fits(form, segments))
    .toSorted((a, b) => precedence(a, b, segments));
  const there = fitting.filter((form) => isAlike(form, fitting[0] as Form));
  if (there.length === 0) return { kind: 'unknown path' };
  const found = there.filter(({ operation }) => operation.method === method);
  if (found.length === 0)
    return { kind: 'method not allowed', methods: there.map(({ operation }) => operation.method) };
  const meant = found.filter((form) => precedence(found[0] as Form, form, segments) === 0);
  return { kind: 'routes', routes: meant.map((form) => routeOf(form, segments)) };
}

/** Whether two paths are one, if the case of literals is ignored: their methods stand together. */
function isAlike(one: Form, other: Form): boolean {
  return one.path.every((segment, place) => {
    const beside = other.path[place];
    if (beside === undefined) return false;
    if ('parameter' in segment)
      return 'parameter' in beside && withoutNames([segment]) === withoutNames([beside]);
    return 'literal' in beside && fold(segment.literal) === fold(beside.literal);
  });
}

const formsOf = once((specification: Specification): readonly Form[] => {
  const base = (stated(stated(specification.endpoints)?.base) ?? '').split('/').filter((text) => text !== '');
  const before = base.map((literal) => ({ literal }));
  return specification.operations.flatMap((operation) =>
    pathsMatched(operation).map(({ path }) => ({ operation, path: [...before, ...path] })),
  );
});

/** The decoded segments of a path (RFC 3986 §2.1); null: its coding is broken. */
function segmentsOf(path: string): readonly string[] | null {
  if (path === '/' || path === '') return [];
  try {
    const decoded = path.slice(1).split('/').map(decodeURIComponent);
    return decoded.some((segment) => segment.includes('\0')) ? null : decoded;
  } catch {
    return null;
  }
}

function fits({ operation, path }: Form, segments: readonly string[]): boolean {
  const isCaseless = isMatching(operation, 'caseless');
  return (
    path.length === segments.length &&
    path.every((segment, place) => {
      const text = segments[place] as string;
      if ('parameter' in segment) return valueIn(segment, text) !== null;
      return segment.literal === text || (isCaseless && fold(segment.literal) === fold(text));
    })
  );
}

/** The value of the parameter of a segment in the text of one; null: it has none there (language §4.1, rule 3). */
export function valueIn({ around }: ParameterSegment, text: string): string | null {
  const { before, after } = around ?? { before: '', after: '' };
  const value = text.slice(before.length, text.length - after.length);
  return value !== '' && `${before}${value}${after}` === text ? value : null;
}

/**
 * From the left: a literal that matches exactly goes before one in another case, both before a parameter with literal text
 * around it, of which that with more text is first, and all of them before a parameter alone (language §4.1, rule 4).
 */
function precedence(a: Form, b: Form, segments: readonly string[]): number {
  const rank = ({ path }: Form, place: number): number => {
    const segment = path[place];
    if (segment === undefined || 'parameter' in segment) return segment?.around ? 2 : 3;
    return segment.literal === segments[place] ? 0 : 1;
  };
  for (const place of segments.keys()) {
    const difference = rank(a, place) - rank(b, place);
    if (difference !== 0) return difference;
    const [one, other] = [aroundAt(a, place), aroundAt(b, place)];
    const more = one && other ? byLength(one, other) : 0;
    if (more !== 0) return more;
  }
  return 0;
}

function aroundAt({ path }: Form, place: number): Around | undefined {
  const segment = path[place];
  return segment && 'parameter' in segment ? segment.around : undefined;
}

function routeOf({ operation, path }: Form, segments: readonly string[]): Route {
  const given = path.flatMap((segment, place): [string, string][] =>
    'parameter' in segment ? [[segment.parameter, valueIn(segment, segments[place] as string) ?? '']] : [],
  );
  return { operation, given: Object.fromEntries(given) };
}
