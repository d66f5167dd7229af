import { acceptedBy } from '../../semantics/access/accepted.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { isObject, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { keyOf, operationOf } from '../deviations/deviation.ts';
import { membersIn } from './bodies.ts';
import type { Pool } from './pool.ts';
import { nextRequest, oddRequest } from './requests.ts';
import { otherCredentials } from './senders.ts';
import { url } from './simulate.ts';
import type { Suspect } from './suspect.ts';

/** A request to an operation that a statement is about. If it is about a member, the member has a value at a bound. */
export function aimedAt(suspect: Suspect, world: World, pool: Pool): Request {
  suspect.aims += 1;
  const { address } = suspect.deviation.said;
  const request = nextRequest(world, pool, url, operationsFor(suspect, world.specification));
  const [, member] = /\.fields\.([^.]+)/.exec(address) ?? [];
  const isOdd = pool.often(60);
  const [isAccess, scheme] = /^authentication\.(?:schemes\.([^.]+))?/.exec(address) ?? [];
  if (isAccess !== undefined && isOdd)
    return { ...request, credentials: otherCredentials(request, world, pool, scheme) };
  if (member === undefined) return isOdd ? oddRequest(request, world, pool) : request;
  return isOdd ? withBound(request, member, pool) : request;
}

/** The operations that a statement is about; undefined: any may be. */
function operationsFor(
  { deviation }: Suspect,
  specification: Specification,
): readonly Operation[] | undefined {
  const { operations } = specification;
  const { said, operation } = deviation;
  if (operation !== null) return operations.filter(({ address }) => address === operation);
  const own = operationOf(said, specification);
  if (own) return [own];
  if (keyOf(said) === 'ifDeleted') return deleting(said, specification);
  const [, resource] = /^(?:resources\.|states\[")(\w+)/.exec(said.address) ?? [];
  const [, rule] = /^authentication\.authorization\.(\w+)/.exec(said.address) ?? [];
  const [, scheme] = /^authentication\.schemes\.([^.]+)/.exec(said.address) ?? [];
  if (scheme !== undefined) return accepting(scheme, specification);
  const found = operations.filter(
    ({ subject, name, request }) =>
      name === rule ||
      (resource !== undefined &&
        (subject?.name === resource || stated(request?.body ?? undefined)?.of?.name === resource)),
  );
  return found.length > 0 ? found : undefined;
}

/** The operations whose rules accept a scheme. */
function accepting(scheme: string, specification: Specification): readonly Operation[] | undefined {
  const found = specification.operations.filter((operation) =>
    acceptedBy(operation, specification)
      .flat()
      .some((each) => each.scheme === scheme),
  );
  return found.length > 0 ? found : undefined;
}

/** The operations that delete what a field refers to. */
function deleting(
  { address }: Said<unknown>,
  specification: Specification,
): readonly Operation[] | undefined {
  const [, resource = '', field = ''] = /^resources\.(\w+)\.fields\.(\w+)/.exec(address) ?? [];
  const to = stated(specification.resourcesByName.get(resource)?.fields.get(field)?.refers)?.resource;
  const found = specification.operations.filter(
    ({ subject, does }) => subject?.name === to && stated(does)?.verb === 'delete',
  );
  return found.length > 0 ? found : undefined;
}

/** The request with another value in a member of its body: at a bound, or past it, or none. */
function withBound(request: Request, name: string, pool: Pool): Request {
  const { operation, content } = request;
  const body = bodyOf(pool.specification, operation);
  const schema = body && membersIn(body, pool)?.[name];
  const under = operation.request ? stated(operation.request.under) : undefined;
  const whole =
    under === undefined ? content : isObject(content ?? null) ? (content as Members)[under] : null;
  if (whole === undefined || !isObject(whole)) return request;
  const { [name]: _, ...others } = whole;
  const probes = schema ? pool.atBounds(schema) : [];
  const isGone = schema && (probes.length === 0 || pool.often(20));
  // A field that no client may write is given all the same.
  const value = schema ? probes.length > 0 && pool.random.pick(probes) : freshField(request, name, pool);
  const changed: Value = isGone ? others : { ...others, [name]: value };
  return { ...request, content: under === undefined ? changed : { [under]: changed } };
}

function freshField({ operation: { subject } }: Request, name: string, pool: Pool): Value {
  const field = subject?.fields.get(name);
  return field ? pool.fresh(schemaOf(field.shape)) : 'x';
}

type Members = Readonly<Record<string, Value>>;
