import type { Result, Unchecked } from './check.ts';
import type { Invention } from './inventions/inventions.ts';
import type { Reporter, RunBegins, RunEnds } from './stream.ts';
import type { Counts } from './summary.ts';

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
  readonly results: readonly Result[];
  /** The statements of which there is no check of their own, and why. */
  readonly unchecked: readonly Unchecked[];
  /** What the implementation shows and nobody stated. It fails nothing. */
  readonly inventions: readonly Invention[];
  /** Something was exercised, and nothing that is stated is violated. */
  readonly inOrder: boolean;
}

/** Makes the report of what it hears, and hands it on when the run ends. */
export function gathering(done: (report: Report) => void): Reporter {
  const results: Result[] = [];
  let begun: RunBegins | undefined;
  return (event) => {
    if (event.kind === 'run begins') begun = event;
    if (event.kind === 'result') results.push(event.result);
    if (event.kind === 'run ends' && begun) done(whole(begun, results, event));
  };
}

function whole(begins: RunBegins, results: readonly Result[], ends: RunEnds): Report {
  const { specification, url, seed, began } = begins;
  const { requests, tookMs, counts, unchecked, inventions, inOrder } = ends;
  return {
    specification,
    url,
    seed,
    began,
    requests,
    tookMs,
    counts,
    results,
    unchecked,
    inventions,
    inOrder,
  };
}
