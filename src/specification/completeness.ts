import type { Span } from '../source/text.ts';
import { type Address, isUnder } from './address.ts';

interface Rule {
  readonly above: Address;
  readonly at: Span;
}

export interface OpenedList extends Rule {
  readonly question: string | null;
}

/**
 * What `complete` and `open` in the head say of lists (language §D): the one closes those at and under an
 * address, the other opens one list again.
 */
export class Completeness {
  readonly #closed: readonly Rule[];
  readonly #opened: readonly OpenedList[];

  constructor(closed: readonly Rule[], opened: readonly OpenedList[]) {
    this.#closed = closed;
    this.#opened = opened;
  }

  /** Where it is said that the list at this address names all there is, or undefined where it may hold more. */
  closed(list: Address): Span | undefined {
    return this.opened(list) ? undefined : this.#closed.find((rule) => isUnder(list, rule.above))?.at;
  }

  /** The lists that the head opens again or asks about. */
  get openedLists(): readonly OpenedList[] {
    return this.#opened;
  }

  /** What opens the list again, with what it asks. */
  opened(list: Address): OpenedList | undefined {
    return this.#opened.find((rule) => rule.above === list);
  }
}
