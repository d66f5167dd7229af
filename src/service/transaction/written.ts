import { ownMember } from '../../source/node.ts';
import type { WroteItem } from '../message/reply.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
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

/** The items as whoever hears of the request is told of them. What was made and went again is none. */
export function itemsTold(written: WrittenItems): readonly WroteItem[] {
  return written.all().flatMap(({ kept, first, row, last }) => {
    if (first === null && row === null) return [];
    const members = (one: Row | null): Members => (one === null ? {} : kept.members(one));
    const [before, after] = [members(first), members(row)];
    const isOther = (name: string): boolean =>
      JSON.stringify(ownMember(before, name)) !== JSON.stringify(ownMember(after, name));
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    const how = first === null ? 'created' : row === null ? 'deleted' : 'changed';
    const fields = row === null ? [] : [...names].filter(isOther);
    return [{ resource: kept.name, key: JSON.stringify(last.key), how, fields }];
  });
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
