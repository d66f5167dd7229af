import { isSaid, stated } from '../reading/said.ts';
import type { Resource } from '../vocabulary/parts/resources.ts';
import { isDenied } from './denied.ts';
import { identifies } from './operation.ts';
import type { Specification } from './specification.ts';

type Of = Pick<Specification, 'tree' | 'completeness'>;

/** Whether it is told that several items may have one value in a field: nothing makes it unique, and nothing more can. */
export function isShared(of: Of, resource: Resource, name: string): boolean {
  const field = resource.fields.get(name);
  if (!field || !isSaid(resource.identifier) || identifies(resource, [name])) return false;
  if (stated(field.unique) === false) return true;
  const { unique, address } = resource;
  return isDenied(of, field.unique, field.address) && (isSaid(unique) || isDenied(of, unique, address));
}
