import { once } from '../../source/once.ts';
import type { Span } from '../../source/text.ts';
import type { Address } from '../reading/address.ts';
import { isSaid, type Said, stated } from '../reading/said.ts';
import type { Answer } from '../vocabulary/answer.ts';
import { type Change, findsNoItem, isAboutResource } from '../vocabulary/change.ts';
import type { Cors, Endpoint } from '../vocabulary/parts/endpoints.ts';
import type { Resource } from '../vocabulary/parts/resources.ts';
import type { Matching, Segment } from '../vocabulary/paths.ts';
import { type Body, type Parameter, type Request, requestByMedia } from '../vocabulary/request.ts';

/** What an endpoint does, with what its statements refer to resolved (language §4). */
export interface Operation {
  /** Its name in other parts; where none is stated, the endpoint's key. */
  readonly name: string;
  /** `METHOD /path` as written. */
  readonly key: string;
  readonly address: Address;
  readonly at: Span;
  readonly method: string;
  readonly path: readonly Segment[];
  readonly endpoint: Endpoint;
  readonly does: Said<Change>;
  /** The resource that it is about; null where it is about none, or that is open. */
  readonly subject: Resource | null;
  /** What the parameters of the path stand for, by name. */
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly request: Request | null;
  readonly response: Said<readonly Answer[]>;
  readonly cors: Said<Cors>;
}

/** A path parameter: a field of the subject or of another resource, or only text. */
export type Binding = (
  | { readonly kind: 'subject'; readonly field: string }
  | { readonly kind: 'other'; readonly resource: string; readonly field: string; readonly as: string | null }
  | { readonly kind: 'text' }
) & {
  /** The parameter with the shape that is stated of it; null: none is. */
  readonly parameter: Parameter | null;
};

export function resolve(endpoint: Endpoint, resources: ReadonlyMap<string, Resource>): Operation {
  const change = stated(endpoint.does);
  const request = stated(endpoint.request) ?? null;
  const name = change && isAboutResource(change) ? change.subject.name : undefined;
  const subject = (name && resources.get(name)) || null;
  const bindings = new Map<string, Binding>();
  for (const segment of endpoint.path)
    if ('parameter' in segment) bindings.set(segment.parameter, bind(segment.parameter, subject, request));
  return {
    name: stated(endpoint.operation)?.text ?? endpoint.key,
    key: endpoint.key,
    address: endpoint.address,
    at: endpoint.at,
    method: endpoint.method,
    path: endpoint.path,
    endpoint,
    does: endpoint.does,
    subject,
    bindings,
    request,
    response: endpoint.response,
    cors: endpoint.cors,
  };
}

function bind(name: string, subject: Resource | null, request: Request | null): Binding {
  const said = request ? stated(request.path)?.get(name) : undefined;
  const parameter = said && stated(said);
  const to = parameter?.binding;
  if (to) {
    const own = parameter.is.kind === 'stated' ? parameter : null;
    // A name is for another item, though it be of the same kind: the folder in which one is made.
    if (to.resource === subject?.name && to.as === null)
      return { kind: 'subject', field: to.field, parameter: own };
    return { kind: 'other', resource: to.resource, field: to.field, as: to.as, parameter: own };
  }
  return { kind: 'text', parameter: parameter ?? null };
}

/** Whether the parameters of the path and of the query single out one item, by its identifier or unique fields (language §H.2). */
export function singlesOut(operation: Operation): boolean {
  const { subject } = operation;
  if (subject === null) return false;
  return identifies(subject, [...boundFields(operation), ...queryFields(operation).values()]);
}

/** The parameters of the query that find the item which an operation is about, each with its field (language §4.2). */
export const queryFields = once(({ subject, does, request }: Operation): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  if (subject === null || findsNoItem.includes(stated(does)?.verb ?? 'list')) return found;
  for (const [name, said] of stated(request?.query) ?? []) {
    const binding = stated(said)?.binding;
    if (binding?.resource === subject.name && binding.as === null) found.set(name, binding.field);
  }
  return found;
});

/** Whether no two items of a resource have the same values in these fields. */
export function identifies(resource: Resource, bound: readonly string[]): boolean {
  const unique = [...resource.fields.values()].filter(
    (field) => isSaid(field.unique) && stated(field.unique) !== false,
  );
  const sets = [
    stated(resource.identifier) ?? [],
    ...(stated(resource.unique) ?? []).map((one) => one.fields),
  ];
  return (
    unique.some((field) => bound.includes(field.name)) ||
    sets.some((fields) => fields.length > 0 && fields.every((field) => bound.includes(field.text)))
  );
}

/** A path of an operation. */
export interface PathOf {
  readonly path: readonly Segment[];
  /** `METHOD /path`. */
  readonly key: string;
  readonly at: Span;
}

/** The paths at which an operation is, its own first. */
export function pathsOf({ key, method, path, at, endpoint }: Operation): readonly PathOf[] {
  const further = stated(endpoint.paths) ?? [];
  return [{ path, key, at }, ...further.map((one) => ({ ...one, key: `${method} ${one.text}` }))];
}

/** The paths of requests that an operation answers: with `slash`, also each with a slash more. */
export function pathsMatched(operation: Operation): readonly PathOf[] {
  const all = pathsOf(operation);
  if (!isMatching(operation, 'slash')) return all;
  return all.flatMap((one) =>
    takesSlash(one.path) ? [one, { ...one, path: [...one.path, { literal: '' }] }] : [one],
  );
}

function takesSlash(path: readonly Segment[]): boolean {
  const last = path.at(-1);
  return last !== undefined && !('literal' in last && last.literal === '');
}

export function isMatching({ endpoint }: Operation, word: Matching): boolean {
  return stated(endpoint.matching)?.includes(word) === true;
}

/** The subject's fields whose values the path gives (language §4.2). */
export function boundFields(operation: Operation): string[] {
  return [...operation.bindings.values()].flatMap((one) => (one.kind === 'subject' ? [one.field] : []));
}

/** The query parameters of an operation that are stated (language §4.2). */
export const queryParameters = once(({ request }: Operation): readonly Parameter[] =>
  [...((request && stated(request.query))?.values() ?? [])].flatMap((said) => stated(said) ?? []),
);

/** The header fields of a request that are stated (language §4.2). */
export const headerParameters = once(({ request }: Operation): readonly Parameter[] =>
  [...((request && stated(request.headers))?.values() ?? [])].flatMap((said) => stated(said) ?? []),
);

/** What an operation takes as its body: one, or one for each media type of `content` (language §4.2). */
export function bodiesOf({ request }: Pick<Operation, 'request'>): readonly Body[] {
  return request === null ? [] : requestByMedia(request).flatMap(({ body }) => stated(body) ?? []);
}
