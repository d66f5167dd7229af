import { allOf } from '../../semantics/event/event.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  inOperation,
  isSuccess,
  type Kind,
  keyOf,
  operationOf,
} from './deviation.ts';

/** A success is answered, and nothing is done, or it is done twice. */
export const effects: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (operation === undefined || keyOf(said) !== 'does' || said !== operation.does) return [];
  const change = stated(operation.does) as Change;
  if (change.verb === 'read' || change.verb === 'list' || change.verb === 'authenticate') return [];
  const right = implementing(specification);
  const undone: Implementation = (world, request) =>
    right(world, request).map((step) => (isSuccess(step) && step.world !== null ? { ...step, world } : step));
  const twice: Implementation = (world, request) =>
    right(world, request).flatMap((step) => {
      if (!isSuccess(step) || step.world === null) return [step];
      const again = right(step.world, request).filter(isSuccess);
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
