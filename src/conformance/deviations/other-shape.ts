import type { Step } from '../../semantics/request/request.ts';
import { each } from '../../semantics/value/each.ts';
import { absent } from '../../semantics/value/evaluate.ts';
import { isObject, Made, Range, seen, Tag, Text, textOf, type Value } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  inOperation,
  isRefusal,
  isSuccess,
  type Kind,
  keyOf,
  operationOf,
  wrapping,
} from './deviation.ts';
import { mayShow, type Written } from './shown.ts';

/** A success is answered in another shape, or with a tag that says nothing; a refusal with another status. */
export const otherShape: Kind = (said, specification) => {
  if (said.address === 'endpoints.protocol') return [withoutProtocol(said, specification)];
  if (/^resources\.[^.]+\.fields\.[^.]+\.type$/.test(said.address)) return asAnotherType(said, specification);
  const operation = operationOf(said, specification);
  if (operation === undefined) return [];
  if (keyOf(said) === 'etag') return withOtherTags(said, specification, operation);
  if (said !== operation.response) return [];
  const hasBody = (stated(operation.response) ?? []).some(({ body }) => stated(body) !== undefined);
  if (!hasBody) return [];
  const right = implementing(specification);
  const shown = mayShow(operation, specification);
  return shapes.flatMap(([says, change, written]): Deviation[] => {
    if (written !== null && !shown.has(written)) return [];
    const deviation: Deviation = {
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
    };
    return [deviation];
  });
};

/** How a body is sent otherwise, and what it has to show for that; null: anything. */
type OtherShape = readonly [says: string, change: (body: Value) => Value, written: Written | null];

const shapes: readonly OtherShape[] = [
  [
    'members that are null are left out',
    (body) => members(body, (pairs) => pairs.filter(([, value]) => seen(value) !== null)),
    'null',
  ],
  [
    'numbers are sent as texts',
    (body) => members(body, (pairs) => pairs.map(([name, value]) => [name, asText(value)])),
    'number',
  ],
  ['times are sent as numbers', (body) => each(body, (value) => (isTime(value) ? inSeconds : value)), 'time'],
  [
    'times are not in UTC',
    (body) => each(body, (value) => (isTime(value) ? textOf([value as Made | string, '+02:00']) : value)),
    'time',
  ],
  ['the body is wrapped in a member', (body) => ({ data: body }), null],
  ['nothing is sent', () => null, null],
];

/** A time in seconds since 1970, whichever it is. */
const inSeconds = new Range(1_000_000_000, 9_999_999_999);

function isTime(value: Value): boolean {
  const found = seen(value);
  if (found instanceof Made) return found.form === 'time';
  return typeof found === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(found);
}

/** A number that is known is shown as a text, and any other value as a list of it. */
function asAnotherType(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const [, resource = '', , name = ''] = said.address.split('.');
  const field = specification.resourcesByName.get(resource)?.fields.get(name);
  if (field === undefined || stated(field.readable) === false) return [];
  const wrong =
    (right: Implementation): Implementation =>
    (world, request) =>
      right(world, request).map((step) => {
        const { prediction } = step;
        const isShown = isSuccess(step) && request.operation.subject?.name === resource;
        if (!isShown || prediction.body === absent) return step;
        return { ...step, prediction: { ...prediction, body: retyped(prediction.body as Value, name) } };
      });
  return [{ ...wrapping(said, specification, 'it is shown as another type', wrong), isUnread: true }];
}

function retyped(body: Value, name: string): Value {
  return members(body, (pairs) =>
    pairs.map(([key, value]) => {
      if (key !== name || seen(value) === null) return [key, value];
      return [key, typeof seen(value) === 'number' ? String(seen(value)) : [value]];
    }),
  );
}

/** What the protocol obliges a server to answer is answered with status 500 (language §4.1, `protocol`). */
function withoutProtocol(said: Said<unknown>, specification: Specification): Deviation {
  const wrong =
    (right: Implementation): Implementation =>
    (world, request) =>
      right(world, request).map((step) =>
        isRefusal(step) && step.prediction.code === undefined && step.prediction.body === absent
          ? { ...step, prediction: { ...step.prediction, status: [500] } }
          : step,
      );
  return wrapping(said, specification, 'refusals that no row states have status 500', wrong);
}

/** All answers have the same tag, or none has that of another one; or a tag follows what is stored alone (language §4.3). */
function withOtherTags(
  said: Said<unknown>,
  specification: Specification,
  operation: Operation,
): readonly Deviation[] {
  const derived = [...(operation.subject?.fields.values() ?? [])].some((field) => stated(field.derived));
  const tagging = (says: string, change: () => (etag: Value, step: Step) => Value): Deviation =>
    wrapping(
      said,
      specification,
      says,
      (right) => {
        const changed = change();
        return (world, request) => right(world, request).map((step) => retagged(step, changed));
      },
      operation.address,
    );
  return [
    tagging('the tag is always the same', () => () => '"1"'),
    tagging('the tag is another each time', () => {
      let times = 0;
      return () => {
        times += 1;
        return `"${times}"`;
      };
    }),
    ...(derived ? [tagging('the tag does not follow what is derived', storedTags)] : []),
  ];
}

function retagged(step: Step, change: (etag: Value, step: Step) => Value): Step {
  const { prediction } = step;
  const { etag } = prediction.headers;
  if (etag === undefined || etag === null) return step;
  return {
    ...step,
    prediction: { ...prediction, headers: { ...prediction.headers, etag: change(etag, step) } },
  };
}

/** The tag that an item had first, as long as nothing else is stored of it. */
function storedTags(): (etag: Value, step: Step) => Value {
  const first = new Map<Stored, Value>();
  return (etag, { world }) => {
    const tag = etag instanceof Text ? etag.pieces.find((piece) => piece instanceof Tag) : undefined;
    const stored = tag && world?.stored(tag);
    if (!stored) return etag;
    if (!first.has(stored)) first.set(stored, etag);
    return first.get(stored) as Value;
  };
}

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
