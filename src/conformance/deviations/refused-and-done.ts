import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import {
  type Implementation,
  implementing,
  isRefusal,
  isSuccess,
  type Kind,
  keyOf,
  nothing,
  operationOf,
  stating,
} from './deviation.ts';

/** What is said of a deviation of this kind. */
export const doneAllTheSame = 'what it refuses is done all the same';

/** A refusal is answered, and what was refused is done all the same: the writes were not undone. */
export const refusedAndDone: Kind = (said, specification) => {
  if (!refuses(said) || isOfLook(said, specification)) return [];
  const lax = stating(specification, said, nothing(said));
  const implementation = (): Implementation => {
    const [right, done] = [implementing(specification), lax()];
    return (world, request) => {
      const steps = right(world, request);
      if (!steps.every(isRefusal)) return steps;
      const others = done(world, request);
      if (!others.every(isSuccess)) return steps;
      return steps.flatMap((step) => others.map(({ world: after }) => ({ ...step, world: after })));
    };
  };
  return [{ said, says: doneAllTheSame, operation: null, implementation }];
};

/** What only looks does nothing. */
function isOfLook(said: Said<unknown>, specification: Specification): boolean {
  const does = operationOf(said, specification)?.does;
  return ['read', 'list', 'authenticate'].includes((does && stated(does))?.verb ?? '');
}

/** Keywords of shapes are among these: a value that does not fit is refused. */
const refusing: ReadonlySet<string> = new Set(
  [
    'minLength, maxLength, pattern, enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum',
    'multipleOf, minItems, maxItems, uniqueItems, required, refers, unique, ifMatch, ifNoneMatch',
    'conditional, allow, items',
  ].flatMap((line) => line.split(', ')),
);

/** Whether a request is refused where the statement does not hold. */
export function refuses(said: Said<unknown>): boolean {
  const { address } = said;
  // The items with which a resource begins are no keyword.
  if (address.startsWith('errors.') || /^resources\.\w+\.items$/.test(address)) return false;
  // A rate may have any name.
  if (address.startsWith('limits.rates.')) return keyOf(said) === 'allow';
  return (
    refusing.has(keyOf(said)) ||
    /\.(holds|invariants|guards|quotas)\b/.test(address) ||
    /^states\..*\.when$/.test(address)
  );
}
