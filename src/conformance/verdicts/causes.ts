import type { Result } from '../result.ts';
import type { Found } from '../sequences/sequence.ts';

/** What is to be mended: a statement that is violated, wherever an answer shows it. */
export interface Cause {
  readonly statement: Result['statement'];
  /** The place of the answer, where the statement has several: `status`, `headers.location`, `title`. */
  readonly place?: string;
  /** The operations that show it, as `METHOD /path`, in the order in which they were seen. */
  readonly operations: readonly string[];
  /** How many exchanges are known to show it. */
  readonly exchanges: number;
  /** It violates what is assumed alone, and fails nothing. */
  readonly assumed: boolean;
  /** The violations. First comes one of which it is known how to come to it again, with the fewest requests. */
  readonly results: readonly [Result, ...Result[]];
}

/**
 * The violations among results, by what is to be mended. What is stated comes before what is assumed. Then come operations
 * that never succeed, then what most operations show, what most exchanges show, and what fewer requests lead to.
 *
 * @param sequences how to come to violations again
 */
export function causesOf(results: readonly Result[], sequences: readonly Found[] = []): readonly Cause[] {
  const violations = results.filter(({ verdict }) => verdict === 'violates');
  const length = (result: Result): number => requestsOf(result, sequences);
  const missing = neverSucceeding(results);
  const keyOf = (result: Result): string =>
    isSuccess(result) && missing.has(result.operation ?? '') ? `${result.operation}` : causeKey(result);
  return [...Map.groupBy(violations, keyOf)]
    .map(([key, group]) => ({
      isMissing: Number(missing.has(key)),
      cause: causeOf(group.toSorted((a, b) => ofOperation(b) - ofOperation(a) || length(a) - length(b))),
    }))
    .sort(
      (a, b) =>
        Number(a.cause.assumed) - Number(b.cause.assumed) ||
        b.isMissing - a.isMissing ||
        byWeight(a.cause, b.cause) ||
        length(a.cause.results[0]) - length(b.cause.results[0]),
    )
    .map(({ cause }) => cause);
}

/** 1 for what an operation itself states, and 0 for what its fields, its rows and its parameters do. */
function ofOperation({ statement: { address } }: Result): number {
  return Number(/^endpoints\["[^"]*"\]\.(does|response)\b/.test(address));
}

/** Whether a result is about the answer of a request that succeeds. */
function isSuccess({ statement: { address }, assumed }: Result): boolean {
  return /^endpoints\["[^"]*"\]\.response\b/.test(address) && !assumed;
}

/**
 * The operations of which no answer of a success was right, for several statements: as where nobody wrote them yet. They are
 * one cause each, and not as many as there are statements.
 */
function neverSucceeding(results: readonly Result[]): ReadonlySet<string> {
  const tried = results.filter(
    (result) => isSuccess(result) && ['conforms', 'violates'].includes(result.verdict),
  );
  const groups = Map.groupBy(tried, ({ operation = '' }) => operation);
  return new Set(
    [...groups].flatMap(([operation, group]) => {
      const statements = new Set(group.map(({ statement }) => statement.address));
      const isNever = group.every(({ verdict }) => verdict === 'violates');
      return operation !== '' && isNever && statements.size > 1 ? [operation] : [];
    }),
  );
}

/** How to come to a violation again; undefined: nobody looked for it, or it was not found. */
export function sequenceTo(result: Result, sequences: readonly Found[]): Found | undefined {
  return sequences.find(
    ({ check, says, statement }) =>
      check === result.check && says === result.says && statement.address === result.statement.address,
  );
}

/** What violations of one cause have in common. All that is wrong with the answers of a row of part 7 is one cause. */
export function causeKey({ statement: { address }, place, assumed }: Result): string {
  const [row = address] = /^errors\.codes\.[^.]+/.exec(address) ?? [];
  return JSON.stringify([row, placeIn(address, place), assumed]);
}

/**
 * The place of an answer without what differs from one operation to the next: `body.articles.*.title` and `body.title` are
 * both `title`. Only the answer of an operation has several places: what it says of a field is said of it wherever it stands.
 */
function placeIn(address: string, place: string | undefined): string | undefined {
  if (place === undefined || (place === 'status' && address.endsWith('.status'))) return undefined;
  if (!/^endpoints\b.*\.response\b/.test(address)) return undefined;
  const [, within] = /^body\.(.*)$/.exec(place) ?? [];
  return within === undefined ? place : (within.split('.').findLast((name) => name !== '*') ?? 'body');
}

function causeOf(results: readonly Result[]): Cause {
  const { statement, place, assumed } = results[0] as Result;
  const shown = placeIn(statement.address, place);
  return {
    statement,
    ...(shown !== undefined && { place: shown }),
    operations: [...new Set(results.flatMap(({ operation }) => operation ?? []))],
    exchanges: results.reduce((sum, { exchanges = 1 }) => sum + exchanges, 0),
    assumed,
    results: results as Cause['results'],
  };
}

/** How many requests lead to a violation, if it is known that they do. */
function requestsOf(result: Result, sequences: readonly Found[]): number {
  return sequenceTo(result, sequences)?.sequence.steps.length ?? Number.MAX_SAFE_INTEGER;
}

function byWeight(a: Cause, b: Cause): number {
  return b.operations.length - a.operations.length || b.exchanges - a.exchanges;
}
