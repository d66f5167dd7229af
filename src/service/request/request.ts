import type { Frame } from '../../expression/compile.ts';
import type { Proofs } from '../access/proofs.ts';
import type { Who } from '../access/who.ts';
import {
  type FrameOf,
  frame,
  type Presented,
  type RequestView,
  type Surroundings,
} from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import type { Checked, Failing } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import type { Row } from '../store/store.ts';
import type { Doing } from '../transaction/doing.ts';
import type { Found } from '../transaction/found.ts';
import type { Acted } from './act.ts';
import type { Attempt } from './repeats.ts';

/** A request on its way. Each stage reads what those before it found out, and adds what it finds out itself. */
export interface Request {
  readonly incoming: Incoming;
  /** The request as expressions read it. */
  readonly view: RequestView;
  /** The same, with the parameters as they came, before any is taken in (language §4.2, `taken`). */
  readonly asGiven: RequestView;
  /** What of it cannot be read: `body`, `query.page`. */
  readonly unreadable: readonly string[];
  /** Whether its content has a media type that is not stated. */
  readonly foreign: boolean;
  /** Whether its content is more than is stated that it may be (language §8.3). */
  readonly oversized: boolean;
  /** The media types that the client takes, as it says so. */
  readonly accept: string | undefined;
  /** What is wrong with its parameters; null: they cannot be read, or nothing is stated of them. */
  readonly parameters: Checked | null;
  /** What is wrong with its body; null: there is none that is read. */
  readonly body: Checked | null;
  readonly presented: Presented;
  /** The secrets that it brings, and whether they are right, as far as that is known. */
  readonly proofs: Proofs;
  /** What its expressions find; within a transaction, of what is kept there. */
  frame: FrameOf;
  /** Who asks, once that is known. */
  actor: unknown;
  /** The request as a repeat of others; null where keys are not looked at. */
  attempt: Attempt | null;
  /** What is kept; null before that is looked at. */
  within: Within | null;
  /** Whether its answer is to be remembered, though no transaction of its own has kept it. */
  isLasting: boolean;
}

/** Answers a request that is read; null: nobody knows what became of it. */
export type Answering = (request: Request) => Reply | null | Promise<Reply | null>;

/** A request in its transaction. */
export interface Within {
  readonly doing: Doing;
  readonly who: Who;
  readonly proofs: Proofs;
  /** Whether it is about several items, of which a rule leaves some out. */
  readonly isSeveral: boolean;
  /** The items that the request is about, as they were. */
  readonly found: () => Found;
  /** The same, if anything looked for them; null: nothing did. */
  readonly foundSoFar: () => Found | null;
  /** Carries the change out, once: what stands against it is in `doing`. */
  readonly change: () => Acted;
  /** The item that a `create` would meet; null: there is none. */
  readonly meets: () => Row | null;
  /** What is wrong with what the request asks of a list. */
  readonly list: () => readonly Failing[];
}

/**
 * What expressions of a request find outside of its own transaction.
 *
 * @param reads what is kept, if that can be read
 */
export function outside(around: Surroundings, request: Request, reads?: Frame['reads']): FrameOf {
  return (more) => {
    const { view, actor } = request;
    return frame(around, view, actor === null ? more : { actor, ...more }, reads);
  };
}
