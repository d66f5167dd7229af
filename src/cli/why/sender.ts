import type { Credential } from '../../semantics/access/credential.ts';
import { unknown, type Value } from '../../semantics/value/value.ts';
import { itemOf, type World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { UsageError } from '../usage.ts';

/** A world, and a credential that is good in it. */
export interface Sent {
  readonly world: World;
  readonly credentials: readonly Credential[];
}

/**
 * A sender with a good credential: of a resource whose items are clients, or with a name that the operator gives. Of the
 * item of a resource nothing else is known.
 *
 * @throws UsageError if nobody can be known by this name
 */
export function sentAs(name: string, world: World): Sent {
  const schemes = [...(stated(stated(world.specification.authentication)?.schemes) ?? [])];
  for (const [scheme, said] of schemes) {
    const of = stated(said);
    const resource = of && clientsOf(of, world.specification);
    if (of && resource?.name === name) return asItem(scheme, of, resource, world);
  }
  const [operators] = schemes.filter(([, said]) => stated(stated(said)?.credentials)?.kind === 'operator');
  const of = operators && stated(operators[1]);
  if (operators && of) return asOperator(operators[0], of, name, world);
  const known = schemes.flatMap(([, said]) => {
    const scheme = stated(said);
    return (scheme && clientsOf(scheme, world.specification)?.name) ?? [];
  });
  throw new UsageError(
    `nobody is known as ${name}${known.length > 0 ? `; clients are ${known.join(', ')}` : ': the document states no credentials'}`,
  );
}

function asOperator(scheme: string, of: Scheme, name: string, world: World): Sent {
  const isBasic = stated(of.scheme)?.toLowerCase() === 'basic';
  const secret = 'secret';
  const own = world.fork(world.ways);
  own.operators = [...world.operators, { scheme, name, secret }];
  return {
    world: own,
    credentials: [isBasic ? { scheme, value: name, password: secret } : { scheme, value: secret }],
  };
}

/** The resource whose items hold the credentials of a scheme, or are issued them. */
function clientsOf({ credentials, actor }: Scheme, { resourcesByName }: Specification): Resource | undefined {
  const said = stated(credentials);
  const kept = said?.kind === 'kept' ? stated(said.kept)?.[0]?.resource : undefined;
  const shown = stated(actor);
  const name = kept ?? (shown?.kind === 'resource' ? shown.resource.text : undefined);
  return name === undefined ? undefined : resourcesByName.get(name);
}

function asItem(scheme: string, { credentials }: Scheme, resource: Resource, before: World): Sent {
  const world = before.fork(before.ways);
  const said = stated(credentials);
  const [name, password] = said?.kind === 'kept' ? (stated(said.kept) ?? []) : [];
  const known = [
    ...(stated(resource.identifier) ?? []).map(({ text }) => text),
    name?.field,
    password?.field,
  ];
  const members = new Map<string, Value>();
  for (const field of resource.fields.values())
    members.set(
      field.name,
      known.includes(field.name) ? world.make('fresh', `${resource.name}.${field.name}`) : unknown([]),
    );
  const stored = world.create(resource.name, members);
  if (name === undefined) {
    const token = world.make('fresh', `credential of ${scheme}`);
    world.issue({ scheme, token, item: itemOf(stored, resource), at: unknown([]) });
    return { world, credentials: [{ scheme, value: token }] };
  }
  const value = members.get(name.field) ?? null;
  const secret = password && (members.get(password.field) ?? null);
  return { world, credentials: [{ scheme, value, ...(secret !== undefined && { password: secret }) }] };
}
