import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';

/** Methods that are told by their names; others are `_OTHER`, so that nobody can make labels. */
export const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/** The paths of operations, as metrics and spans name them, by the names of the operations. */
export function routesOf(specification: Specification): ReadonlyMap<string, string> {
  return new Map(specification.operations.map((one) => [one.name, routeOf(specification, one)]));
}

/** The path of an operation as the document writes it, with its base. */
function routeOf({ endpoints }: Specification, { path }: Operation): string {
  const base = stated(stated(endpoints)?.base) ?? '';
  const segments = path.map((segment) => segmentText(segment, (name) => `{${name}}`));
  return [base.replace(/\/$/, ''), ...segments].join('/') || '/';
}
