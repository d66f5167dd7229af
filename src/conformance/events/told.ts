import type { Address } from '../../specification/reading/address.ts';
import type { Said } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Persona } from '../access/persona.ts';
import type { Foreseen } from '../foresee/foresee.ts';
import type { Header } from '../http.ts';
import type { Names } from '../solve.ts';
import type { Trial } from '../trial.ts';
import type { Truth } from '../verdict.ts';

/** An event as it came by a way of delivery (language §6.3). What its way does not tell by itself is null. */
export interface Told {
  /** The event's id and its kind, as the way itself tells them. */
  readonly id: string | null;
  readonly kind: string | null;
  readonly content: string;
  readonly headers: readonly Header[];
  /** The subject at a broker. */
  readonly subject: string | null;
}

/** Notes an event that came; one whose id came before is the same. */
export function note(told: Told[], one: Told): void {
  if (one.id === null || !told.some(({ id }) => id === one.id)) told.push(one);
}

/** What comes by a way, from when it was begun to be observed. */
export interface Observing {
  /** Each event once, in the order in which they first came. */
  readonly told: readonly Told[];
  /** Resolved when something comes. */
  readonly more: () => Promise<void>;
  /** Whether an event is to come by it, as `where` has it; the names are those that a kind's expressions see, and `event`. */
  readonly due: (names: Names) => Truth;
  /** Sees to it that what happens to the items of somebody else comes as well, where `where` tells owners apart. */
  readonly widen?: (as: Persona) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What is going to be told, so that it can be seen to that it comes. */
export interface Coming {
  readonly kind: string;
  readonly by: string;
  readonly foreseen: Foreseen;
  /** Who is to make the item; left out: anybody. */
  readonly as?: Persona | undefined;
}

/** A way of delivery that the tester can observe, whatever it is. */
export interface Observer {
  readonly name: string;
  readonly address: Address;
  readonly at: Said<Delivery>['at'];
  readonly delivery: Delivery;
  /** Begins to observe: from then on nothing is missed. Throws `Unreached` where that cannot be done. */
  readonly open: (coming: Coming) => Promise<Observing>;
  /** Why it is not told for certain that what did not come was not sent; null where it is. */
  readonly silence: () => string | null;
}

/** Waits until something is so, and no longer than so many milliseconds. */
export async function patiently(
  { wait, graceMs }: Pick<Trial, 'wait' | 'graceMs'>,
  what: string,
  isSo: () => boolean,
  more: () => Promise<void>,
  longestMs = graceMs,
): Promise<void> {
  const met = new AbortController();
  let isOver = false;
  const over = wait(longestMs, what, met.signal).then(() => {
    isOver = true;
  });
  while (!isOver && !isSo()) await Promise.race([more(), over]);
  met.abort();
}
