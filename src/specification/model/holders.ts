import { stated } from '../reading/said.ts';
import type { Field } from '../vocabulary/parts/resources.ts';
import type { Specification } from './specification.ts';

type Of = Pick<Specification, 'authentication'>;

/** The fields of a resource by whose value a scheme finds who holds a credential (language §5.2, `kept`). */
export function credentialFields({ authentication }: Of, resource: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const said of stated(stated(authentication)?.schemes)?.values() ?? []) {
    const credentials = stated(stated(said)?.credentials);
    const [first] = (credentials?.kind === 'kept' && stated(credentials.kept)) || [];
    if (first?.resource === resource) found.add(first.field);
  }
  return found;
}

/** Whether a secret is long and random: nobody but the service gives it a value. */
export function isMade({ create, writable }: Field): boolean {
  return stated(create) !== undefined && stated(writable) === false;
}
