import { valueIn } from '../../semantics/request/route.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyOf } from '../body.ts';
import type { Request } from '../http.ts';
import type { Use } from './sequence.ts';
import { bodyTokens, decoded, headerTokens } from './tokens.ts';

/** A value in a request, and what it says of which resource, as far as the document tells. */
export interface Given {
  readonly value: string;
  /** Where it stands, unless it is a header field. */
  readonly use: Omit<Use, 'step'> | null;
  /** It stands where an identifier does: of this resource. */
  readonly of: string | null;
}

/** The segments of a path, decoded, without the query. */
export function segmentsOf(path: string): string[] {
  return (path.split(/[?#]/)[0] ?? '').split('/').slice(1).map(decoded);
}

/** The operation that a request is to, by its method and path; what a version puts before the path is passed over. */
export function operationOf(of: Specification, method: string, path: string): Operation | undefined {
  const segments = segmentsOf(path);
  const fitting = of.operations.filter((one) => {
    const own = segments.slice(-one.path.length);
    const isLong = own.length === one.path.length;
    const fits = one.path.every((wanted, i) =>
      'parameter' in wanted ? valueIn(wanted, own[i] ?? '') !== null : wanted.literal === own[i],
    );
    return one.method === method && isLong && fits;
  });
  const literals = ({ path: own }: Operation): number => own.filter((one) => 'literal' in one).length;
  return fitting.sort((a, b) => literals(b) - literals(a))[0];
}

/** The values that a request gives: in its path, its query, its header fields and its body. */
export function givenIn(
  of: Specification,
  { method, url, headers, body }: Request,
  address: string,
): Given[] {
  const path = url.slice(address.length);
  const operation = operationOf(of, method, path);
  return [
    ...inPath(operation, path),
    ...inQuery(path),
    ...headerTokens([...headers, ...credentialsIn(headers)]).map(({ value }) => ({
      value,
      use: null,
      of: null,
    })),
    ...inBody(of, operation, body ?? ''),
  ];
}

function inPath(operation: Operation | undefined, path: string): Given[] {
  const segments = segmentsOf(path);
  const before = segments.length - (operation?.path.length ?? 0);
  return segments.flatMap((text, index): Given[] => {
    const place = operation?.path[index - before];
    const value = place && 'parameter' in place ? valueIn(place, text) : null;
    if (value === null || place === undefined || !('parameter' in place)) return [];
    const binding = operation?.bindings.get(place.parameter);
    const resource =
      binding?.kind === 'subject'
        ? operation?.subject?.name
        : binding?.kind === 'other'
          ? binding.resource
          : undefined;
    const use = { segment: index, ...(place.around && { around: place.around }) };
    return [{ value, use, of: resource ?? null }];
  });
}

function inQuery(path: string): Given[] {
  const query = path.split('?')[1];
  return [...new URLSearchParams(query ?? '').values()].map((value) => ({ value, use: null, of: null }));
}

function inBody(of: Specification, operation: Operation | undefined, body: string): Given[] {
  const model = operation && bodyOf(of, operation);
  const { subject = null } = operation ?? {};
  const keys = (subject && stated(subject.identifier)?.map(({ text }) => text)) ?? [];
  const known = bodyTokens(body).map(({ value, at, name }) => {
    const to = model && stated(model.refers.get(name)?.refers);
    const own = keys.includes(name) ? (subject?.name ?? null) : null;
    return { value, use: { body: at.body ?? '' }, of: to?.resource ?? own };
  });
  if (known.length > 0 || !/^[^=&\s]+=/.test(body)) return known;
  return inQuery(`?${body}`);
}

/** Who somebody says they are by name and password (RFC 7617), as fields of their own. */
function credentialsIn(headers: Request['headers']): Request['headers'] {
  return headers.flatMap(([name, value]) => {
    const [, coded] = /^Basic ([\w+/=]+)$/.exec(value) ?? [];
    const text = coded === undefined ? '' : Buffer.from(coded, 'base64').toString();
    const colon = text.indexOf(':');
    return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)].map((one) => [name, one] as const);
  });
}
