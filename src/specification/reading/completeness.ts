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
 * address, the other opens one list again. A ledger may take lists for complete, too (§A.6).
 */
export class Completeness {
  readonly #closed: ReadonlyMap<Address, Rule>;
  readonly #opened: ReadonlyMap<Address, OpenedList>;
  readonly #assumed: ReadonlyMap<Address, Rule>;
  /** Nothing is closed. */
  readonly #isSilent: boolean;

  constructor(closed: readonly Rule[], opened: readonly OpenedList[], assumed: readonly Rule[] = []) {
    this.#closed = new Map(closed.map((rule) => [rule.above, rule]));
    this.#opened = new Map(opened.map((rule) => [rule.above, rule]));
    this.#assumed = new Map(assumed.map((rule) => [rule.above, rule]));
    this.#isSilent = this.#closed.size + this.#assumed.size === 0;
  }

  /** Where it is said that the list at this address names all there is, or undefined where it may hold more. */
  closed(list: Address): Span | undefined {
    if (this.#isSilent || this.#opened.has(list)) return undefined;
    for (const above of upwards(list)) {
      const rule = this.#closed.get(above) ?? this.#assumed.get(above);
      if (rule) return rule.at;
    }
    return undefined;
  }

  /** The same, where these lists are taken for complete, too. */
  assuming(lists: readonly Rule[]): Completeness {
    return new Completeness(this.closedLists, this.openedLists, lists);
  }

  /** The same, where these lists are opened, too. */
  opening(lists: readonly OpenedList[]): Completeness {
    return lists.length === 0
      ? this
      : new Completeness(this.closedLists, [...this.openedLists, ...lists], this.assumedLists);
  }

  /** The addresses that a ledger takes for complete. */
  get assumedLists(): readonly Rule[] {
    return [...this.#assumed.values()];
  }

  /** What the document says alone. */
  get stated(): Completeness {
    return this.#assumed.size === 0 ? this : this.assuming([]);
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
    return this.#opened.size === 0 ? undefined : this.#opened.get(list);
  }
}

/** An address and those above it, the longest first. */
export function* upwards(list: Address): Iterable<Address> {
  yield list;
  for (let end = list.length - 1; end > 0; end -= 1)
    if (list[end] === '.' || list[end] === '[') yield list.slice(0, end);
}
