import type { Counting } from '../../specification/model/counted.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { touchedBy } from '../foresee/also.ts';
import { closed, nothingOf, stating } from '../guards.ts';
import type { Exchange, Request } from '../http.ts';
import { acceptable, type Reason } from '../refusal.ts';
import { type Names, workOut } from '../solve.ts';
import { all, assumed, known, type Truth, unknown, unseen, yes } from '../verdict.ts';
import { mayBeOneOf, mayBeRefusedBy } from './pace.ts';
import { hasTime, listed } from './times.ts';

/** Whether part 8 refuses nothing of a request: what it states is not exceeded, and nothing is left to be stated. */
export function unlimited(
  of: Specification,
  operation: Operation | null,
  exchange: Exchange,
  names: Names,
): Truth {
  const { request } = exchange;
  const part = of.limits;
  if (part.kind !== 'stated') return nothingOf(of, 'limits');
  const truth = all(
    limitsClosed(of, operation, request),
    known(
      Buffer.byteLength(request.body ?? '') <= mostBytes(of, operation),
      'its content is larger than limits.sizes states',
    ),
    ...(operation
      ? [
          hasTime(of, operation, exchange),
          isUncounted(of, operation, exchange, names),
          hasRoom(of, operation, exchange),
        ]
      : []),
    ...(operation ? [isWithinPage(of, operation, request)] : []),
  );
  return part.assumed ? assumed(truth) : truth;
}

/**
 * Whether nothing that part 8 leaves open could refuse a request: another rate any request, another size one with content
 * or a page size, a quota one that changes something. Times: `hasTime`.
 */
export function limitsClosed(of: Specification, operation: Operation | null, { body, url }: Request): Truth {
  if (of.limits.kind !== 'stated') return nothingOf(of, 'limits');
  const given = new URLSearchParams(url.split('?')[1] ?? '');
  const isSized = body !== null || (operation && pageSizes(operation).some((name) => given.has(name)));
  return all(
    closed(of, 'limits'),
    ...(['rates', 'concurrency'] as const).map((list) => listed(of, list)),
    ...(isSized ? [listed(of, 'sizes')] : []),
    ...(operation === null || operation.method === 'GET' ? [] : [listed(of, 'quotas')]),
  );
}

/** How many bytes the content of a request may have, where that is stated. */
export function mostBytes(of: Specification, operation: Operation | null): number {
  const own = stated(stated(stated(of.limits)?.sizes)?.operations);
  return stated(own?.get(operation?.name ?? '')) ?? mostOf(of, 'body');
}

/** A stated size; what is not stated is no bound. */
export function mostOf({ limits }: Specification, name: 'body' | 'page'): number {
  const sizes = stated(stated(limits)?.sizes);
  return (sizes && stated(sizes[name])) ?? Number.POSITIVE_INFINITY;
}

/** The parameters of the query that say how large a page is. */
export function pageSizes({ request }: Operation): readonly string[] {
  return [...((request && stated(request.query)) ?? [])].flatMap(([name, said]) =>
    stated(stated(said)?.roles.page) === 'size' ? [name] : [],
  );
}

/**
 * Whether no rate, and no bound on what runs at once, refused a request. The tester keeps to what is stated, but others
 * may ask meanwhile: an answer that may be such a refusal is not held against anything else.
 */
function isUncounted(of: Specification, operation: Operation, exchange: Exchange, names: Names): Truth {
  const part = stated(of.limits);
  const truths = (['rates', 'concurrency'] as const).flatMap((list) =>
    [...((part && stated<ReadonlyMap<string, Said<Counting>>>(part[list])) ?? [])].map(([name, said]) => {
      const counting = stated(said);
      if (counting === undefined) return stating(said, () => yes);
      if (stated(counting.operations)?.some(({ text }) => text === operation.name) === false) return yes;
      if (!mayBeRefusedBy(of, operation, name, exchange) || isNobodys(counting, names)) return yes;
      const open = [counting.allow, counting.every, counting.per].filter((one) => one?.kind === 'open');
      const points = open.flatMap((one) => (one ? [unknown(one.address)] : []));
      return points.length > 0 ? all(...points) : unseen(`${said.address} may be used up`);
    }),
  );
  return all(...truths);
}

/** Whether a request surely is none of those that are counted: not one of `when`, or one of nobody's (language §8.1). */
function isNobodys({ per, when }: Counting, names: Names): boolean {
  const condition = stated(when);
  if (condition && workOut(condition.template, names) === false) return true;
  const by = stated(per);
  const value = by?.kind === 'expression' ? workOut(by.expression.template, names) : names.get('actor');
  return value === null && (by?.kind === 'expression' || by?.kind === 'actor');
}

/**
 * Whether no quota refused what the operation does. How much of it is used, the tester does not count: an answer that may
 * be such a refusal is not held against anything else.
 */
function hasRoom(of: Specification, operation: Operation, exchange: Exchange): Truth {
  if (operation.method === 'GET') return yes;
  const touched = [operation.subject?.name ?? '', ...touchedBy(of, operation)];
  const quotas = [...(stated(stated(of.limits)?.quotas) ?? [])];
  const mayRefuse = (name: string): boolean => {
    const reason: Reason = { name: 'quota exceeded', subject: name, failures: [] };
    return mayBeOneOf(of, acceptable(of, operation, [reason]), exchange);
  };
  const full = quotas.find(
    ([name, said]) => touched.includes(stated(stated(said)?.of)?.text ?? '') && mayRefuse(name),
  );
  return full === undefined ? yes : unseen(`the quota ${full[0]} may be used up`);
}

function isWithinPage(of: Specification, operation: Operation, { url }: Request): Truth {
  const given = new URLSearchParams(url.split('?')[1] ?? '');
  const sizes = pageSizes(operation).map((name) => Number(given.get(name) ?? 0));
  return known(
    sizes.every((size) => !(size > mostOf(of, 'page'))),
    'its page is larger than limits.sizes.page',
  );
}
