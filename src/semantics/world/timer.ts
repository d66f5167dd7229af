import { Ending, Range, type Value } from '../value/value.ts';

/** When something is due of which nobody knows when. */
export const always = new Range(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

/**
 * A move that an item may make although nobody asks for it: by a timer (language §3.3), by the work of a state (§I), or once
 * the attempts to reach its address are `exhausted` (§6.3, rule 20). A `doubt` is that the item may not be there, since nobody
 * knows what came of a request (§F.3).
 */
export interface Timer {
  readonly kind: 'after' | 'at' | 'work' | 'exhausted' | 'doubt';
  readonly resource: string;
  readonly handle: number;
  /** The transition; empty of a doubt. */
  readonly move: string;
  /** When it is due, in milliseconds since 1970 by the tester's clock. The work of a state is never due for certain. */
  readonly due: Range;
  /** Of `at`: the time that the item holds. Of `exhausted`: the address that refuses. */
  readonly time: Value;
  /** Of `exhausted`: when the attempts for later events will have failed. Default: there are none */
  readonly later?: readonly Range[];
  /** Of `exhausted`: how long it may take besides, in milliseconds, while it is not known that the address is reached. */
  readonly unreachedMs?: number;
  /**
   * Whether nobody knows if it fires when it is due: it may have fired already, or may never have been set. If it does not fire
   * then, it does not fire any more. Of `exhausted`, the attempts may have ended while the item was in a state that the move does
   * not leave. Default: it fires
   */
  readonly isPerhapsOver?: boolean;
}

/** The same for the same timer, however often the request is carried out again. */
export function keyOf({ kind, resource, handle, move, due }: Timer): string {
  return [kind, resource, handle, move, due.least, due.most].join(' ');
}

/** What changes if a timer fires, of which it is not known whether it fired. */
export interface Watched {
  readonly timer: Timer;
  /** Members of its item. */
  readonly names: ReadonlySet<string>;
  /** Whether its item is deleted. */
  readonly isDeleted: boolean;
  /** Resources of which it makes or changes other items. */
  readonly others: ReadonlySet<string>;
  /** Whether it changes nothing as long as its item stays in its state, and is perhaps over once somebody moves it. */
  readonly isIdle: boolean;
}

/** Something reads or changes what a timer may have changed, so it has to be decided whether the timer fired. */
export class Touched extends Ending {
  readonly timer: Timer;

  constructor(timer: Timer) {
    super('a timer may have fired');
    this.timer = timer;
  }
}
