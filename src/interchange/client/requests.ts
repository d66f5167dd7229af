import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Hold, holds } from '../../specification/openness/holds.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import { mayLackContent, type Parameter } from '../../specification/vocabulary/request.ts';
import { headersOf } from '../openapi/export/operations.ts';
import type { Items } from '../schemas/items.ts';
import { bodiesTaken, schemaOfParameter, schemaOfPath } from '../schemas/operations.ts';
import { type Member, type Named, typeOfLiteral, typeOfMembers, typeOfSchema } from '../types/schema.ts';
import { typeSent } from './media.ts';

/** What a method of the client takes. */
export interface RequestTaken {
  /** The type of its argument; null: there is nothing to give. */
  readonly type: string | null;
  readonly isOptional: boolean;
  /** The media type of content for which the caller names none; null: there is no content, or the caller has to name it. */
  readonly media: string | null;
  /** The addresses of what is open of the request. */
  readonly open: readonly string[];
}

type Parameters = Said<ReadonlyMap<string, Said<Parameter>>> | undefined;

/** What an operation is given, by place: what the document states of it, and `unknown` where it is open (language §4.2). */
export function requestTaken(
  of: Specification,
  operation: Operation,
  items: Items,
  named: Named,
): RequestTaken {
  const { request } = operation;
  const open = openIn(of, operation);
  const headers = [
    ...parameters(of, request?.headers, items, named),
    ...headersOf(operation).map((each) => ({
      name: String(each['name']),
      type: 'string',
      isOptional: each['required'] !== true,
    })),
  ];
  const places = [
    ...place('path', path(of, operation, items, named)),
    ...place('query', parameters(of, request?.query, items, named)),
    ...place('headers', headers),
  ];
  const { contents, media } = contentsOf(of, operation, items, named, open.length > 0);
  const types = (contents.length === 0 ? [[]] : contents).map((content) => [...places, ...content]);
  const isOptional = types.some((members) => members.every((member) => member.isOptional));
  const written = types.map((members) => typeOfMembers(members, false)).join(' | ');
  return { type: types.every(({ length }) => length === 0) ? null : written, isOptional, media, open };
}

/** The points by which it is open what is sent: those that hold the operation up, and those at which a question stands. */
function openIn(of: Specification, operation: Operation): readonly string[] {
  const { request, address, does } = operation;
  const isOfRequest = ({ address: at, why }: Hold): boolean =>
    why === 'open' && (at === does.address || at.startsWith(`${address}.request`));
  const asked = [operation.endpoint.request, request?.body, request?.content].flatMap((said) =>
    said && isAsked(said) ? [said.address] : [],
  );
  return [
    ...new Set([
      ...holds(of, operation)
        .filter(isOfRequest)
        .map((hold) => hold.address),
      ...asked,
    ]),
  ];
}

function place(name: string, members: readonly Member[]): Member[] {
  if (members.length === 0) return [];
  const isOptional = members.every((member) => member.isOptional);
  return [{ name, type: typeOfMembers(members, false), isOptional }];
}

function path(of: Specification, operation: Operation, items: Items, named: Named): Member[] {
  return operation.path.flatMap((segment) => {
    if (!('parameter' in segment)) return [];
    const type = typeOfSchema(schemaOfPath(of, operation, segment.parameter, items), named);
    return [{ name: segment.parameter, type, isOptional: false }];
  });
}

function parameters(of: Specification, said: Parameters, items: Items, named: Named): Member[] {
  return [...((said && stated(said)) ?? [])].map(([name, each]) => {
    const parameter = stated(each);
    const type = parameter ? typeOfSchema(schemaOfParameter(of, parameter, items), named) : 'unknown';
    return { name, type, isOptional: !(parameter && stated(parameter.required) === true) };
  });
}

/** The content that may be given: the members `body` and, if there are several media types, `media`. */
function contentsOf(
  of: Specification,
  operation: Operation,
  items: Items,
  named: Named,
  isOpen: boolean,
): { readonly contents: readonly (readonly Member[])[]; readonly media: string | null } {
  // Fetch sends no content with these (Fetch standard, Request constructor).
  if (['GET', 'HEAD'].includes(operation.method)) return { contents: [], media: null };
  const bodies = bodiesTaken(of, operation, items);
  if (bodies.length === 0) {
    const unknown = [{ name: 'body', type: 'unknown', isOptional: true }];
    return isOpen ? { contents: [unknown], media: 'application/json' } : { contents: [], media: null };
  }
  const isOptional = mayLackContent(operation.request);
  const first = bodies[0]?.media ?? 'application/json';
  const usual = first.includes('*') ? null : first;
  const contents = bodies.map((content) => {
    const { media } = content;
    const body = { name: 'body', type: typeSent(content, named), isOptional };
    const isUsual = (media ?? 'application/json') === usual;
    if (bodies.length === 1 && isUsual) return [body];
    const type = media?.includes('*') ? 'string' : typeOfLiteral(media);
    return [body, { name: 'media', type, isOptional: isUsual }];
  });
  return { contents, media: usual };
}
