import { isKeptBytes } from '../../expression/bytes.ts';
import type { KeptResource } from '../../service/resource/kept.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { isBinary } from '../../specification/vocabulary/shape.ts';

/** What stands in the place of a secret. */
export const hidden = '(secret)';

/**
 * The names of all fields that are secrets, of whatever resource: those that say so (language §2.2), credentials (§5.2), and
 * keys that messages are signed with (§6.3).
 */
const secretNames = once((of: Specification): ReadonlySet<string> => {
  const fields = [...of.resourcesByName.values()].flatMap((resource) => [...resource.fields.values()]);
  const schemes = [...(stated(stated(of.authentication)?.schemes) ?? []).values()];
  const deliveries = [...(stated(stated(of.events)?.delivery) ?? []).values()];
  return new Set([
    ...fields.flatMap(({ name, secret }) => (stated(secret) ? [name] : [])),
    ...schemes.flatMap((said) => {
      const held = stated(stated(said)?.credentials);
      // Of a name and a password, the password comes last.
      return (held?.kind === 'kept' ? stated(held.kept) : undefined)?.at(-1)?.field ?? [];
    }),
    ...deliveries.flatMap((said) => {
      const way = stated(said);
      const held = way && 'secret' in way ? stated(way.secret) : undefined;
      return held?.kind === 'field' ? [held.field] : [];
    }),
  ]);
});

/** Whether members that are called so are secrets. */
export function isSecret(of: Specification, name: string): boolean {
  return secretNames(of).has(name);
}

/** A value without what members hold that are called as a secret is, at any depth. */
export function concealed(of: Specification, value: unknown): unknown {
  const names = secretNames(of);
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, names.has(name) ? hidden : visit(member)]),
    );
  };
  return names.size === 0 ? value : visit(value);
}

/** A member of a stored item as it may be shown: no secret, nor the digest of one, and of bytes their size. */
export function shownMember(of: Specification, kept: KeptResource, name: string, value: unknown): unknown {
  const field = kept.resource.fields.get(name);
  if (isSecret(of, name)) return hidden;
  if (field && isBinary(field.shape)) return isKeptBytes(value) ? `(${value.size} bytes)` : '(bytes)';
  return concealed(of, value);
}
