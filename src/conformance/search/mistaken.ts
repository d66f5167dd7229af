import type { Request } from '../../semantics/request/prediction.ts';
import { plain } from '../../semantics/value/plain.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { type Deviation, keyOf } from '../deviations/deviation.ts';
import { bodyIn, isMembers, membersIn, withBody } from '../requests/bodies.ts';
import type { Pool } from '../requests/pool.ts';

/** A value at which a mistake shows, made of one that is usual there. */
type Telling = (usual: Json, pool: Pool) => Json;

const onText =
  (change: (text: string, pool: Pool) => string): Telling =>
  (usual, pool) =>
    typeof usual === 'string' ? change(usual, pool) : usual;

/** By what is said of a member of a body, or of a parameter. The words are those of `stored` and `ignored`. */
const mistakes: readonly (readonly [says: RegExp, Telling])[] = [
  [/^spaces are cut off around (\S+)$/, onText((text) => ` ${text} `)],
  [/^capitals are made small in (\S+)$/, onText((text) => text.toUpperCase())],
  [
    /^characters past the tenth are cut off in (\S+)$/,
    onText((text, pool) => text.padEnd(10, 'x') + pool.random.letters(2)),
  ],
  [/^nothing is stored for an empty (\S+)$/, (usual) => (Array.isArray(usual) ? [] : '')],
  [/^nothing is stored for a zero (\S+)$|^(\S+) is not looked at where it is 0$/, () => 0],
  [/^nothing is stored for a false (\S+)$|^(\S+) is not looked at where it is false$/, () => false],
  [/^null is taken for nothing as (\S+)$/, () => null],
];

/** The request with the value that a mistake changes before anything judges it; undefined: the deviation is no such mistake. */
export function withMistakenValue(
  { said, says }: Deviation,
  request: Request,
  world: World,
  pool: Pool,
): Request | undefined {
  if (keyOf(said) === 'minProperties') return withBody(request, () => ({}));
  if (said.address.endsWith('.request.body.shows')) return withHiddenMember(request, world, pool);
  for (const [pattern, telling] of mistakes) {
    const [, name = pattern.exec(says)?.[2]] = pattern.exec(says) ?? [];
    if (name === undefined) continue;
    if (says.includes('is not looked at'))
      return { ...request, query: { ...request.query, [name]: telling(null, pool) } };
    return withBody(request, (body) =>
      isMembers(body) ? { ...body, [name]: telling(usualIn(request, name, pool), pool) } : undefined,
    );
  }
  return undefined;
}

/** What the request gives, or one that a path names; else some value that fits. */
function usualIn(request: Request, name: string, pool: Pool): Json {
  const { operation, path } = request;
  const given = bodyIn(request);
  const own = given !== undefined && isMembers(given) ? given[name] : undefined;
  const named = path[name] === undefined ? undefined : plain(path[name]);
  const body = bodyOf(pool.specification, operation);
  const schema = body && membersIn(body, pool)?.[name];
  return own ?? named ?? (schema ? pool.fresh(schema) : 'x');
}

/** The request with a member that the body does not show, though its resource has it. */
function withHiddenMember(request: Request, world: World, pool: Pool): Request | undefined {
  const body = bodyOf(pool.specification, request.operation);
  const resource = pool.specification.resourcesByName.get(body?.name ?? '');
  const members = body ? (membersIn(body, pool) ?? {}) : {};
  const hidden = [...(resource?.fields.values() ?? [])].filter(({ name }) => !Object.hasOwn(members, name));
  if (hidden.length === 0) return undefined;
  const field = pool.random.pick(hidden);
  const value = pool.keyFor(field, world) ?? pool.fresh(schemaOf(field.shape));
  return withBody(request, (whole) => (isMembers(whole) ? { ...whole, [field.name]: value } : undefined));
}
