import type { PlayedExample } from './examples/examples.ts';
import { curl, type Exchange } from './http.ts';
import type { Invention } from './inventions/inventions.ts';
import type { Result } from './result.ts';
import type { Found } from './sequences/sequence.ts';
import type { Reporter, RunBegins, RunEnds, Unnoticed } from './stream.ts';
import { type Counts, inOrderOfParts } from './summary.ts';

/** A run as a whole: the form of `schemas/test.schema.json`. */
export interface Report {
  readonly specification: { readonly file: string; readonly name: string };
  readonly url: string;
  readonly seed: number;
  /** When the run began, as RFC 3339 writes it. */
  readonly began: string;
  readonly requests: number;
  readonly tookMs: number;
  readonly counts: Counts;
  /** In the order of the parts that their statements are in. */
  readonly results: readonly Result[];
  /** Of the first violation of each kind against a statement, as many as were looked for: how to come to it again. */
  readonly sequences: readonly Found[];
  /** The statements of which a deviation would not be noticed by this run; none: that was not worked out. */
  readonly unnoticed: readonly Unnoticed[];
  /** What the implementation shows and nobody stated. It fails nothing. */
  readonly inventions: readonly Invention[];
  /** The examples of the document, and what came of each. They fail nothing. */
  readonly examples: readonly PlayedExample[];
  /** Why not all was tested, such as that nothing was answered any more. Null where it was. */
  readonly cutShort: string | null;
  /** All was tested that could be, something was exercised, and nothing that is stated is violated. */
  readonly inOrder: boolean;
}

/** Makes the report of what it hears, and hands it on when the run ends. */
export function gathering(done: (report: Report) => void): Reporter {
  const results: Result[] = [];
  const sequences: Found[] = [];
  let begun: RunBegins | undefined;
  return (event) => {
    if (event.kind === 'run begins') begun = event;
    if (event.kind === 'result') results.push(event.result);
    if (event.kind === 'sequence') {
      const { violation, exchanges } = event;
      const place = results.findIndex((one) => one.verdict === 'violates' && isOf(violation, one));
      if (place >= 0) results[place] = along(results[place] as Result, violation, exchanges);
      sequences.push(violation);
    }
    if (event.kind === 'run ends' && begun) done(whole(begun, results, sequences, event));
  };
}

/**
 * A violation as it is shown by the exchanges that lead to it: the request that decides is theirs, and may have less in
 * it than when it was seen first.
 */
function along(result: Result, { says, expected, found }: Found, sequence: readonly Exchange[]): Result {
  const told = says === result.says ? result : { ...result, says, expected, found };
  const last = sequence.at(-1);
  if (last === undefined) return { ...told, sequence };
  const { request, response } = last;
  return { ...told, request, response, curl: curl(request), sequence };
}

function isOf({ check, statement }: Found, result: Result): boolean {
  return result.check === check && result.statement.address === statement.address;
}

function whole(
  begins: RunBegins,
  results: readonly Result[],
  sequences: readonly Found[],
  ends: RunEnds,
): Report {
  const { specification, url, seed, began } = begins;
  const { requests, tookMs, counts, unnoticed, inventions, examples, cutShort, inOrder } = ends;
  return {
    specification,
    url,
    seed,
    began,
    requests,
    tookMs,
    counts,
    results: inOrderOfParts(counted(results, ends), ({ statement }) => statement.address),
    sequences: inOrderOfParts(sequences, ({ statement }) => statement.address),
    unnoticed,
    inventions,
    examples,
    cutShort,
    inOrder,
  };
}

/** The results, with how many exchanges show those that were seen more often than once. */
function counted(results: readonly Result[], { repeated }: RunEnds): readonly Result[] {
  if (repeated.length === 0) return results;
  const times = new Map(repeated.map(({ says, address, exchanges }) => [`${address} ${says}`, exchanges]));
  return results.map((result) => {
    const exchanges = times.get(`${result.statement.address} ${result.says}`);
    return exchanges === undefined || result.verdict !== 'violates' ? result : { ...result, exchanges };
  });
}
