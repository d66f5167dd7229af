import type { Request } from '../../semantics/request/prediction.ts';
import { isObject, type Value } from '../../semantics/value/value.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { type Deviation, implementing, inOperation, type Kind, operationOf } from './deviation.ts';

/** What a client gives is not looked at: a parameter, a header field, or a member of the body. */
export const ignored: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (operation === undefined) return [];
  const { request } = operation;
  if (request === null) return [];
  const deviation = ignoring(said, specification, operation.address);
  if (said === request.body) {
    const body = stated(request.body);
    const resource = body?.of ? specification.resourcesByName.get(body.of.name) : undefined;
    const writable = [...(resource?.fields.values() ?? [])].filter(
      (field) => stated(field.writable) !== false,
    );
    const own = body?.shape.object?.fields.keys() ?? [];
    const names = new Set([...writable.map(({ name }) => name), ...own]);
    const under = stated(request.under);
    return [...names].map((name) =>
      deviation(`${name} is not taken from the body`, (given) => ({
        ...given,
        content: given.content === undefined ? undefined : withoutMember(given.content, name, under),
      })),
    );
  }
  if (said === request.query)
    return [...(stated(request.query)?.keys() ?? [])].flatMap((name) => [
      deviation(`${name} is not looked at`, (given) => ({ ...given, query: without(given.query, [name]) })),
      deviation(`${name} is not looked at beside others`, (given) => ({
        ...given,
        query: Object.keys(given.query).length > 1 ? without(given.query, [name]) : given.query,
      })),
    ]);
  if (said === request.headers)
    return [...(stated(request.headers)?.keys() ?? [])].map((name) =>
      deviation(`${name} is not looked at`, (given) => ({
        ...given,
        headers: without(given.headers, [name.toLowerCase()]),
      })),
    );
  return [];
};

function ignoring(
  said: Said<unknown>,
  specification: Specification,
  operation: string,
): (says: string, change: (request: Request) => Request) => Deviation {
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
