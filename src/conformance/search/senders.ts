import type { Credential } from '../../semantics/access/credential.ts';
import { seen, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import { stated } from '../../specification/reading/said.ts';
import { memberOf, type Pool } from './pool.ts';

/** The credentials of a request: mostly good ones, of any account. */
export function usualCredentials(world: World, pool: Pool): readonly Credential[] {
  const good = goodCredentials(world);
  return good.length === 0 || pool.often(10) ? [] : [pool.random.pick(good)];
}

/** None, one that nobody has, or another's. */
export function otherCredentials(world: World, pool: Pool): readonly Credential[] {
  const schemes = [...(stated(stated(world.specification.authentication)?.schemes)?.keys() ?? [])];
  if (schemes.length === 0 || pool.often(40)) return [];
  if (pool.often(50)) return usualCredentials(world, pool);
  const wrong = { scheme: pool.random.pick(schemes), value: 'nonsense', password: 'nonsense' };
  return [wrong];
}

/** Every credential that the world holds and that was seen. */
function goodCredentials(world: World): Credential[] {
  const schemes = stated(stated(world.specification.authentication)?.schemes) ?? [];
  return [...schemes].flatMap(([scheme, said]): Credential[] => {
    const of = stated(said);
    const credentials = of && stated(of.credentials);
    if (credentials?.kind === 'issued')
      return world.issued(scheme).flatMap(({ token }) => (isSeen(token) ? [{ scheme, value: token }] : []));
    if (credentials?.kind === 'operator') {
      const given = world.operators.filter((operator) => operator.scheme === scheme);
      const isBasic = of && stated(of.scheme)?.toLowerCase() === 'basic';
      return given.map(({ name, secret }) =>
        isBasic ? { scheme, value: name, password: secret } : { scheme, value: secret },
      );
    }
    if (credentials?.kind !== 'kept') return [];
    const [name, password] = stated(credentials.kept) ?? [];
    return (name ? world.items(name.resource) : []).flatMap((stored): Credential[] => {
      const value = memberOf(stored, name?.field ?? '');
      const secret = password && memberOf(stored, password.field);
      if (value === undefined || (password && secret === undefined)) return [];
      return [{ scheme, value, ...(secret !== undefined && { password: secret }) }];
    });
  });
}

function isSeen(value: Value): boolean {
  return typeof seen(value) === 'string';
}
