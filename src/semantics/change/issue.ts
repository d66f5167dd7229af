import type { Template } from '../../expression/template.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Credentials } from '../../specification/vocabulary/credentials.ts';
import { payload } from '../value/payload.ts';
import {
  Collection,
  type Item,
  isKnown,
  isObject,
  Made,
  seen,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

type Issued = Extract<Credentials, { kind: 'issued' }>;
type Names = Readonly<Record<string, Value>>;

/** A new credential of a scheme for an item: `issue()` (language §5.2, §5.6). */
export function issue(scheme: Value, item: Item, world: World, names: Names): Value {
  const said = credentialsOf(scheme, world);
  if (typeof scheme !== 'string' || said === undefined) return unknown([scheme], true);
  const token = made(scheme, said, item, world, names);
  if (token instanceof Made) world.issue({ scheme, token, item, at: names['now'] ?? unknown([]) });
  return token;
}

function made(scheme: string, said: Issued, item: Item, world: World, names: Names): Made | Unknown {
  const kind = stated(said.issued);
  if (kind === 'opaque') return world.make('fresh', `credential of ${scheme}`);
  const algorithm = stated(said.algorithm);
  if (kind === undefined || algorithm === undefined)
    return new Unknown(new Set([said.algorithm.address]), true);
  const members = new Map(
    [...(stated(said.claims) ?? [])].flatMap(([name, claim]): [string, Template][] => {
      const placed = stated(claim);
      return placed ? [[name, placed.template]] : [];
    }),
  );
  const own = payload(
    { kind: 'object', members, rest: null },
    new Moment(world, names).scope({ this: item }),
  );
  if (!isObject(own)) return unknown([own], true);
  const leftOut = Object.fromEntries([...members.keys()].map((name) => [name, null]));
  const jti = world.make('fresh', `jti of ${scheme}`);
  const claims = { ...leftOut, ...own, sub: subjectOf(item, world), jti };
  return world.makeToken(scheme, { algorithm, claims, lifeMs: stated(said.life) ?? null });
}

/** The identifier of an item, as text; of several fields, a JSON list of texts (language §5.6, rule 24). */
function subjectOf(item: Item, world: World): Value {
  if (item.by !== null) {
    const key = seen(item.key);
    if (typeof key === 'number') return String(key);
    return typeof key === 'string' || (key instanceof Made && key.form !== 'integer') ? key : unknown([key]);
  }
  const identifier = stated(world.specification.resourcesByName.get(item.resource)?.identifier) ?? [];
  const members = world.stored(item)?.members;
  const keys = identifier.map(({ text }) => members?.get(text) ?? null);
  // How a part of a key that is no text is written, is not said.
  const isPlain = keys.every((key) => isKnown(key) && typeof seen(key) === 'string');
  return isPlain ? JSON.stringify(keys.map(seen)) : unknown(keys);
}

/** The key set of a scheme: one key, or more if keys take turns (language §5.6, rules 26 and 27). */
export function keySet(scheme: Value, world: World): Value {
  const said = credentialsOf(scheme, world);
  if (said === undefined || stated(said.algorithm) === undefined) return unknown([scheme], true);
  const rest = stated(said.rotate) === undefined ? undefined : unknown([]);
  return { keys: new Collection([unknown([])], { rest, ordered: false }) };
}

function credentialsOf(scheme: Value, world: World): Issued | undefined {
  const schemes = stated(stated(world.specification.authentication)?.schemes);
  const of = typeof scheme === 'string' ? stated(schemes?.get(scheme)) : undefined;
  const credentials = of && stated(of.credentials);
  return credentials?.kind === 'issued' ? credentials : undefined;
}
