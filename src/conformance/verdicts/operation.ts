import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Result } from '../check.ts';
import type { Request } from '../http.ts';
import { operationOf } from '../sequences/asked.ts';

/** What of a result names its operation. */
type About = Pick<Result, 'says' | 'statement' | 'request' | 'operation'>;

/**
 * The operation that a result is about, as `METHOD /path`: the one that the sentence names, or that the statement belongs
 * to, or that the request is to. Undefined: it is about none that the document lists.
 *
 * @param url the address of the implementation, without a slash at the end
 */
export function operationAbout(
  of: Specification,
  url: string,
  { says, statement, request, operation }: About,
): string | undefined {
  return (
    operation ??
    operationNamed(of, says) ??
    operationNamed(of, statement.address.replaceAll('"', ' ')) ??
    (request && operationAsked(of)(request, url))
  );
}

/** The first operation that a text names. */
export function operationNamed(of: Specification, text: string): string | undefined {
  const known = keysOf(of);
  for (const [, method, path = ''] of text.matchAll(/\b([A-Z]+) (\/[^\s,;:]*)/g)) {
    const named = [path, path.replace(/\?.*/, '')]
      .map((one) => `${method} ${one}`)
      .find((key) => known.has(key));
    if (named !== undefined) return named;
  }
  return undefined;
}

const keysOf = once(({ operations }: Specification) => new Set(operations.map(({ key }) => key)));

/** The operation that a request is to. Several checks judge one request. */
const operationAsked = once((of: Specification) => {
  const known = new WeakMap<Request, string | undefined>();
  return (request: Request, url: string): string | undefined => {
    if (!known.has(request))
      known.set(request, operationOf(of, request.method, request.url.slice(url.length))?.key);
    return known.get(request);
  };
});
