import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';

/** The path of an operation with the beginning of every path. */
export function pathText(of: Specification, { path }: Operation): string {
  const base = stated(stated(of.endpoints)?.base) ?? '';
  const segments = path.map((segment) => segmentText(segment, (name) => `{${name}}`));
  return `${base}/${segments.join('/')}`;
}
