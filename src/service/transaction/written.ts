import type { KeptResource } from '../resource/kept.ts';
import type { Key, Row } from '../store/store.ts';

/** An item that was written. */
export interface Written {
  readonly kept: KeptResource;
  /** As it is now; null: there is none any more. */
  readonly row: Row | null;
  /** As it was last. */
  readonly last: Row;
  /** As it was before any of the changes; null: there was none. */
  readonly first: Row | null;
}

/** The items that changes wrote, in the order in which they first did. Most write one, which takes no name. */
export class WrittenItems {
  #only: Written | null = null;
  #byName: Map<string, Written> | null = null;

  get isEmpty(): boolean {
    return this.#only === null && this.#byName === null;
  }
  of(kept: KeptResource, key: Key): Written | undefined {
    if (this.#byName !== null) return this.#byName.get(nameOf(kept, key));
    return this.#only !== null && isOf(this.#only, kept, key) ? this.#only : undefined;
  }
  note(one: Written): void {
    const { kept, last } = one;
    if (this.isEmpty || (this.#only !== null && isOf(this.#only, kept, last.key))) {
      this.#only = one;
      return;
    }
    this.#byName ??= new Map();
    if (this.#only !== null) this.#byName.set(nameOf(this.#only.kept, this.#only.last.key), this.#only);
    this.#only = null;
    this.#byName.set(nameOf(kept, last.key), one);
  }
  all(): readonly Written[] {
    return this.#only !== null ? [this.#only] : [...(this.#byName?.values() ?? [])];
  }
}

function isOf({ kept, last }: Written, { name }: KeptResource, key: Key): boolean {
  return kept.name === name && sameKey(last.key, key);
}

export function sameKey(a: Key, b: Key): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/** What tells an item from every other, of whatever resource. */
export function nameOf(kept: KeptResource, key: Key): string {
  const [only, second] = key;
  const isText = second === undefined && typeof only === 'string';
  return `${kept.name} ${isText ? `"${only}` : JSON.stringify(key)}`;
}
