import type { Request } from '../../semantics/request/prediction.ts';
import { equal } from '../../semantics/value/compare.ts';
import { isObject, type Value } from '../../semantics/value/value.ts';
import { boundFields, type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';
import { holds } from '../body.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  inOperation,
  type Kind,
  keyOf,
  operationOf,
  wrapping,
} from './deviation.ts';

/**
 * What a client gives is not looked at: a parameter, a header field, a member of the body, the item of the path, the version.
 */
export const ignored: Kind = (said, specification) => {
  if (said.address === 'versioning.place')
    return [
      wrapping(
        said,
        specification,
        'the version that a request names is not looked at',
        (right) => (world, given) => right(world, { ...given, version: null }),
      ),
    ];
  const operation = operationOf(said, specification);
  if (operation === undefined) {
    const whole = specification.operations.find(({ address }) => address === said.address);
    return whole ? [withoutEndpoint(whole, said, specification)] : [];
  }
  if (said === operation.does) return otherItem(operation, said, specification);
  if (keyOf(said) === 'header' && said.kind === 'stated' && typeof said.value === 'string') {
    const name = said.value.toLowerCase();
    return [
      ignoring(
        said,
        specification,
        operation.address,
      )(`${said.value} is not looked at`, (given) => ({
        ...given,
        headers: without(given.headers, [name]),
      })),
    ];
  }
  const { request } = operation;
  if (request === null) return [];
  const deviation = ignoring(said, specification, operation.address);
  if (said === request.body) {
    const under = stated(request.under);
    return membersOf(operation, specification).map(([name]) =>
      deviation(`${name} is not taken from the body`, (given) => ({
        ...given,
        content: given.content === undefined ? undefined : withoutMember(given.content, name, under),
      })),
    );
  }
  if (said === request.query)
    return queryParameters(operation).flatMap((parameter) => ofParameter(parameter, deviation));
  if (said === request.headers)
    return [...(stated(request.headers)?.keys() ?? [])].map((name) =>
      deviation(`${name} is not looked at`, (given) => ({
        ...given,
        headers: without(given.headers, [name.toLowerCase()]),
      })),
    );
  return [];
};

/** A parameter at which nobody looks, or not always; of one that sorts, nobody looks at all that it says. */
function ofParameter({ name, shape, roles }: Parameter, deviation: Ignoring): readonly Deviation[] {
  const ignored = (says: string, isIt: (query: Request['query']) => boolean): Deviation =>
    deviation(`${name} is not looked at${says}`, (given) =>
      isIt(given.query) ? { ...given, query: without(given.query, [name]) } : given,
    );
  const sorted = (says: string, change: (fields: readonly string[]) => readonly string[]): Deviation =>
    deviation(says, (given) => {
      const value = given.query[name];
      if (typeof value !== 'string') return given;
      return { ...given, query: { ...given.query, [name]: change(value.split(',')).join() } };
    });
  const { type } = schemaOf(shape);
  const fields = stated(roles.sort) ?? [];
  return [
    ignored('', () => true),
    ignored(' beside others', (query) => Object.keys(query).length > 1),
    ...(type === 'boolean' ? [ignored(' where it is false', (query) => query[name] === false)] : []),
    ...(type === 'integer' ? [ignored(' where it is 0', (query) => query[name] === 0)] : []),
    ...(fields.length > 0
      ? [sorted(`${name} sorts upwards, whatever it says`, (all) => all.map((one) => one.replace(/^-/, '')))]
      : []),
    ...(fields.length > 1
      ? [sorted(`${name} sorts by its first field alone`, (all) => all.slice(0, 1))]
      : []),
  ];
}

/** Requests to an endpoint are answered as if there were none. */
function withoutEndpoint(operation: Operation, said: Said<unknown>, specification: Specification): Deviation {
  const operations = specification.operations.filter((each) => each !== operation);
  return {
    said,
    says: 'there is no such endpoint',
    operation: operation.address,
    isUnread: true,
    implementation: () => implementing({ ...specification, operations }),
  };
}

/** The item that the path names is not looked up: the oldest other item is taken. */
function otherItem(
  operation: Operation,
  said: Said<unknown>,
  specification: Specification,
): readonly Deviation[] {
  return [...operation.bindings].flatMap(([parameter, binding]) => {
    if (binding.kind === 'text') return [];
    const resource = binding.kind === 'other' ? binding.resource : operation.subject?.name;
    if (resource === undefined || stated(operation.does)?.verb === 'create') return [];
    const wrong =
      (right: Implementation): Implementation =>
      (world, given) => {
        const named = world
          .items(resource)
          .some(({ members }) => isValue(members, binding.field, given.path[parameter]));
        const other = world
          .items(resource)
          .find(
            ({ members }) =>
              members.has(binding.field) && !isValue(members, binding.field, given.path[parameter]),
          );
        const value = other?.members.get(binding.field);
        return right(
          world,
          named && value !== undefined ? { ...given, path: { ...given.path, [parameter]: value } } : given,
        );
      };
    return [
      wrapping(
        said,
        specification,
        `another ${resource} is taken than ${parameter} names`,
        wrong,
        operation.address,
      ),
    ];
  });
}

function isValue(members: ReadonlyMap<string, Value>, field: string, value: Value | undefined): boolean {
  return equal(members.get(field) ?? null, value ?? null) === true;
}

/** The members that a client may give in the body of a request, each with its shape. */
export function membersOf(
  operation: Operation,
  specification: Specification,
): readonly (readonly [string, Shape])[] {
  const { request, subject } = operation;
  const body = request && stated(request.body);
  const resource = body?.of ? specification.resourcesByName.get(body.of.name) : undefined;
  // What the path gives is no member of the body (language §4.2, rule 7).
  const bound = resource?.name === subject?.name ? boundFields(operation) : [];
  const fields = [...(resource?.fields.values() ?? [])].filter(
    ({ name, writable }) => stated(writable) !== false && body && holds(body, name) && !bound.includes(name),
  );
  const shapes = new Map(fields.map(({ name, shape }) => [name, shape]));
  for (const [name, said] of body?.shape.object?.fields ?? []) {
    const shape = stated(said);
    if (shape) shapes.set(name, shape);
  }
  return [...shapes];
}

/** Makes a deviation of what a request comes to. */
type Ignoring = (says: string, change: (request: Request) => Request) => Deviation;

function ignoring(said: Said<unknown>, specification: Specification, operation: string): Ignoring {
  const right = implementing(specification);
  return (says, change) => ({
    said,
    says,
    operation,
    implementation: () =>
      inOperation(specification, operation, (world, request) => right(world, change(request))),
  });
}

function without<T>(members: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

function withoutMember(content: Value, name: string, under: string | undefined): Value {
  if (!isObject(content)) return content;
  if (under === undefined) return without(content, [name]);
  return { ...content, [under]: withoutMember(content[under] ?? null, name, undefined) };
}
