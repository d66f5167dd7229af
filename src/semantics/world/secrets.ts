import { credentialFields } from '../../specification/model/holders.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { seen } from '../value/value.ts';
import type { World } from './world.ts';

/** Shorter texts may be shown by chance. */
const leastLength = 6;

/** The texts of secrets and of credentials that are kept. A text that is stored elsewhere, too, is no secret. */
export function secretsOf(world: World): ReadonlySet<string> {
  const { resourcesByName } = world.newest;
  const [secrets, others] = [new Set<string>(), new Set<string>()];
  for (const { name, fields } of resourcesByName.values()) {
    const credentials = credentialFields(world.newest, name);
    const isSecret = (field: Field | undefined): boolean =>
      field !== undefined &&
      stated(field.readable) === false &&
      (stated(field.secret) !== undefined || credentials.has(field.name));
    for (const { members } of [...world.all(name), ...world.former(name)])
      for (const [member, value] of members) {
        const text = seen(value);
        if (typeof text === 'string' && text.length >= leastLength)
          (isSecret(fields.get(member)) ? secrets : others).add(text);
      }
  }
  return new Set([...secrets].filter((text) => !others.has(text)));
}
