import type { Around } from '../../specification/vocabulary/paths.ts';
import type { Header, Response } from '../http.ts';

/** A request of a sequence. What comes from elsewhere in it is named in the sequence's `values`. */
export interface StepRequest {
  readonly method: string;
  /** What comes after the address of the implementation: path and query, as they stand in the request. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: string | null;
  /** The content, if it is no text. */
  readonly base64?: string;
}

export interface Step {
  readonly request: StepRequest;
  /** What came of it when the sequence was found; null: no answer. */
  readonly answer: Response | null;
  /** It is sent together with the one before it, and waits for no answer of that. */
  readonly together?: true;
  /** Its answer is part of what the verdict rests on. */
  readonly decides?: true;
}

/** Where in an answer a value stands: in a header field, or at a JSON Pointer (RFC 6901) in its body. */
export interface Place {
  readonly header?: string;
  readonly body?: string;
  /** Of several parts of a text, such as a URL's, which one: counted from the last, which is 0. */
  readonly part?: number;
}

/** Where in a request a value stands: a segment of its path, a parameter of its query, or a place in its body. */
export interface Use {
  /** The step, counted from 0. */
  readonly step: number;
  readonly segment?: number;
  /** Literal text around the value in its segment. Default: none */
  readonly around?: Around;
  readonly body?: string;
}

/** A value that is another one each time the sequence is played. */
export interface Bound {
  /** What it was when the sequence was found. */
  readonly was: string;
  /** The answer that tells it, by its step; left out: it is made up anew, so that nobody has it yet. */
  readonly from?: { readonly step: number; readonly at: Place };
  /** Where it stands; left out: wherever its text does. */
  readonly uses?: readonly Use[];
}

/** The fewest requests known to lead to a violation, in order; the last decides (language §F.6). */
export interface Sequence {
  readonly steps: readonly Step[];
  readonly values: readonly Bound[];
  /** The places of the deciding answers that differ from one time to the next, as `STEP PLACE`. */
  readonly varies: readonly string[];
  /** Played by itself, it came to the same. */
  readonly confirmed: boolean;
}

/** A violation, and how to come to it: the form of `schemas/sequence.schema.json`. */
export interface Found {
  /** Of this form. */
  readonly version: 1;
  readonly check: string;
  readonly says: string;
  readonly statement: { readonly address: string; readonly at: string };
  readonly expected: string;
  readonly found: string;
  readonly sequence: Sequence;
}
