import { allOf } from '../../semantics/event/event.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { equal } from '../../semantics/value/compare.ts';
import { isObject, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import { changed } from './changed.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  inOperation,
  isSuccess,
  type Kind,
  keyOf,
  nothing,
  operationOf,
  restating,
} from './deviation.ts';

/** A success is answered, and nothing is done, or it is done twice. Who knew a secret before is authenticated. */
export const effects: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (keyOf(said) === 'by' && operation) return authenticating(said, specification);
  if (operation === undefined || keyOf(said) !== 'does' || said !== operation.does) return [];
  const change = stated(operation.does) as Change;
  if (change.verb === 'read' || change.verb === 'list' || change.verb === 'authenticate') return [];
  const right = implementing(specification);
  const undone: Implementation = (world, request) =>
    right(world, request).map((step) => (isSuccess(step) && step.world !== null ? { ...step, world } : step));
  // The second time, no key says that the request was done.
  const { idempotency } = operation.endpoint;
  const keyless = once(() =>
    implementing(changed(specification, new Map([[idempotency, nothing(idempotency)]]))),
  );
  const twice: Implementation = (world, request) =>
    right(world, request).flatMap((step) => {
      if (!isSuccess(step) || step.world === null) return [step];
      const again = keyless()(step.world, request).filter(isSuccess);
      return again.length > 0
        ? again.map(({ events, world: after }) => ({
            ...step,
            events: allOf([step.events, events]),
            world: after,
          }))
        : [step];
    });
  const deviation = (says: string, implementation: Implementation): Deviation => ({
    said,
    says,
    operation: operation.address,
    implementation: () => inOperation(specification, operation.address, implementation),
  });
  const makesMore = change.verb === 'create' || stated(operation.endpoint.also) !== undefined;
  return [
    deviation('a success is answered, and nothing is done', undone),
    // Most other changes are the same when they are done again.
    ...(makesMore ? [deviation('it is done twice', twice)] : []),
  ];
};

/** A field that must match is not compared, or a value that it held before will do. */
function authenticating(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const by = said.kind === 'stated' && said.value instanceof Map ? [...said.value] : [];
  const fewer = by.map(([name]) =>
    restating(said, specification, `${name} is not compared`, {
      ...(said as Extract<typeof said, { kind: 'stated' }>),
      value: new Map(by.filter(([other]) => other !== name)),
    }),
  );
  return [...(by.length > 1 ? fewer : []), ...formerSecret(said, specification)];
}

/** Whoever gives a former value of a field is authenticated (language §H.2, rule 5). */
function formerSecret(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const operation = operationOf(said, specification);
  const { subject } = operation ?? {};
  const names = said.kind === 'stated' && said.value instanceof Map ? [...said.value.keys()] : [];
  const secret = names.find((name) => stated(subject?.fields.get(name)?.secret) !== undefined);
  if (!operation || !subject || secret === undefined) return [];
  const right = implementing(specification);
  const implementation = (): ReturnType<Deviation['implementation']> => (world, request) =>
    right(world, withPresent(request, subject.name, secret, world));
  return [{ said, says: `a former ${secret} is still good`, operation: operation.address, implementation }];
}

/** The request with what an item holds now, in place of what it held before. */
function withPresent(request: Request, resource: string, field: string, world: World): Request {
  const { content } = request;
  if (content === undefined || !isObject(content)) return request;
  const present = (value: Value): Value => {
    const before = world
      .earlier(resource)
      .find(({ members }) => equal(members.get(field) ?? null, value) === true);
    const now = before && world.items(resource).find(({ handle }) => handle === before.handle);
    return now?.members.get(field) ?? value;
  };
  return {
    ...request,
    content: Object.fromEntries(Object.entries(content).map(([name, value]) => [name, present(value)])),
  };
}
