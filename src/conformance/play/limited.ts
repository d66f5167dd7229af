import { rowsListing } from '../../semantics/request/rows.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Rate } from '../../specification/vocabulary/parts/limits.ts';
import type { Exchange } from '../http.ts';

/** Whether an answer may be the refusal of a rate, or of a bound on what runs at once, by its status (language §8). */
export function mayBeLimited(
  specification: Specification,
  operation: Operation,
  { response }: Pick<Exchange, 'response'>,
): boolean {
  if (response === null || response.status < 400 || !isLimited(specification, operation)) return false;
  const rows = rowsListing('rate exceeded', operation, specification);
  // A refusal that no row states may have any status of an error.
  return rows.length === 0 || rows.some(({ row }) => stated(row.status)?.includes(response.status) ?? true);
}

function isLimited({ limits }: Specification, { name }: Operation): boolean {
  const part = stated(limits);
  return (['rates', 'concurrency'] as const).some((list) =>
    [
      ...((part && stated<ReadonlyMap<string, Said<Pick<Rate, 'operations'>>>>(part[list])?.values()) ?? []),
    ].some((said) => stated(stated(said)?.operations)?.some(({ text }) => text === name) !== false),
  );
}
