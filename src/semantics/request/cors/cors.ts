import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Cors } from '../../../specification/vocabulary/parts/endpoints.ts';
import { seen, Unknown, unknown } from '../../value/value.ts';
import type { Prediction, Request, Sharing } from '../prediction.ts';

/**
 * What pages of the origin of a request may do with the answer (language §4.1, `cors`); undefined: nothing is said.
 */
export function sharingOf(
  { operation, headers }: Request,
  specification: Specification,
): Sharing | undefined {
  const origin = seen(headers['origin'] ?? null);
  if (typeof origin !== 'string' || origin === 'null') return undefined;
  const said = operation.cors;
  if (said.kind === 'none')
    return { origin, isAllowed: false, hasCredentials: false, uses: [], by: said.address };
  const cors = stated(said);
  const isAllowed = cors && isIn(cors.origins, origin, specification);
  if (cors === undefined || typeof isAllowed !== 'boolean') return undefined;
  const exposes = isAllowed ? (stated(cors.exposes) ?? []) : [];
  return {
    origin,
    isAllowed,
    hasCredentials: stated(cors.credentials) === true,
    uses: exposes
      .filter((name) => name !== 'any')
      .map((name) => ({ field: 'access-control-expose-headers', name, isAllowed: true })),
    by: said.address,
  };
}

/** Whether a list, or `any`, has a text; unknown: the list may hold more than is stated. */
function isIn(
  said: Said<readonly string[]>,
  text: string,
  { completeness }: Specification,
): boolean | Unknown {
  const list = stated(said);
  if (list === undefined) return said.kind === 'none' ? false : unknown([]);
  if (list.includes('any') || list.some((each) => each.toLowerCase() === text.toLowerCase())) return true;
  return completeness.closed(said.address) === undefined ? unknown([]) : false;
}

/** Methods that pages may use without leave (Fetch standard §2.2.1). */
const safelisted = ['GET', 'HEAD', 'POST'];

/** The answer to a preflight request (Fetch standard §3.3.2). Whether it is 200 or 204 is a choice (language §F.1). */
export function preflight(request: Request, specification: Specification): Prediction {
  const { operation } = request;
  const sharing = sharingOf(request, specification);
  const cors = stated(operation.cors);
  const unsaid = { status: unknown([]), headers: {}, body: unknown([]), by: operation.cors.address };
  if (!cors || !sharing) return unsaid;
  if (!sharing.isAllowed) return { ...unsaid, sharing };
  const seconds = cors.maxAge.kind === 'none' ? null : stated(cors.maxAge);
  return {
    status: [200, 204],
    headers: seconds === undefined ? {} : { 'access-control-max-age': seconds },
    // Nobody says whether an answer with 200 has content.
    body: unknown([]),
    by: operation.cors.address,
    sharing: { ...sharing, uses: usesOf(request, operation, cors, specification) },
  };
}

function usesOf(
  { headers }: Request,
  { method }: Operation,
  cors: Cors,
  specification: Specification,
): Sharing['uses'] {
  const asked = seen(headers['access-control-request-headers'] ?? null);
  const names = typeof asked === 'string' ? asked.split(',').map((name) => name.trim()) : [];
  const may = (field: string, said: Said<readonly string[]>, name: string): Sharing['uses'] => {
    const isAllowed = isIn(said, name, specification);
    return isAllowed instanceof Unknown ? [] : [{ field, name, isAllowed }];
  };
  return [
    ...(safelisted.includes(method) ? [] : may('access-control-allow-methods', cors.methods, method)),
    ...names.flatMap((name) => may('access-control-allow-headers', cors.headers, name)),
  ];
}
