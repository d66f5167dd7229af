import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import { membersOf } from './item.ts';

/** RFC 7396 §2: null removes, an object is merged, anything else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json | undefined {
  if (patch === null) return undefined;
  const members = membersOf(patch);
  if (members === undefined) return patch;
  const merged = new Map(Object.entries(membersOf(target) ?? {}));
  for (const [name, value] of Object.entries(members)) {
    const inner = mergePatch(merged.get(name), value);
    if (inner === undefined) merged.delete(name);
    else merged.set(name, inner);
  }
  return Object.fromEntries(merged);
}

/** Whether a body is merged into what is kept, so that null removes a member (RFC 7396). */
export function isMergePatch({ request }: Operation): boolean {
  return (request && stated(request.media))?.includes('application/merge-patch+json') ?? false;
}
