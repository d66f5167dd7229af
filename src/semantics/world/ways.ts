import type { Truth } from '../value/truth.ts';
import { Ending, Unknown } from '../value/value.ts';

/** What comes of a request is not determined any further: the document is open there, or this does not carry it out. */
export class Undetermined extends Ending {
  readonly because: Unknown;

  constructor(because: Unknown) {
    super('not determined');
    this.because = because;
  }
}

/** The host does not send to an address that the request gives: 400 without content (language §6.3, rule 24). */
export class Barred extends Ending {}

/** One way in which a request may go: how each thing is decided that is not known, or that is a choice. */
export class Ways {
  readonly #choices: { readonly of: number; readonly chosen: number }[];
  #next = 0;

  constructor(choices: readonly { readonly of: number; readonly chosen: number }[] = []) {
    this.#choices = [...choices];
  }

  /** Whether something holds. If that is not known, it holds in one way, and does not in another. */
  decide(truth: Truth): boolean {
    return truth instanceof Unknown ? this.choose(2) === 0 : truth;
  }

  /** One of so many, counted from 0. */
  choose(of: number): number {
    if (of < 2) return 0;
    const place = this.#next;
    this.#next += 1;
    this.#choices[place] ??= { of, chosen: 0 };
    return this.#choices[place].chosen;
  }

  /** The way after this one; null: this is the last one. */
  following(): Ways | null {
    const last = this.#choices.findLastIndex(({ of, chosen }) => chosen + 1 < of);
    const turned = this.#choices[last];
    if (turned === undefined) return null;
    return new Ways([...this.#choices.slice(0, last), { of: turned.of, chosen: turned.chosen + 1 }]);
  }
}

/**
 * Runs something once for each way in which it may go. It has to be the same whenever it runs.
 *
 * @param most if there are more ways, the result is null
 */
export function everyWay<T>(run: (ways: Ways) => T, most: number): readonly T[] | null {
  const found: T[] = [];
  for (let ways: Ways | null = new Ways(); ways; ways = ways.following()) {
    if (found.length === most) return null;
    found.push(run(ways));
  }
  return found;
}
