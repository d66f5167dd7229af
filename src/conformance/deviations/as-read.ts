import { Malformed, pairsOf, pathValues, queryValues } from '../../semantics/request/given/parameters.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { isPartial, Unknown, type Value } from '../../semantics/value/value.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { pairsOf as writtenPairs } from '../requests/message.ts';

/**
 * A request as an implementation reads it that has other parameters: what was sent are texts. A value that this does not
 * read stays as it is.
 *
 * @param operation the operation as the implementation has it
 */
export function asRead(request: Request, operation: Operation, specification: Specification): Request {
  if (operation === request.operation || request.version !== undefined) return request;
  const path = Object.entries(request.path).map(([name, value]): [string, Value] => {
    const isText = ['string', 'number', 'boolean'].includes(typeof value);
    const read = isText ? pathValues(operation, { [name]: String(value) }, specification) : {};
    return [name, (read instanceof Unknown ? undefined : read[name]) ?? value];
  });
  return {
    ...request,
    operation,
    path: Object.fromEntries(path),
    query: queryAsRead(request, operation, specification),
  };
}

function queryAsRead(request: Request, operation: Operation, specification: Specification): Request['query'] {
  if (operation.request?.query === request.operation.request?.query) return request.query;
  const parameters = queryParameters(request.operation);
  const query = Object.entries(request.query).map(([name, value]): Request['query'] => {
    if (isPartial(value)) return { [name]: value };
    const parameter = parameters.find((each) => each.name === name);
    const pairs = pairsOf(writtenPairs(name, value, parameter).join('&'));
    const read = pairs instanceof Malformed ? pairs : queryValues(operation, pairs, specification);
    return read instanceof Malformed || read instanceof Unknown ? { [name]: value } : read;
  });
  return Object.assign({}, ...query) as Request['query'];
}
