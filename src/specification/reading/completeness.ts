import type { Span } from '../../source/text.ts';
import type { Address } from './address.ts';

export interface Rule {
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
  readonly #closed: ReadonlyMap<Address, Rule>;
  readonly #opened: ReadonlyMap<Address, OpenedList>;

  constructor(closed: readonly Rule[], opened: readonly OpenedList[]) {
    this.#closed = new Map(closed.map((rule) => [rule.above, rule]));
    this.#opened = new Map(opened.map((rule) => [rule.above, rule]));
  }

  /** Where it is said that the list at this address names all there is, or undefined where it may hold more. */
  closed(list: Address): Span | undefined {
    if (this.#opened.has(list)) return undefined;
    for (const above of upwards(list)) {
      const rule = this.#closed.get(above);
      if (rule) return rule.at;
    }
    return undefined;
  }

  /** The addresses that the head closes by name. */
  get closedLists(): readonly Rule[] {
    return [...this.#closed.values()];
  }

  /** The lists that the head opens again or asks about. */
  get openedLists(): readonly OpenedList[] {
    return [...this.#opened.values()];
  }

  /** What opens the list again, with what it asks. */
  opened(list: Address): OpenedList | undefined {
    return this.#opened.get(list);
  }
}

/** An address and those above it, the longest first. */
export function* upwards(list: Address): Iterable<Address> {
  yield list;
  for (let end = list.length - 1; end > 0; end -= 1)
    if (list[end] === '.' || list[end] === '[') yield list.slice(0, end);
}
