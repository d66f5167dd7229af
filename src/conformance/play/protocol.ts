import { servesRanges } from '../../semantics/request/conditional/ranges.ts';
import { rowsListing } from '../../semantics/request/rows.ts';
import { isMatching, type Operation, pathsMatched } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { floorStatus } from '../../specification/vocabulary/condition.ts';
import { withoutNames } from '../../specification/vocabulary/paths.ts';
import { type Exchange, headerList, mediaType } from '../http.ts';
import type { Random } from '../random.ts';
import type { Result } from '../result.ts';
import type { Verdicts } from '../verdicts/verdicts.ts';
import type { Target } from './target.ts';

/** An exchange that a walk had, whose path is used again. */
export interface Example {
  readonly operation: Operation;
  readonly exchange: Exchange;
}

type Unrouted = 'unknown path' | 'method not allowed';

/** Methods that are tried at a path that does not list them. */
const methods = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET'];

/**
 * What HTTP asks of any server, where `endpoints.protocol` or a row of part 7 states it (language §4.1, §H.4): a path that no
 * endpoint has, a method that a path does not list, and HEAD.
 *
 * @param examples a success of each operation, as far as there was one
 * @param onExchange hears of what is no request of an operation
 */
export async function protocolVerdicts(
  target: Target,
  examples: readonly Example[],
  verdicts: Verdicts,
  random: Random,
  onExchange: (exchange: Exchange) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const example of examples) results.push(...(await headed(target, example, verdicts)));
  const [first] = examples;
  if (!first) return results;
  const ask = (example: Example, asked: Asked): Promise<readonly Result[]> =>
    unrouted(target, example, asked, verdicts, onExchange);
  const astray = `/${Array.from({ length: 9 }, () => random.letters(8)).join('/')}`;
  results.push(...(await ask(first, { method: 'GET', path: astray, allowed: null })));
  for (const [path, listed] of byPath(target.specification)) {
    const example = examples.find(({ operation }) => pathOf(operation) === path);
    const method = methods.find((each) => !listed.includes(each));
    if (!example || !method) continue;
    const allowed = listed.includes('GET') ? [...listed, 'HEAD'] : listed;
    const asked = { method, path: targetOf(example, target.url), allowed };
    results.push(...(await ask(example, asked)));
  }
  return results;
}

/** A request that is to no operation. */
interface Asked {
  readonly method: string;
  readonly path: string;
  /** The methods of the path; null: no endpoint has it. */
  readonly allowed: readonly string[] | null;
}

async function unrouted(
  { specification, send }: Target,
  { operation, exchange: like }: Example,
  { method, path, allowed }: Asked,
  verdicts: Verdicts,
  onExchange: (exchange: Exchange) => void,
): Promise<readonly Result[]> {
  const rule = ruleFor(specification, allowed ? 'method not allowed' : 'unknown path');
  const fields = like.request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  const exchange = await send({ method, path, headers: Object.fromEntries(fields), body: undefined });
  const { response } = exchange;
  onExchange(exchange);
  // If the list is not closed, there may be more endpoints.
  const isClosed = specification.completeness.closed('endpoints') !== undefined;
  if (response === null || rule === null || !isClosed) return [];
  const { statuses, by } = rule;
  const found = headerList(response, 'allow');
  // OPTIONS may be answered at any path (RFC 9110 §9.3.7).
  const isAllowed =
    allowed === null ||
    response.status !== 405 ||
    !isFloor(specification) ||
    (allowed.every((each) => found.includes(each)) &&
      found.every((each) => each === 'OPTIONS' || allowed.includes(each)));
  const differences = [
    ...(statuses.includes(response.status)
      ? []
      : [{ at: 'status', expected: statuses.join(' or '), found: response.status, by }]),
    ...(isAllowed
      ? []
      : [{ at: 'headers.allow', expected: allowed.join(', '), found: found.join(', '), by }]),
  ];
  return verdicts.note(operation, exchange, { differences, by: [by] });
}

/** HEAD is answered as GET is, without content (RFC 9110 §9.3.2), and of the whole: only GET asks for ranges (§14.2). */
async function headed(
  target: Target,
  { operation, exchange }: Example,
  verdicts: Verdicts,
): Promise<readonly Result[]> {
  const { specification, url } = target;
  const by = stated(specification.endpoints)?.protocol.address;
  if (operation.method !== 'GET' || by === undefined || !isFloor(specification)) return [];
  const fields = exchange.request.headers.filter(([name]) => !ofRanges.includes(name));
  const headers = Object.fromEntries(fields);
  const path = targetOf({ operation, exchange }, url);
  const range = servesRanges(operation) ? { range: 'bytes=0-0' } : {};
  const [before, head, after] = [
    await target.send({ method: 'GET', path, headers, body: undefined }),
    await target.send({ method: 'HEAD', path, headers: { ...headers, ...range }, body: undefined }),
    await target.send({ method: 'GET', path, headers, body: undefined }),
  ].map(({ response }) => response);
  // Somebody else may have changed it meanwhile.
  if (!before || !head || !after || before.status !== after.status || before.status >= 300) return [];
  const [status, media] = [before.status, mediaType(before)];
  const faults = [
    ...(head.status === status ? [] : [{ at: 'status', expected: String(status), found: head.status }]),
    ...(mediaType(head) === media
      ? []
      : [{ at: 'headers.content-type', expected: media ?? 'none', found: mediaType(head) ?? 'none' }]),
  ];
  const sent = Object.entries({ ...headers, ...range });
  const request = { ...exchange.request, method: 'HEAD', url: `${url}${path}`, headers: sent };
  const differences = faults.map((fault) => ({ ...fault, by }));
  return verdicts.note(operation, { request, response: head, failure: null }, { differences, by: [by] });
}

/** The fields that ask for a range. */
const ofRanges: readonly string[] = ['range', 'if-range'];

/** Whether the protocol floor is stated (language §H.4). */
function isFloor({ endpoints }: Specification): boolean {
  return stated(stated(endpoints)?.protocol) != null;
}

/** The statuses of a refusal that no operation makes, and the statement that says so; null: none does. */
function ruleFor(
  specification: Specification,
  condition: Unrouted,
): { readonly statuses: readonly number[]; readonly by: Address } | null {
  const [operation] = specification.operations;
  const row =
    operation && rowsListing(condition, operation, specification).find(({ row }) => !stated(row.operations));
  const statuses = row && stated(row.row.status);
  if (row && statuses) return { statuses, by: row.row.status.address };
  const protocol = stated(specification.endpoints)?.protocol;
  if (row || !protocol || !isFloor(specification)) return null;
  return { statuses: [floorStatus[condition] as number], by: protocol.address };
}

/** The path of an exchange with its query, as a version of it stands there. */
function targetOf({ exchange }: Example, url: string): string {
  return exchange.request.url.slice(url.length);
}

function pathOf({ path }: Operation): string {
  return withoutNames(path).slice(1);
}

/** The methods of each path. Paths that match in several spellings are left out: two of them may be one. */
function byPath({ operations }: Specification): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(
    operations.filter(
      (operation) => pathsMatched(operation).length === 1 && !isMatching(operation, 'caseless'),
    ),
    pathOf,
  );
  return new Map([...groups].map(([path, group]) => [path, group.map(({ method }) => method)]));
}
