import type { Request } from '../../../semantics/request/prediction.ts';
import type { Step } from '../../../semantics/request/request.ts';
import { Collection, isList, isObject, seen, type Value } from '../../../semantics/value/value.ts';
import type { World } from '../../../semantics/world/world.ts';
import { type Operation, queryParameters } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Parameter } from '../../../specification/vocabulary/request.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import {
  type Deviation,
  type Implementation,
  isSuccess,
  type Kind,
  operationOf,
  wrapping,
} from '../deviation.ts';

/** A list that is read in another order, from another place, or counted otherwise (language §4.5). */
export const lists: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (!operation || said !== operation.does || stated(operation.does)?.verb !== 'list') return [];
  const isOrdered = stated(stated(operation.does)?.qualifiers.order) !== undefined;
  const parameters = queryParameters(operation);
  const filters = parameters.flatMap(({ name, roles }) => (stated(roles.filter) === undefined ? [] : [name]));
  const deviation = (says: string, wrong: (right: Implementation) => Implementation): Deviation =>
    wrapping(said, specification, says, wrong, operation.address);
  return [
    ...(isOrdered ? [deviation('the list comes in the opposite order', answering(reversed))] : []),
    deviation('no item is listed', answering(emptied)),
    deviation('the last item is missing', answering(withoutLast)),
    deviation('each item comes twice', answering(doubled)),
    ...(filters.length > 0
      ? [deviation('what the answer counts does not follow the filters', counting(without(filters)))]
      : []),
    ...parameters.flatMap(({ name, roles }) => {
      const page = stated(roles.page);
      return page === undefined || !counted.includes(page)
        ? []
        : [1, -1].map((by) =>
            deviation(`${name} is taken for one ${by > 0 ? 'more' : 'less'}`, asking(shifted(name, by))),
          );
    }),
    ...parameters.flatMap(({ name, roles }) =>
      stated(roles.page) === 'before'
        ? [deviation(`the page before ${name} begins where the list does`, fromTheTop(name, parameters))]
        : [],
    ),
    ...joinedFilters(filters, operation, said, specification),
  ];
};

/** Roles of parameters that are numbers. */
const counted: readonly string[] = ['size', 'offset', 'start', 'number'];

/** An item is listed if any filter admits it, and need not pass all of them: the first filter alone decides. */
function joinedFilters(
  filters: readonly string[],
  operation: Operation,
  said: Said<unknown>,
  specification: Specification,
): Deviation[] {
  return filters.length < 2
    ? []
    : filters.map((name) =>
        wrapping(
          said,
          specification,
          `beside ${name}, other filters are not looked at`,
          asking((request) =>
            request.query[name] === undefined
              ? request
              : without(filters.filter((each) => each !== name))(request),
          ),
          operation.address,
        ),
      );
}

/** The elements of the whole list, as far as it is asked for at once: of any page, with the same filters and order. */
export function wholeOf(
  request: Request,
  parameters: readonly Parameter[],
  right: Implementation,
  world: World,
): readonly Value[] {
  const size = parameters.find(({ roles }) => stated(roles.page) === 'size');
  const largest = size ? { [size.name]: schemaOf(size.shape).maximum ?? mostOnAPage } : {};
  const all = right(world, { ...request, query: { ...request.query, ...largest } }).find(isSuccess);
  return all && typeof all.prediction.body !== 'symbol' ? elementsIn(all.prediction.body) : [];
}

/** Of all items before an end, the first are shown, and not the last: as many as the page has (language §4.5, rule 5). */
function fromTheTop(
  name: string,
  parameters: readonly Parameter[],
): (right: Implementation) => Implementation {
  return (right) => (world, request) => {
    if (request.query[name] === undefined) return right(world, request);
    const whole = wholeOf(request, parameters, right, world);
    const first = (items: Value): Value => ofElements(items, ({ length }) => whole.slice(0, length));
    return answering(first)(right)(world, request);
  };
}

/** How many items are asked for where a size has no bound. */
const mostOnAPage = 100;

/** What an implementation is asked is changed before it answers. */
function asking(change: (request: Request) => Request): (right: Implementation) => Implementation {
  return (right) => (world, request) => right(world, change(request));
}

/** The lists of its answers are changed. */
export function answering(change: (items: Value) => Value): (right: Implementation) => Implementation {
  return (right) => (world, request) =>
    right(world, request).map((step) => withBody(step, (body) => listsIn(body, change)));
}

/** Numbers of its answers are those of the answer to another request. */
function counting(change: (request: Request) => Request): (right: Implementation) => Implementation {
  return (right) => (world, request) => {
    const other = right(world, change(request)).findLast(isSuccess)?.prediction;
    if (other === undefined) return right(world, request);
    return right(world, request).map((step) => {
      const found = withBody(step, (body) => withNumbers(body, other.body as Value));
      const { prediction } = found;
      const headers = withNumbers(prediction.headers, other.headers) as typeof prediction.headers;
      return isSuccess(step) ? { ...found, prediction: { ...prediction, headers } } : step;
    });
  };
}

export function withBody(step: Step, change: (body: Value) => Value): Step {
  const { prediction } = step;
  if (!isSuccess(step) || typeof prediction.body === 'symbol') return step;
  return { ...step, prediction: { ...prediction, body: change(prediction.body) } };
}

/** The list that a body is, or those that are members of it. */
function listsIn(body: Value, change: (items: Value) => Value): Value {
  if (isList(body) || body instanceof Collection) return change(body);
  if (!isObject(body)) return body;
  const members = Object.entries(body).map(([name, value]) => [
    name,
    isList(value) || value instanceof Collection ? change(value) : value,
  ]);
  return Object.fromEntries(members);
}

/** The elements of the list that a body is, or of the first that it has. */
export function elementsIn(body: Value): readonly Value[] {
  const lists = isObject(body) ? Object.values(body) : [body];
  const list = lists.find((each) => isList(each) || each instanceof Collection) ?? [];
  return list instanceof Collection ? list.items : (list as readonly Value[]);
}

function reversed(items: Value): Value {
  return ofElements(items, (all) => all.toReversed());
}

function withoutLast(items: Value): Value {
  return ofElements(items, (all) => all.slice(0, -1));
}

function emptied(items: Value): Value {
  return ofElements(items, () => []);
}

function doubled(items: Value): Value {
  return ofElements(items, (all) => all.flatMap((each) => [each, each]));
}

export function ofElements(items: Value, change: (all: readonly Value[]) => readonly Value[]): Value {
  if (items instanceof Collection)
    return new Collection(change(items.items), { rest: items.rest, ordered: items.ordered });
  return isList(items) ? change(items) : items;
}

/** The members of an object that are numbers, with the values that they have in another. */
function withNumbers(value: Value, other: Value): Value {
  if (!isObject(value) || !isObject(other)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const theirs = other[name];
      return [name, isNumber(member) && theirs !== undefined && isNumber(theirs) ? theirs : member];
    }),
  );
}

function isNumber(value: Value): boolean {
  const found = seen(value);
  return typeof found === 'number' || (typeof found === 'string' && /^\d+$/.test(found));
}

export function without(names: readonly string[]): (request: Request) => Request {
  return (request) => ({
    ...request,
    query: Object.fromEntries(Object.entries(request.query).filter(([name]) => !names.includes(name))),
  });
}

/** A number that is given, one more or one less. */
function shifted(name: string, by: number): (request: Request) => Request {
  return (request) => {
    const given = request.query[name];
    if (typeof given !== 'number' || given + by < 0) return request;
    return { ...request, query: { ...request.query, [name]: given + by } };
  };
}
