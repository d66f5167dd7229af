import type { Address } from '../specification/reading/address.ts';
import type { PlayedExample } from './examples/examples.ts';
import type { Exchange } from './http.ts';
import type { Invention } from './inventions/inventions.ts';
import type { Result } from './result.ts';
import type { Reason } from './search/reasons/reasons.ts';
import type { Found } from './sequences/sequence.ts';
import type { Counts } from './summary.ts';

/** The version of the form below; another one where something is taken away, or comes to mean something else. */
export const streamVersion = 2;

/** What happens in a run, in the order in which it does. Whoever reports on a run hears these, and nothing else. */
export type RunEvent =
  | RunBegins
  | PartBegins
  | ExchangeMade
  | Waiting
  | ResultFound
  | SequenceFound
  | InventionSeen
  | ExamplePlayed
  | RunEnds;

export interface RunBegins {
  readonly kind: 'run begins';
  readonly version: typeof streamVersion;
  readonly specification: { readonly file: string; readonly name: string };
  /** The address under test, without a slash at the end. */
  readonly url: string;
  readonly seed: number;
  /** When, as RFC 3339 writes it. */
  readonly began: string;
}

/** Requests that belong together: the examples, or a walk. How many there are is not known beforehand. */
export interface PartBegins {
  readonly kind: 'part begins';
  /** Counted from 1. */
  readonly part: number;
}

export interface ExchangeMade {
  readonly kind: 'exchange';
  readonly part: number;
  readonly exchange: Exchange;
  /** When the request was sent, in milliseconds since the run began. */
  readonly sentMs: number;
  /** How long its answer was waited for, in milliseconds. */
  readonly tookMs: number;
}

/** Time is let pass, for longer than a moment. */
export interface Waiting {
  readonly kind: 'waiting';
  readonly part: number;
  /** How long at the most, in milliseconds. */
  readonly mostMs: number;
}

export interface ResultFound {
  readonly kind: 'result';
  readonly part: number;
  readonly result: Result;
}

/** Something that the implementation shows and nobody stated is seen for the first time. */
export interface InventionSeen {
  readonly kind: 'invention';
  readonly part: number;
  readonly invention: Omit<Invention, 'times'>;
}

/** An example of the document was played, or could not be: before anything else is sent (language §4.6). */
export interface ExamplePlayed {
  readonly kind: 'example';
  readonly part: number;
  readonly example: PlayedExample;
}

/** After all was tested: the fewest requests known to lead to a violation that was told of before. */
export interface SequenceFound {
  readonly kind: 'sequence';
  /** The violation, in the form of `schemas/sequence.schema.json`: to be played again. */
  readonly violation: Found;
  /** The same requests as they were sent, with what came of them. */
  readonly exchanges: readonly Exchange[];
}

/** A statement of which a deviation would not be noticed. */
export interface Unnoticed {
  readonly address: Address;
  /** file:line:column */
  readonly at: string;
  /** The deviation, as a person would say it. */
  readonly says: string;
  readonly reason: Reason;
}

/** A violation that more than one exchange shows, by the sentence and the statement of its result. */
export interface Repeated {
  readonly says: string;
  readonly address: Address;
  /** How many show it, the first included. */
  readonly exchanges: number;
}

export interface RunEnds {
  readonly kind: 'run ends';
  readonly requests: number;
  readonly tookMs: number;
  readonly counts: Counts;
  /** The statements of which a deviation would not be noticed by this run; none: that was not worked out. */
  readonly unnoticed: readonly Unnoticed[];
  /** The violations that are told of once, and were seen more often. */
  readonly repeated: readonly Repeated[];
  /** What the implementation shows and nobody stated, and how often. */
  readonly inventions: readonly Invention[];
  /** The examples of the document, and what came of each. */
  readonly examples: readonly PlayedExample[];
  /** Why not all was tested, such as that nothing was answered any more. Null where it was. */
  readonly cutShort: string | null;
  /** All was tested that could be, something was exercised, and nothing that is stated is violated. */
  readonly inOrder: boolean;
}

/** Hears what happens. What it throws ends the run. */
export type Reporter = (event: RunEvent) => void;
