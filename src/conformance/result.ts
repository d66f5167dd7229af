import { once } from '../source/once.ts';
import type { Span } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, isUnder } from '../specification/reading/address.ts';
import type { Exchange, Request, Response } from './http.ts';

/** How the judgement of a statement may end (language §F.2). */
export const verdicts = ['conforms', 'violates', 'not exercised', 'not stated'] as const;
export type Verdict = (typeof verdicts)[number];

/** What is judged: an answer, an event that comes by itself; and what reports show beside: an example, an invention. */
export type CheckName = 'answer.permitted' | 'event.permitted' | 'example' | 'invention';

/** A statement of the specification, as a verdict cites it. */
export interface Statement {
  readonly address: Address;
  readonly at: Span;
}

/** What a statement came to, for one operation. */
export interface Result {
  readonly check: CheckName;
  readonly says: string;
  readonly statement: { readonly address: Address; readonly at: string };
  /** The operation that it is about, as `METHOD /path`. Default: none that the document lists */
  readonly operation?: string;
  /** The place of the answer that is judged, if a statement has several: `status`, `headers.location`, `body.*.title`. */
  readonly place?: string;
  readonly verdict: Verdict;
  /** It rests on an assumption, so it fails nothing. */
  readonly assumed: boolean;
  /** If it is not stated: the open points that keep it from being judged. */
  readonly points?: readonly Address[];
  /** If it is not exercised: why. */
  readonly reason?: string;
  readonly expected?: string;
  readonly found?: string;
  /** Of a violation: how many exchanges show it. Default: 1 */
  readonly exchanges?: number;
  readonly request?: Request;
  readonly response?: Response | null;
  /** A command line that sends the request again. */
  readonly curl?: string;
  /** Of a violation: the exchanges that lead to it, the one that decides last; as few as are known to. */
  readonly sequence?: readonly Exchange[];
}

/** What an observation needs is not there; or it waits for open points. */
export class Unreached extends Error {
  readonly points: readonly Address[];
  constructor(message: string, points: readonly Address[] = []) {
    super(message);
    this.points = points;
  }
}

/** Whether something at this address, or under it, comes from the ledger (language §A.6). */
export function isAssumed(specification: Specification, address: Address): boolean {
  return assumedIn(specification).some((each) => isUnder(each, address));
}

const assumedIn = once((specification: Specification): readonly Address[] =>
  [...specification.points.values()].flatMap(({ state, address }) => (state === 'assumed' ? [address] : [])),
);
