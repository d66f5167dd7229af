import { absent } from '../../semantics/value/evaluate.ts';
import { isObject, seen, type Value } from '../../semantics/value/value.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Deviation, implementing, inOperation, isSuccess, type Kind, operationOf } from './deviation.ts';

/** A success is answered in another shape. */
export const otherShape: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (operation === undefined || said !== operation.response) return [];
  const hasBody = (stated(operation.response) ?? []).some(({ body }) => stated(body) !== undefined);
  if (!hasBody) return [];
  const right = implementing(specification);
  return Object.entries(shapes).map(
    ([says, change]): Deviation => ({
      said,
      says,
      operation: operation.address,
      implementation: () =>
        inOperation(specification, operation.address, (world, request) =>
          right(world, request).map((step) => {
            const { prediction } = step;
            if (!isSuccess(step) || prediction.body === absent) return step;
            return { ...step, prediction: { ...prediction, body: change(prediction.body as Value) } };
          }),
        ),
    }),
  );
};

const shapes: Readonly<Record<string, (body: Value) => Value>> = {
  'members that are null are left out': (body) =>
    members(body, (pairs) => pairs.filter(([, value]) => seen(value) !== null)),
  'numbers are sent as texts': (body) =>
    members(body, (pairs) => pairs.map(([name, value]) => [name, asText(value)])),
  'the body is wrapped in a member': (body) => ({ data: body }),
  'nothing is sent': () => null,
};

type Pairs = readonly (readonly [string, Value])[];

/** The members at any depth. */
function members(value: Value, change: (pairs: Pairs) => Pairs): Value {
  if (Array.isArray(value)) return value.map((element: Value) => members(element, change));
  if (!isObject(value)) return value;
  const within = Object.entries(value).map(([name, member]) => [name, members(member, change)] as const);
  return Object.fromEntries(change(within));
}

function asText(value: Value): Value {
  const found = seen(value);
  return typeof found === 'number' ? String(found) : value;
}
